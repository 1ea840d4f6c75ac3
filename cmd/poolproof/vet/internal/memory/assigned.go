package memory

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stdlib"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// NewPlaces returns the places of a package, and reads all stores of its functions.
func NewPlaces(funcs []*ssa.Function) *Places {
	p := &Places{
		makers:    make(map[*ssa.Function]*ssa.MakeClosure),
		stores:    make(map[*ssa.Alloc]*Stores),
		families:  make(map[*ssa.Function]*Family),
		seen:      make(map[read]Seen),
		outlived:  make(map[*ssa.UnOp]bool),
		functions: make(map[any][]ssa.Value),
		owned:     make(map[*types.Var]bool),
		flags:     make(flags),
		kinds:     kinds{made: make(map[ssa.Value][]*types.Var), set: make(map[*types.Var]bool)},
	}
	for _, f := range funcs {
		for s := range ssax.Of[*ssa.Store](f) {
			if at := holder(s.Addr); at != nil {
				p.functions[at] = append(p.functions[at], s.Val)
			}
			p.learnOwned(s)
			p.flags.learn(s)
			p.kinds.learn(s)
		}
	}
	return p
}

// holder returns the package variable, or the field, whose address a value is, if no other package
// can set it; otherwise nil.
func holder(addr ssa.Value) any {
	if g, ok := addr.(*ssa.Global); ok && !token.IsExported(g.Name()) {
		return g
	}
	field := ssax.FieldVar(addr)
	if field == nil || field.Exported() {
		return nil
	}
	if _, ok := field.Type().Underlying().(*types.Signature); !ok {
		return nil
	}
	return field
}

// Functions returns the values to which the package sets the variable or field at an address, none
// if other packages may set it too.
func (p *Places) Functions(addr ssa.Value) []ssa.Value {
	if at := holder(addr); at != nil {
		return p.functions[at]
	}
	return nil
}

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
		if fn == nil || fn.Pkg == nil || !stdlib.Has(fn.Pkg.Pkg.Path()) {
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

// Excluded returns the places of the bool fields that are false where a condition, a
// bool field of the same struct, is true.
func (p *Places) Excluded(cond ssa.Value) (places []Var) {
	load := ssax.Load(cond)
	if load == nil {
		return nil
	}
	field := ssax.BoolField(load.X)
	if field == nil || !p.kinds.set[field] {
		return nil
	}
	at, ok := p.Place(load.X)
	cut := strings.LastIndexByte(at.Path, '.')
	if !ok || cut < 0 {
		return nil
	}
	st := ssax.Pointee(load.X.(*ssa.FieldAddr).X.Type()).Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if p.kinds.exclude(field, st.Field(i).Origin()) {
			places = append(places, Var{Base: at.Base, Path: at.Path[:cut] + "." + strconv.Itoa(i)})
		}
	}
	return places
}
