package fields

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// stores notes what one function, or the variables of a package with the function literals in their
// values, store in fields and lend.
type stores struct {
	body  *body
	trace *tracer
	facts *Facts
}

// ranged lends what a range sets.
func (f *stores) ranged(n *ast.RangeStmt) {
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e != nil {
			f.lend(e, "a range sets it", n)
			if id, ok := e.(*ast.Ident); ok && f.body.escapesByAddress(id) {
				f.lendAll(f.body.typeOf(id), nil, "a range copies the whole struct", n)
			}
		}
	}
}

// byValue lends what a parameter copies whose address is taken.
func (f *stores) byValue(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, id := range field.Names {
			if v := f.body.objectOf(id); v != nil && holdsSlices(v.Type()) && f.body.escapesByAddress(id) {
				f.lendAll(v.Type(), nil, "a parameter copies the whole struct", id)
			}
		}
	}
}

// store notes one assignment.
func (f *stores) store(left ast.Expr, d def, at ast.Node) {
	left = ast.Unparen(left)
	if id, ok := left.(*ast.Ident); ok {
		if id.Name != "_" && f.body.escapesByAddress(id) {
			f.copied(d.value, nil, "the whole struct is copied", at)
		}
		return
	}
	if to := f.body.keys(left); len(to) > 0 {
		base := f.body.base(left)
		name := f.body.path(left)
		f.facts.Stores = append(f.facts.Stores, Store{
			To: to, Base: base, From: f.trace.source(d), Kept: f.body.checks[name], Room: f.body.rooms[name], Made: f.madeHere(left), Ref: isRef(f.body.typeOf(left)), At: f.body.at(at),
		})
		return
	}
	f.dynamicStore(left, f.body.places(left), d, at)
	switch left := left.(type) {
	case *ast.SelectorExpr:
		if f.body.info.Selections[left] == nil && syntax.Package(f.body.info, left) == nil || f.body.typeOf(left) == types.Typ[types.Invalid] {
			f.unknown(left, d, at)
		}
		f.copied(d.value, f.body.places(left), "the whole struct is copied", at)
	case *ast.StarExpr, *ast.IndexExpr:
		if i, ok := f.body.pointer(left); ok { // *p = v, p a parameter
			put(&f.body.out.Through, i, append(f.body.out.Through[i], f.trace.source(d)))
		}
		f.copied(d.value, f.body.places(left), "the whole struct is copied", at)
	}
}

// dynamicStore notes a store to a field of an interface's type. Unless the value was made for it, the
// field is lent: of others nothing says who has them.
func (f *stores) dynamicStore(left ast.Expr, to []place, d def, at ast.Node) {
	t := f.body.typeOf(left)
	if t == nil || !types.IsInterface(t) || len(to) == 0 || f.body.info.Types[d.value].IsNil() {
		return
	}
	f.dynamicValue(to, d, at)
	f.facts.Stores = append(f.facts.Stores, Store{
		To: texts(to), Base: f.body.base(left), From: Source{Kind: Fresh}, Kept: f.body.checks[f.body.path(left)], Made: f.madeHere(left), Ref: true, At: f.body.at(at),
	})
}

// dynamicValue lends a field that gets a value of an interface, unless the value is made for it.
func (f *stores) dynamicValue(to []place, d def, at ast.Node) {
	if len(to) == 0 || f.body.info.Types[d.value].IsNil() || f.body.makesRef(ast.Unparen(d.value)) {
		return
	}
	if call, ok := ast.Unparen(d.value).(*ast.CallExpr); ok && d.i <= 0 && (f.body.builtin(call) == "new" || makes(f.body.name(call))) {
		return
	}
	f.noteLend(Lend{To: texts(to), Unsure: true, Why: "its value may be that of others, too"}, at)
}

// madeHere reports whether a field is one of a value that the function itself makes.
func (f *stores) madeHere(left ast.Expr) bool {
	v, whole := f.body.rootVar(left)
	if _, param := f.body.params[v]; v == nil || whole || param || f.body.literals[v] || len(f.body.defs[v]) != 1 {
		return false
	}
	d := f.body.defs[v][0].value
	if call, ok := ast.Unparen(d).(*ast.CallExpr); ok && f.body.builtin(call) == "new" {
		return true
	}
	_, lit := ast.Unparen(d).(*ast.CompositeLit)
	return lit || f.body.makesRef(ast.Unparen(d))
}

