package fields

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// call notes what a call does with fields whose address it is given, and with structs
// that it copies.
func (f *stores) call(call *ast.CallExpr) {
	if f.body.info.Types[call.Fun].IsType() {
		f.conversion(call)
		return
	}
	switch f.body.builtin(call) {
	case "append":
		for _, a := range call.Args[min(1, len(call.Args)):] {
			if call.Ellipsis.IsValid() {
				if s, ok := under(f.body.typeOf(a)).(*types.Slice); ok && holdsSlices(s.Elem()) {
					f.lendAll(s.Elem(), nil, "append copies whole structs", call)
				}
				continue
			}
			f.copied(a, nil, "append copies the whole struct", call)
		}
		return
	case "copy":
		switch s, ok := under(f.body.typeOf(call.Args[0])).(*types.Slice); {
		case ok && holdsSlices(s.Elem()):
			f.lendAll(s.Elem(), nil, "whole structs are copied", call)
		case ok && isSlice(s.Elem()):
			f.noteLend(Lend{To: f.body.rows(call.Args[0]), Why: "copy sets its rows"}, call)
		}
		return
	case "new":
		if len(call.Args) == 1 {
			if tv, ok := f.body.info.Types[call.Args[0]]; ok && tv.IsValue() {
				f.copied(call.Args[0], nil, "the whole struct is copied", call)
			}
		}
		return
	case "":
	default:
		return
	}
	f.atomics(call)
	fn := f.body.callee(call)
	if fn == nil {
		return
	}
	// x.list.add(s) takes the address of x.list.
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && ofPointer(fn) && isSlice(f.body.typeOf(sel.X)) {
		f.through(sel.X, call, fn, 0)
	}
}

// mapGiven lends the slices in a map that code gets which may store others there.
func (f *stores) mapGiven(sel *ast.SelectorExpr) {
	m, ok := under(f.body.typeOf(sel)).(*types.Map)
	if !ok || !isSlice(m.Elem()) || f.body.stored(sel) {
		return
	}
	switch p := f.body.parents[sel].(type) {
	case *ast.IndexExpr, *ast.RangeStmt, *ast.BinaryExpr:
		return
	case *ast.CallExpr:
		if f.body.builtin(p) != "" { // len, clear, delete
			return
		}
	}
	f.noteLend(Lend{To: f.body.rows(sel), Why: "code that may store anything in the map is given it"}, sel)
}

// conversion lends the fields of two struct types if a value of one is converted
// to the other: fields of one are set by the name of the other.
func (f *stores) conversion(call *ast.CallExpr) {
	if len(call.Args) != 1 {
		return
	}
	to, from := pointee(f.body.typeOf(call)), pointee(f.body.typeOf(call.Args[0]))
	if to == nil || from == nil {
		return
	}
	if b, ok := under(from).(*types.Basic); ok && b.Kind() == types.UnsafePointer {
		return // the type that it points to is not known
	}
	if _, ok := to.Underlying().(*types.Struct); !ok || types.Identical(to, from) || types.IsInterface(to) {
		return
	}
	f.lendAll(to, nil, "it is converted to another type", call)
	if _, ok := under(from).(*types.Struct); ok {
		f.lendAll(from, nil, "it is converted to another type", call)
	}
}

// atomics marks fields whose elements are changed by atomic operations: such an
// array may be looked at from outside at any time.
func (f *stores) atomics(call *ast.CallExpr) {
	if !strings.HasPrefix(f.body.name(call), "sync/atomic.") || len(call.Args) == 0 {
		return
	}
	and, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok {
		return
	}
	if i, ok := ast.Unparen(and.X).(*ast.IndexExpr); ok {
		f.noteLend(Lend{To: f.body.keys(i.X), Shared: true, Why: "its elements are changed by atomic operations"}, call)
	}
}

// address notes an operator & whose operand is a slice field.
func (f *stores) address(n *ast.UnaryExpr) {
	if len(f.body.keys(n.X)) == 0 || !isSlice(f.body.typeOf(n.X)) {
		return
	}
	if call, ok := f.body.parents[n].(*ast.CallExpr); ok {
		if fn := f.body.callee(call); fn != nil && !dynamic(fn) && !f.body.stdFunc(fn) {
			f.through(n.X, call, fn, slices.Index(f.body.arguments(call), ast.Expr(n)))
			return
		}
	}
	f.lend(n.X, "its address is taken", n)
}

// through notes that a function is given the address of a slice field.
func (f *stores) through(field ast.Expr, call *ast.CallExpr, fn *types.Func, n int) {
	to := f.body.keys(field)
	if len(to) == 0 {
		return
	}
	if dynamic(fn) || f.body.stdFunc(fn) {
		f.lend(field, "its address is given to "+fn.Name(), call)
		return
	}
	from := f.trace.throughLocal(call, fn, n)
	from.Keys, from.Base = to, f.body.base(field)
	f.facts.Stores = append(f.facts.Stores, Store{To: to, Base: from.Base, From: from, At: f.body.at(call)})
}

// readRef lends a field that is a pointer or a map whose value is given to others: what
// it refers to may then live longer than the object's use of it. (An array's
// header is read all the time, and each such use ends as the array's own.) A function that
// returns it lends it only where the program makes one for each user: a child that stays in its
// field is the next user's, too.
func (f *stores) readRef(sel *ast.SelectorExpr) {
	s := f.body.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !isRef(f.body.typeOf(sel)) || f.body.stored(sel) {
		return
	}
	to := f.body.keys(sel)
	if len(to) == 0 {
		return
	}
	u := use{targets: map[string]bool{}}
	f.trace.climb(sel, &u, map[*types.Var]bool{})
	returned := u.targets["return"]
	delete(u.targets, "return")
	delete(u.targets, f.body.base(sel)+"."+sel.Sel.Name) // *x = T{f: x.f}
	if u.kept || len(u.targets) > 0 || returned {
		f.noteLend(Lend{To: to, Soft: !u.kept && len(u.targets) == 0, Why: "what it refers to is given to others"}, sel)
	} else if len(u.to) > 0 {
		f.noteLend(Lend{To: to, Given: u.to, Why: "what it refers to is given to a function that keeps it"}, sel)
	}
}
