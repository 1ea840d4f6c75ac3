package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// visit notes the stores of one node.
func (f function) visit(n ast.Node) {
	makers{f}.visit(n)
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			for i, left := range n.Lhs {
				f.store(left, valueAt(n.Rhs, len(n.Lhs), i), n)
			}
		}
	case *ast.ValueSpec:
		if len(n.Values) > 0 {
			for i, id := range n.Names {
				f.store(id, valueAt(n.Values, len(n.Names), i), n)
			}
		}
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil {
				f.lend(e, "a range sets it", n)
				if id, ok := e.(*ast.Ident); ok && f.escapesByAddress(id) {
					f.lendAll(f.typeOf(id), nil, "a range copies the whole struct", n)
				}
			}
		}
	case *ast.CompositeLit:
		f.literal(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f.address(n)
		}
	case *ast.SelectorExpr:
		f.readRef(n)
	case *ast.CallExpr:
		f.call(n)
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			switch ast.Unparen(e).(type) {
			case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
				f.copied(e, nil, "a function returns a copy of the whole struct", n)
			}
		}
	case *ast.FuncDecl:
		f.byValue(n.Recv)
		f.byValue(n.Type.Params)
	case *ast.FuncLit:
		f.byValue(n.Type.Params)
	}
}

// byValue lends what a parameter copies whose address is taken.
func (f function) byValue(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, id := range field.Names {
			if v := f.objectOf(id); v != nil && holdsSlices(v.Type()) && f.escapesByAddress(id) {
				f.lendAll(v.Type(), nil, "a parameter copies the whole struct", id)
			}
		}
	}
}

// store notes one assignment.
func (f function) store(left ast.Expr, d def, at ast.Node) {
	left = ast.Unparen(left)
	if id, ok := left.(*ast.Ident); ok {
		if id.Name != "_" && f.escapesByAddress(id) {
			f.copied(d.value, nil, "the whole struct is copied", at)
		}
		return
	}
	if to := f.keys(left); len(to) > 0 {
		base := f.base(left)
		name := f.path(left)
		f.facts.Stores = append(f.facts.Stores, Store{
			To: to, Base: base, From: f.source(d), Kept: f.checks[name], Room: f.rooms[name], Made: f.madeHere(left), Ref: isRef(f.typeOf(left)), At: f.at(at),
		})
		return
	}
	f.dynamicStore(left, f.places(left), d, at)
	switch left := left.(type) {
	case *ast.SelectorExpr:
		if f.info.Selections[left] == nil && !f.qualified(left) || f.typeOf(left) == types.Typ[types.Invalid] {
			f.unknown(left, d, at)
		}
		f.copied(d.value, f.places(left), "the whole struct is copied", at)
	case *ast.StarExpr, *ast.IndexExpr:
		if i, ok := f.pointer(left); ok { // *p = v, p a parameter
			if f.out.Through == nil {
				f.out.Through = map[int][]Source{}
			}
			f.out.Through[i] = append(f.out.Through[i], f.source(d))
		}
		f.copied(d.value, f.places(left), "the whole struct is copied", at)
	}
}

// dynamicStore notes a store to a field of an interface's type, and lends the field unless the value was
// made for it: of others nothing says who has them.
func (f function) dynamicStore(left ast.Expr, to []place, d def, at ast.Node) {
	t := f.typeOf(left)
	if t == nil || !types.IsInterface(t) || len(to) == 0 || f.info.Types[d.value].IsNil() {
		return
	}
	if f.dynamicValue(to, d, at) {
		f.facts.Stores = append(f.facts.Stores, Store{
			To: texts(to), Base: f.base(left), From: Source{Kind: Fresh}, Kept: f.checks[f.path(left)], Made: f.madeHere(left), Ref: true, At: f.at(at),
		})
	}
}

// dynamicValue reports whether a value that a field gets is made for it. If not, it lends the field.
func (f function) dynamicValue(to []place, d def, at ast.Node) (made bool) {
	if len(to) == 0 || f.info.Types[d.value].IsNil() || f.makesRef(ast.Unparen(d.value)) {
		return true
	}
	if call, ok := ast.Unparen(d.value).(*ast.CallExpr); ok && d.i <= 0 && (f.builtin(call) == "new" || makes(f.name(call))) {
		return true
	}
	f.facts.Lends = append(f.facts.Lends, Lend{To: texts(to), Unsure: true, Why: "its value may be that of others, too", At: f.at(at)})
	return false
}

