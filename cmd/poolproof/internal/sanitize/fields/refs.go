package fields

import (
	"go/ast"
	"go/types"
)

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
