package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// followed reports whether the package has what is run once, when an object is collected.
func followed(info *types.Info) bool {
	for _, obj := range info.Uses {
		if fn, ok := obj.(*types.Func); ok && slices.Contains([]string{"runtime.SetFinalizer", "runtime.AddCleanup", "weak.Make"}, fn.FullName()) {
			return true
		}
	}
	return false
}

// scratch is a type of the package with buffers in its fields. Nothing but its objects refers to
// the memory of these buffers.
type scratch struct {
	named  *types.Named
	fields []*types.Var
	made   *allocation // the only place that makes one
	value  bool        // it makes a variable, not a pointer
}

// owned gives the variant of a buffer in a field: the object that has it, where it ends with its
// function, comes from a pool, and keeps the memory of its buffers.
func owned(a *allocation, field *types.Var) ([]Variant, string) {
	s, why := newScratch(a, field)
	if why != "" {
		return nil, fmt.Sprintf("the buffer %s is a field: %s", field.Name(), why)
	}
	made := s.made
	l, why := made.in.find(made.declared())
	if why != "" {
		return nil, "the object that has the buffer " + why
	}
	switch {
	case l.loop != nil:
		return nil, "the object that has the buffer is made in a loop: make it before"
	case deferredBefore(l.body, l.stmt.Pos()):
		return nil, afterPut
	}
	v := made.begin(Pool, Compiler)
	name, stem, t := l.v.Name(), made.stem(l.v.Name()), s.named.Obj().Name()
	if why = made.in.unnamed(s.named, t, "x"); why != "" {
		return nil, "no pool: " + why
	}
	pool, put := made.in.free(stem+"Pool"), made.in.free("put"+upper(stem))
	v.put(l.stmt.Pos(), l.stmt.End(),
		fmt.Sprintf("%s := %s.Get().(*%s)", name, pool, t),
		fmt.Sprintf("defer %s(%s)", put, name))
	buffers{in: made.in, l: l, value: s.value}.pointers(v)
	var caps, kept, resets, poison []string
	for _, f := range s.fields {
		x := "x." + f.Name()
		caps, kept, resets = append(caps, x+".Cap()"), append(kept, f.Name()+": "+x), append(resets, "\t"+x+".Reset()\n")
		poison = append(poison, fmt.Sprintf("\tfor i, all := 0, %[1]s.Bytes()[:%[1]s.Cap()]; i < len(all); i++ {\n\t\tall[i] = 0xDB\n\t}\n", x))
	}
	v.poison = strings.Join(poison, "")
	v.code = fmt.Sprintf(`// %[1]s has objects whose buffers were used before.
var %[1]s = %[2]s.Pool{New: func() %[3]s { return new(%[4]s) }}

// %[5]s makes an object as good as new and gives it back, with the memory of its buffers unless
// they have grown too large to be kept.
func %[5]s(x *%[4]s) {
	if %[6]s > %[7]s {
		return
	}
	*x = %[4]s{%[8]s}
%[9]s%[10]s	%[1]s.Put(x)
}
`, pool, v.use("sync", "sync"), made.in.anything(), t, put, strings.Join(caps, "+"), limit(1, 0), strings.Join(kept, ", "), strings.Join(resets, ""), poisonHere)
	return []Variant{*v}, ""
}

// newScratch is the type that a field belongs to, or why the memory of its buffers may be elsewhere.
func newScratch(a *allocation, field *types.Var) (s scratch, why string) {
	if owner := syntax.Owner(field); owner != nil && owner.Pkg() == a.in.pkg.Types {
		if named, ok := owner.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
			s.named = named
		}
	}
	if s.named == nil {
		return s, "it is of no type of this package that has a name"
	}
	obj := s.named.Obj()
	switch {
	case field.Embedded():
		return s, "it is embedded"
	case field.Exported():
		return s, "other packages may use it"
	}
	for f := range s.named.Underlying().(*types.Struct).Fields() {
		if syntax.Buffer(f.Type()) == "bytes.Buffer" && !f.Embedded() && !f.Exported() && types.Identical(f.Type(), field.Type()) {
			s.fields = append(s.fields, f)
		}
	}
	if _, pointer := types.Unalias(field.Type()).(*types.Pointer); pointer || !slices.Contains(s.fields, field) {
		return s, "it is no bytes.Buffer"
	}
	if file := a.in.folder.mentions(field.Name()); file != "" {
		return s, file + " may use it in another build"
	}
	for _, f := range a.in.pkg.Syntax {
		here := *a
		here.in = a.in.with(f)
		if why = s.read(&here); why != "" {
			return s, why
		}
	}
	if s.made == nil {
		return s, fmt.Sprintf("nothing makes a %s in a function", obj.Name())
	}
	return s, ""
}