// fieldOf is the number of the field with a name; -1 if there is none.
func fieldOf(st *types.Struct, name string) int {
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return i
		}
	}
	return -1
}

// madeHere reports whether a field is one of a value that the function itself makes.
func (f function) madeHere(left ast.Expr) bool {
	root, whole := rootOf(left)
	if root == nil || whole {
		return false
	}
	v, ok := f.objectOf(root).(*types.Var)
	if _, param := f.params[v]; !ok || param || f.literals[v] || len(f.defs[v]) != 1 {
		return false
	}
	d := f.defs[v][0].value
	if call, ok := ast.Unparen(d).(*ast.CallExpr); ok && f.builtin(call) == "new" {
		return true
	}
	_, lit := ast.Unparen(d).(*ast.CompositeLit)
	return lit || f.makesRef(ast.Unparen(d))
}

// unknown notes a store to a field of a type that could not be found out: any
// field of that name may be meant.
func (f function) unknown(left *ast.SelectorExpr, d def, at ast.Node) {
	switch from := f.source(d); from.Kind {
	case Fresh:
		return
	default:
		if onlyItself(from) {
			return
		}
	}
	l := Lend{Name: left.Sel.Name, Why: "it may be the field of a type that could not be found out", At: f.at(at)}
	if !left.Sel.IsExported() {
		l.In = f.scan.path
	}
	f.facts.Lends = append(f.facts.Lends, l)
}

// onlyItself reports whether all that a source has is fresh.
func onlyItself(s Source) bool {
	switch s.Kind {
	case Fresh:
		return true
	case Any, Cut, Empty, Grown:
		for _, a := range s.Args {
			if !onlyItself(a) {
				return false
			}
		}
		return true
	}
	return false
}

func (f function) lend(e ast.Expr, why string, at ast.Node) {
	if to := f.keys(e); len(to) > 0 {
		f.facts.Lends = append(f.facts.Lends, Lend{To: to, Why: why, At: f.at(at)})
	}
}

// lendAll lends all slice fields of a value of a type, in the places that hold it.
func (f function) lendAll(t types.Type, around []place, why string, at ast.Node) {
	if to := inside(t, around, 0); len(to) > 0 && !isSlice(t) {
		f.facts.Lends = append(f.facts.Lends, Lend{To: to, Why: why, At: f.at(at)})
	}
}

// copied lends the fields of a struct that is copied as a whole out of another
// one. Literals, what functions return and new variables are no copies: they are
// looked at where they are made.
func (f function) copied(e ast.Expr, around []place, why string, at ast.Node) {
	if e == nil {
		return
	}
	e = ast.Unparen(e)
	t := f.typeOf(e)
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
		if tv, ok := f.info.Types[e.Fun]; !ok || !tv.IsType() {
			if fn := f.callee(e); fn != nil && !f.stdFunc(fn) {
				return
			}
		} else if len(e.Args) == 1 { // a conversion
			f.lendAll(f.typeOf(e.Args[0]), nil, why, at)
		}
	case *ast.Ident:
		if v, ok := f.objectOf(e).(*types.Var); ok && f.ownStruct(v) {
			return
		}
	}
	f.lendAll(t, around, why, at)
}

// literal notes the stores of a composite literal.
func (f function) literal(lit *ast.CompositeLit) {
	t := f.typeOf(lit)
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
	for i, element := range lit.Elts {
		value, name := element, ""
		if kv, ok := element.(*ast.KeyValueExpr); ok {
			id, ok := kv.Key.(*ast.Ident)
			if !ok {
				continue
			}
			value, name = kv.Value, id.Name
		} else if i < st.NumFields() {
			name = st.Field(i).Name()
		}
		var around []place
		if named != nil {
			around = []place{{named.Origin(), "." + name}}
		} else {
			around = f.nested(lit, name)
		}
		tv := f.typeOf(value)
		if i := fieldOf(st, name); i >= 0 && types.IsInterface(st.Field(i).Type()) {
			f.dynamicValue(around, def{value, -1}, value)
		}
		if !isSlice(tv) && !isRef(tv) && tv != types.Typ[types.UntypedNil] {
			f.copied(value, around, "a literal copies the whole struct", lit)
			continue
		}
		if to := texts(around); len(to) > 0 {
			base := f.renewed(lit)
			f.facts.Stores = append(f.facts.Stores, Store{
				To: to, Base: base, From: f.source(def{value, -1}), Made: strings.HasPrefix(base, "new "), Ref: isRef(tv), At: f.at(value),
			})
		}
	}
}
