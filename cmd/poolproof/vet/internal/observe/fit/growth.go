package fit

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Growth finds memory that a slice has grown to and the pool never gets: the old
// slice is put, or the pointer to the slice still points to the old one.
func Growth(fn *scene.Function, p *track.Put) []scene.Found {
	if p.Captured || len(p.Call.Instr.Common().Args) == 0 {
		return nil // a function that a getter returned puts what it got, whatever the caller does
	}
	al := fn.Aliases(p)
	if al == nil {
		return nil
	}
	switch {
	case p.Call.Deferred() && putsSlice(p):
		if line := reassigned(fn, p, al); line.IsValid() {
			return lostAt(fn, p, events.Event{Kind: events.Use, How: events.Written, Pos: line, What: "assignment"})
		}
	case ssax.IsSlicePointer(p.Roots[0]) || al.Type != nil && ssax.Pointee(al.Type) != nil && ssax.IsSlice(ssax.Pointee(al.Type)):
		if grown := appended(fn.Code, al); grown != nil && !storedBack(fn.Code, al) {
			e := fn.Event(events.Use, grown)
			e.How, e.What = events.Written, "append"
			return lostAt(fn, p, e)
		}
	}
	return nil
}

// reassigned returns where a variable whose slice a deferred call puts gets the result
// of another call that was given the slice: an append, or a larger slice. It looks at
// the source, where a variable is one; in SSA form it is many values.
func reassigned(fn *scene.Function, p *track.Put, al *alias.Set) token.Pos {
	call := fn.Syntax().Call(p.Call.Instr.Common().Pos())
	if call == nil {
		return token.NoPos
	}
	slices := slices.DeleteFunc(slices.Clone(call.Args), func(arg ast.Expr) bool { return !ssax.IsSlice(fn.Pass.TypesInfo.TypeOf(arg)) })
	if len(slices) == 0 {
		return token.NoPos
	}
	return assigned(fn, call, slices[len(slices)-1], func(value ast.Expr) bool {
		c, ok := ast.Unparen(value).(*ast.CallExpr)
		return ok && !fn.Pass.TypesInfo.Types[c.Fun].IsType() && isGiven(fn.Code, c, p, al)
	})
}

// assigned returns where a variable first gets a value of a kind after a call.
func assigned(fn *scene.Function, call *ast.CallExpr, variable ast.Expr, kind func(value ast.Expr) bool) token.Pos {
	id, ok := ast.Unparen(variable).(*ast.Ident)
	body := fn.F.Syntax()
	if !ok || body == nil {
		return token.NoPos
	}
	obj, found := fn.Pass.TypesInfo.ObjectOf(id), token.NoPos
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Pos() < call.End() || found.IsValid() {
			return true
		}
		for i, lhs := range a.Lhs {
			id, ok := lhs.(*ast.Ident)
			if ok && obj != nil && fn.Pass.TypesInfo.ObjectOf(id) == obj && kind(a.Rhs[min(i, len(a.Rhs)-1)]) {
				found = a.Pos()
			}
		}
		return true
	})
	return found
}

// isGiven reports whether a call that may follow a deferred put gets the object, or is
// of make: what it returns then takes the object's place, and is not another object with
// a put of its own.
func isGiven(fn *track.Code, c *ast.CallExpr, p *track.Put, al *alias.Set) bool {
	given := false
	fn.Walker.From(p.Call.Instr, paths.Instrs{Each: func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		if made, isMake := instr.(*ssa.MakeSlice); isMake && made.Pos() == c.Lparen {
			given = true
		}
		if ok && call.Pos() == c.Lparen {
			callee := fn.Program.Resolve(call)
			for _, arg := range call.Call.Args {
				given = given || al.Of(arg) != nil && (callee.Invoke || names.IsGrowing(callee.Name()))
			}
		}
		return !given
	}})
	return given
}

// lostAt adds the growth first: the put is what is wrong.
func lostAt(fn *scene.Function, p *track.Put, e events.Event) []scene.Found {
	put := fn.PutEvent(p)
	put.Kind, put.How = events.Exit, events.Plain
	put.Deferred = put.Deferred && putsSlice(p) // a pointer is the same at the end
	return []scene.Found{fn.Found(p, events.History{Events: []events.Event{e, put}, Reach: events.Memory})}
}

// putsSlice reports whether the argument of a put is a slice by value.
func putsSlice(p *track.Put) bool {
	v := p.Arg
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	return ssax.IsSlice(v.Type())
}

// appended returns the first call that may move what it appends to, and whose
// result is used for more.
func appended(fn *track.Code, al *alias.Set) ssa.Instruction {
	for _, v := range al.Values() {
		call, ok := v.(*ssa.Call)
		if !ok || call.Parent() != fn.F || al.Of(v).Field != summary.All || al.Of(v).Holder || !ssax.IsSlice(call.Type()) {
			continue
		}
		c := fn.Program.Resolve(call)
		if c.Builtin == "append" {
			return call
		}
		if !names.IsAppend(c.Name()) {
			continue
		}
		// There is room for little that is appended once.
		_, empty := c.Args[0].(*ssa.Slice)
		if !empty || !names.IsShortAppend(c.Fn) || ssax.Reaches(call.Block(), call.Block()) {
			return call
		}
	}
	return nil
}

// storedBack reports whether anything is stored in the slice that the object points to.
func storedBack(fn *track.Code, al *alias.Set) bool {
	for s := range ssax.Of[*ssa.Store](fn.Program.Family(fn.F)...) {
		if info := al.Of(s.Addr); info != nil && !info.Holder && ssax.IsSlice(s.Val.Type()) {
			return true
		}
	}
	return false
}
