package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Counted reports whether an instruction is reached only when a count of
// references is zero.
func Counted(p *Program, instr ssa.Instruction) bool {
	for cond := range ssax.Above(instr.Block()) {
		// Both forms: if n == 0 { put }, and if n != 0 { return }; put.
		if succ, other := ssax.Edge(cond, true); succ != other && IsCount(p, cond.Cond, 0) {
			return true
		}
	}
	return false
}

// IsCount reports whether a value is a count of references after one was given
// up, or a comparison of it: an atomic Add, CompareAndSwap or Swap, a field that is
// decremented, or one that is named as a count of references.
func IsCount(p *Program, v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return IsCount(p, v.X, depth+1)
		}
		if ssax.Load(v) != nil {
			return isCounter(v)
		}
	case *ssa.Convert:
		return IsCount(p, v.X, depth+1)
	case *ssa.BinOp:
		if v.Op == token.SUB {
			return ssax.IsInt(v.Y, 1) && ssax.Load(v.X) != nil && ssax.Is[*ssa.FieldAddr](v.X.(*ssa.UnOp).X)
		}
		x, y := v.X, v.Y
		if ssax.Is[*ssa.Const](x) {
			x, y = y, x
		}
		return ssax.IsBool(v.Type()) && (ssax.IsInt(y, 0) || ssax.IsInt(y, 1)) && IsCount(p, x, depth+1)
	case *ssa.Call:
		c := p.Resolve(v)
		return c.Fn != nil && (c.Summary.Counts || IsAtomic(c.Fn) && names.IsCounting(c.Fn.Name()))
	}
	return false
}

// IsAtomic reports whether a function is one of a package of atomics.
func IsAtomic(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sync/atomic", "internal/runtime/atomic", "go.uber.org/atomic":
		return true
	}
	return false
}

// isCounter reports whether a load is of a field that counts references: by its
// name, or because it is decremented beside.
func isCounter(load *ssa.UnOp) bool {
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok || !ssax.IsInteger(load.Type()) {
		return false
	}
	if names.IsCounter(ssax.FieldName(field)) {
		return true
	}
	for s := range ssax.Of[*ssa.Store](load.Parent()) {
		at, ok := s.Addr.(*ssa.FieldAddr)
		sub, counts := s.Val.(*ssa.BinOp)
		if ok && at.X == field.X && at.Field == field.Field && counts && sub.Op == token.SUB && ssax.IsInt(sub.Y, 1) {
			return true
		}
	}
	return false
}
