package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// About reports whether a condition is about one object alone: about its fields,
// its length or capacity, or what a method of it with one result that is no error
// says; compared with what is no other object. Such a condition decides whether
// the object is fit to be kept.
func (p *Program) About(cond ssa.Value, object func(ssa.Value) bool) bool {
	found := false
	return p.about(cond, object, 0, &found) && found
}

func (p *Program) about(x ssa.Value, object func(ssa.Value) bool, depth int, found *bool) bool {
	if depth > 8 {
		return false
	}
	if ssax.HasPointers(x.Type()) && object(x) {
		*found = true
		return true
	}
	next := func(x ssa.Value) bool { return p.about(x, object, depth+1, found) }
	switch x := x.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Parameter, *ssa.FreeVar:
		return true // a limit
	case *ssa.UnOp:
		return x.Op != token.ARROW && next(x.X)
	case *ssa.BinOp:
		return next(x.X) && next(x.Y)
	case *ssa.Convert:
		return next(x.X)
	case *ssa.ChangeType:
		return next(x.X)
	case *ssa.FieldAddr:
		return next(x.X)
	case *ssa.Field:
		return next(x.X)
	case *ssa.TypeAssert:
		return next(x.X)
	case *ssa.Extract:
		a, ok := x.Tuple.(*ssa.TypeAssert)
		return ok && next(a.X)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !p.about(e, object, depth+2, found) {
				return false
			}
		}
		return true
	case *ssa.Call:
		if _, tuple := x.Type().Underlying().(interface{ Len() int }); tuple || ssax.IsError(x.Type()) {
			return false
		}
		for _, arg := range p.Resolve(x).Args {
			if !next(arg) {
				return false
			}
		}
		return true
	}
	return false
}
