package reuse

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// single is one object that a function makes, or a loop in each iteration.
type single struct {
	a       *allocation
	l       *local // the variable that points to it, or is it
	t       types.Type
	text    string // the type as the file writes it
	value   string // what it begins with; "": zero
	pointer bool   // the variable points to it
}

// object gives the variants of &T{...} or new(T).
func (a *allocation) object(n ast.Expr) ([]Variant, string) {
	t, value := a.in.info.TypeOf(n), ""
	switch n := n.(type) {
	case *ast.CompositeLit:
		if len(n.Elts) > 0 {
			value = a.in.code(n)
		}
	case *ast.CallExpr:
		t = a.in.info.TypeOf(n.Args[0])
	}
	l, why := a.local()
	var vs []Variant
	switch {
	case a.proof() == Compiler:
		return nil, fmt.Sprintf("an object of the type %s, which the compiler puts into the frame", a.in.short(t))
	case why == "":
		vs, why = a.one(l, t, value)
	}
	if len(vs) == 0 {
		vs, why = callerMade(a, l, t, value, why)
	}
	if len(vs) == 0 {
		why = fmt.Sprintf("an object of the type %s: %s", a.in.short(t), why)
	}
	return vs, why
}

// variable gives the variant of a variable that is moved to the heap, with the statement that declares it.
func (a *allocation) variable(v *types.Var) ([]Variant, string) {
	l, why := a.in.find(v)
	var vs []Variant
	if why == "" {
		value := ""
		if e := l.value(); e != nil {
			value = a.in.code(e)
		}
		if vs, why = a.one(l, v.Type(), value); len(vs) == 0 {
			vs, why = callerMade(a, l, v.Type(), value, why)
		}
	}
	if len(vs) == 0 {
		why = fmt.Sprintf("the variable %s is moved to the heap: %s", v.Name(), why)
	}
	return vs, why
}

// one gives the variant of an object: it comes from a pool, or it serves all iterations of a loop. Where a
// pointer to it may be kept, only a watched run can tell that the object ends with its function.
func (a *allocation) one(l *local, t types.Type, value string) ([]Variant, string) {
	s := single{a, l, t, a.in.typeHere(t), value, types.Identical(l.v.Type(), types.NewPointer(t))}
	if s.text == "" {
		return nil, "its type has no name in this file"
	}
	k := turnKeeper{a.in, newKeeper(a.in), map[*types.Var]bool{}}
	k.uses.late = l.loop != nil
	kept := k.keeps(l.v, l.body, s.pointer)
	var v *Variant
	why := ""
	switch {
	case kept != nil && (l.loop != nil || !a.site.Observed): // of an iteration it says nothing
		return nil, "it may outlive the function: " + k.uses.say(kept)
	case l.loop != nil:
		v, why = s.hoist()
	case kept != nil && deferredBefore(l.body, l.stmt.Pos()):
		return nil, afterPut
	case kept != nil:
		v, why = s.pool(Observed)
	default:
		v, why = s.pool(Contract)
	}
	if why == "" && !s.pointer {
		why = byPointer(a.in, l, v)
	}
	if why != "" {
		return nil, why
	}
	return []Variant{*v}, ""
}

// hoist makes one object before the loop, which gets the value of a new one in each iteration.
func (s single) hoist() (*Variant, string) {
	in, l := s.a.in, s.l
	for _, at := range []token.Pos{l.loop.Pos(), l.stmt.Pos()} {
		if tv, err := types.Eval(in.pkg.Fset, in.pkg.Types, at, s.text); err != nil || !tv.IsType() || !types.Identical(tv.Type, s.t) {
			return nil, fmt.Sprintf("no hoist: the type %s has another meaning before the loop, or none", s.text)
		}
	}
	v, kept, why := s.a.before(l, Contract, "*"+s.text)
	if why != "" {
		return nil, why
	}
	lines := []string{fmt.Sprintf("if %s == nil {", kept), fmt.Sprintf("%s = new(%s)", kept, s.text)}
	if s.value == "" {
		lines = append(lines, "} else {", fmt.Sprintf("*%s = %s", kept, zero(s.t, s.text)), "}")
	} else {
		lines = append(lines, "}", fmt.Sprintf("*%s = %s", kept, s.value))
	}
	v.put(l.stmt.Pos(), l.stmt.End(), append(lines, fmt.Sprintf("%s := %s", l.v.Name(), kept))...)
	return v, ""
}

// pool takes the object from a sync.Pool, which has zero ones.
func (s single) pool(e Evidence) (*Variant, string) {
	in, name := s.a.in, s.l.v.Name()
	v := s.a.begin(Pool, e)
	text := v.typeText(s.t)
	why := in.unnamed(s.t, text, "x")
	switch {
	case why != "":
		return nil, "no pool: " + why
	case says(s.value, name) || says(s.text, name):
		return nil, fmt.Sprintf("no pool: what makes it names another %s", name)
	case followed(in.info):
		return nil, "no pool: the package asks the runtime when objects are no longer used, which it cannot do twice"
	}
	stem := s.a.stem(name)
	pool, put := in.free(stem+"Pool"), in.free("put"+upper(stem))
	value, onPut := s.value, fmt.Sprintf("\t*x = %s // what it points to is not kept\n", zero(s.t, text))
	if !hasPointers(s.t) {
		value = cmp.Or(value, zero(s.t, s.text))
		onPut, v.poison = poisonHere, poisonObject
	}
	lines := []string{fmt.Sprintf("%s := %s.Get().(*%s)", name, pool, s.text), fmt.Sprintf("defer %s(%s)", put, name)}
	if value != "" {
		lines = append(lines, fmt.Sprintf("*%s = %s", name, value))
	}
	v.put(s.l.stmt.Pos(), s.l.stmt.End(), lines...)
	v.code = fmt.Sprintf(`// %[1]s has objects that were used before.
var %[1]s = %[2]s.Pool{New: func() %[3]s { return new(%[4]s) }}

// %[5]s gives an object back. Nothing may use it after that.
func %[5]s(x *%[4]s) {
%[6]s	%[1]s.Put(x)
}
`, pool, v.use("sync", "sync"), in.anything(), text, put, onPut)
	return v, ""
}

// poisonObject overwrites an object.
const poisonObject = `	for i := uintptr(0); i < poolproofUnsafe.Sizeof(*x); i++ {
		*(*byte)(poolproofUnsafe.Pointer(uintptr(poolproofUnsafe.Pointer(x)) + i)) = 0xDB
	}
`

// zero is the zero value of a type.
func zero(t types.Type, text string) string {
	switch t := t.(type) {
	case *types.TypeParam:
		return "*new(" + text + ")"
	default:
		switch u := t.Underlying().(type) {
		case *types.Struct, *types.Array:
			return text + "{}"
		case *types.Basic:
			switch {
			case u.Info()&types.IsString != 0:
				return `""`
			case u.Info()&types.IsBoolean != 0:
				return "false"
			case u.Info()&types.IsNumeric != 0:
				return "0"
			}
		}
	}
	return "nil"
}
