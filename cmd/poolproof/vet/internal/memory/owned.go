package memory

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// A struct often has its buffer behind a pointer: what the pointer points to is as
// much the struct's memory as a slice in it, if nobody else ever had it. That is so
// of a field that others cannot see and to which the package assigns nothing but
// buffers made on the spot.

// learnOwned notes what a store to a field says of it.
func (p *Places) learnOwned(s *ssa.Store) {
	field := ownable(s.Addr)
	if field == nil || ssax.IsNil(s.Val) {
		return
	}
	owned, seen := p.owned[field]
	p.owned[field] = (owned || !seen) && p.madeHere(s.Val)
}

// ownable returns the field whose address a value is, if it is one that may own a
// buffer: no other package sees it, and it is a pointer to one.
func ownable(addr ssa.Value) *types.Var {
	v := ssax.FieldVar(addr)
	if v == nil || v.Exported() || !ssax.IsPointer(v.Type()) || !ssax.IsBuffer(v.Type()) {
		return nil
	}
	return v
}

// Owns reports whether an address is of a field whose buffer is the struct's own.
func (p *Places) Owns(addr ssa.Value) bool {
	field := ownable(addr)
	return field != nil && p.owned[field]
}

// madeHere reports whether a value is a buffer that is made where it is assigned.
func (p *Places) madeHere(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.MakeSlice:
		return true
	case *ssa.Slice:
		return p.madeHere(v.X)
	case *ssa.Alloc:
		s := p.Stores(v)
		for _, store := range s.Whole {
			if ssax.HasPointers(store.Val.Type()) && !p.madeHere(store.Val) {
				return false
			}
		}
		return true
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		if fn == nil || fn.Pkg == nil || strings.Contains(strings.Split(fn.Pkg.Pkg.Path(), "/")[0], ".") {
			return false // it may have it from a pool
		}
		for _, arg := range v.Call.Args {
			if ssax.HasPointers(arg.Type()) && !p.madeHere(arg) {
				return false
			}
		}
		return true
	}
	return false
}