// unknown notes a store to a field of a type that could not be found out: any
// field of that name may be meant.
func (f *stores) unknown(left *ast.SelectorExpr, d def, at ast.Node) {
	if onlyItself(f.trace.source(d)) {
		return
	}
	l := Lend{Name: left.Sel.Name, Why: "it may be the field of a type that could not be found out"}
	if !left.Sel.IsExported() {
		l.In = f.body.pkg
	}
	f.noteLend(l, at)
}

// onlyItself reports whether all that a source has is fresh.
func onlyItself(s Source) bool {
	switch s.Kind {
	case Fresh:
		return true
	case Any, Cut, Empty, Grown:
		return !slices.ContainsFunc(s.Args, func(a Source) bool { return !onlyItself(a) })
	}
	return false
}

// noteLend notes what a node lends, if that is anything.
func (f *stores) noteLend(l Lend, at ast.Node) {
	if len(l.To) > 0 || l.Name != "" {
		l.At = f.body.at(at)
		f.facts.Lends = append(f.facts.Lends, l)
	}
}

func (f *stores) lend(e ast.Expr, why string, at ast.Node) {
	f.noteLend(Lend{To: f.body.keys(e), Why: why}, at)
}

// lendAll lends all slice fields of a value of a type, in the places that hold it.
func (f *stores) lendAll(t types.Type, around []place, why string, at ast.Node) {
	if !isSlice(t) {
		f.noteLend(Lend{To: inside(t, around), Why: why}, at)
	}
}

// copied lends the fields of a struct that is copied as a whole out of another
// one. Literals, what functions return and new variables are no copies: they are
// looked at where they are made.
func (f *stores) copied(e ast.Expr, around []place, why string, at ast.Node) {
	if e == nil {
		return
	}
	e = ast.Unparen(e)
	t := f.body.typeOf(e)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(0).Type()
	}
	if t == nil || !holdsSlices(t) {
		return
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return
	case *ast.CallExpr:
		if !f.body.info.Types[e.Fun].IsType() {
			if fn := f.body.callee(e); fn != nil && !f.body.stdFunc(fn) {
				return
			}
		} else if len(e.Args) == 1 { // a conversion
			f.lendAll(f.body.typeOf(e.Args[0]), nil, why, at)
		}
	case *ast.Ident:
		if v := f.body.variable(e); v != nil && f.body.ownStruct(v) {
			return
		}
	}
	f.lendAll(t, around, why, at)
}

// element is the field that an element of a struct's literal sets, and the value.
func element(st *types.Struct, i int, e ast.Expr) (name string, value ast.Expr) {
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		return types.ExprString(kv.Key), kv.Value
	}
	if i < st.NumFields() {
		name = st.Field(i).Name()
	}
	return name, e
}

// literal notes the stores of a composite literal.
func (f *stores) literal(lit *ast.CompositeLit) {
	t := f.body.typeOf(lit)
	if p, ok := under(t).(*types.Pointer); ok { // the element of a []*T{{...}}
		t = p.Elem()
	}
	st, ok := under(t).(*types.Struct)
	if !ok {
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			f.copied(e, nil, "a literal copies the whole struct", lit)
		}
		return
	}
	named, _ := types.Unalias(t).(*types.Named)
	for i, e := range lit.Elts {
		name, value := element(st, i, e)
		var around []place
		if named != nil {
			around = []place{{named.Origin(), "." + name}}
		} else {
			around = f.body.nested(lit, name)
		}
		tv := f.body.typeOf(value)
		for field := range st.Fields() {
			if field.Name() == name && types.IsInterface(field.Type()) {
				f.dynamicValue(around, def{value, -1}, value)
			}
		}
		if !isSlice(tv) && !isRef(tv) && tv != types.Typ[types.UntypedNil] {
			f.copied(value, around, "a literal copies the whole struct", lit)
			continue
		}
		if to := texts(around); len(to) > 0 {
			base := f.body.renewed(lit)
			f.facts.Stores = append(f.facts.Stores, Store{
				To: to, Base: base, From: f.trace.source(def{value, -1}), Made: strings.HasPrefix(base, "new "), Ref: isRef(tv), At: f.body.at(value),
			})
		}
	}
}