// read reads a file: each use of the type names it, makes an empty one or points to one, and
// each use of its buffers leaves the memory where it is.
func (s *scratch) read(a *allocation) (why string) {
	k := newKeeper(a.in)
	say := func(n ast.Node, text string) {
		if why == "" {
			why = k.say(&refusal{n.Pos(), text})
		}
	}
	syntax.Inspect(a.in.file, func(path []ast.Node) bool {
		n := path[len(path)-1]
		id, ok := n.(*ast.Ident)
		if !ok {
			if e, ok := n.(ast.Expr); ok && a.in.info.Types[e].IsValue() && a.in.info.Types[e].Type == types.Type(s.named) {
				s.copies(path, e, say)
			}
			return true
		}
		use := a.in.info.Uses[id]
		if v, ok := use.(*types.Var); ok && slices.Contains(s.fields, v) {
			sel, ok := path[len(path)-2].(*ast.SelectorExpr)
			if !ok || copies(path[len(path)-3]) {
				say(id, "the buffer is set or copied")
			} else if inside[*ast.GoStmt](path) {
				say(id, "the buffer is used by another goroutine")
			} else if text := k.use(path[:len(path)-1], len(path)-2, buffer, v); text != "" {
				say(sel, text)
			}
		}
		if use == s.named.Obj() {
			s.names(a, path, say)
		} else if v, ok := use.(*types.Var); ok && v.Type() == types.Type(s.named) && !v.IsField() {
			s.copies(path, id, say)
		}
		return true
	})
	return why
}

// copies looks at an expression whose value is an object itself: it must not be copied.
func (s *scratch) copies(path []ast.Node, e ast.Expr, say func(ast.Node, string)) {
	switch p := path[len(path)-2].(type) {
	case *ast.SelectorExpr, *ast.ParenExpr, *ast.UnaryExpr: // the only operator for a struct is &
	default:
		if lit, ok := e.(*ast.CompositeLit); ok && len(lit.Elts) == 0 {
			switch p.(type) {
			case *ast.AssignStmt, *ast.ValueSpec:
				return // x := T{}
			}
		}
		say(e, "an object is copied")
	}
}

// names looks at a place that names the type.
func (s *scratch) names(a *allocation, path []ast.Node, say func(ast.Node, string)) {
	id := path[len(path)-1]
	var made ast.Node
	value := false
	at := len(path) - 2
	switch p := path[at].(type) {
	case *ast.StarExpr:
		return
	case *ast.CompositeLit:
		if len(p.Elts) > 0 {
			say(id, "an object is made with values")
			return
		}
		made = p
		u, ok := path[at-1].(*ast.UnaryExpr)
		value = !ok || u.Op != token.AND
	case *ast.CallExpr:
		if builtinOf(a.in.info, p) != "new" {
			say(id, "the type is converted to")
			return
		}
		made = p
	case *ast.ValueSpec:
		if len(p.Names) != 1 || len(p.Values) > 0 {
			say(id, "several are declared at once")
			return
		}
		made, value = p.Names[0], true
	default:
		say(id, "the type is a part of another")
		return
	}
	if s.made != nil {
		say(id, "objects are made in two places")
		return
	}
	m := *a
	m.node, m.path = made, pathToNode(a.in.file, made)
	if fn, _ := m.function(); fn == nil || m.declared() == nil {
		say(id, "an object is made that is no variable of a function")
		return
	}
	if value {
		switch {
		case generic(m.in.info, m.path):
			say(id, "the compiler looks at a generic function where that is used")
			return
		case inside[*ast.FuncLit](m.path):
			say(id, "the compiler may look at a function value where that is called")
			return
		case len(m.facts) == 0 || m.in.renumbered():
			say(id, "nothing is known of the compiler there")
			return
		}
		if text, known := m.fact(m.declared().Pos()); known {
			say(id, text)
			return
		}
	} else if m.proof() != Compiler {
		say(id, "an object may outlive the function that makes it")
		return
	}
	s.made, s.value = &m, value
}

// generic reports whether the function that a path leads into, or the type that it is a method of, has type parameters.
func generic(info *types.Info, path []ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		decl, ok := n.(*ast.FuncDecl)
		if !ok {
			return false
		}
		fn, ok := info.Defs[decl.Name].(*types.Func)
		return !ok || fn.Signature().TypeParams().Len()+fn.Signature().RecvTypeParams().Len() > 0
	})
}
