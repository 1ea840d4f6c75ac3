package memory

import (
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Places knows the places of the functions of one package. What it finds it keeps, and
// so it is used by one goroutine.
type Places struct {
	makers   map[*ssa.Function]*ssa.MakeClosure
	stores   map[*ssa.Alloc]*Stores
	families map[*ssa.Function]*Family
	seen     map[read]Seen
	outlived map[*ssa.UnOp]bool

	functions map[any][]ssa.Value // package variables and fields: what they are set to
	owned     map[*types.Var]bool // fields with a buffer that is the struct's own, or not
	flags     flags
	kinds     kinds
}

// Place returns the variable at an address.
func (p *Places) Place(addr ssa.Value) (Var, bool) {
	return selector{p, 0}.place(addr)
}

// MaxPath bounds how far selectors are followed: x.a.b.c.d.
const MaxPath = 8

// selector follows selectors to a place: so many are followed.
type selector struct {
	p     *Places
	depth int
}

func (s selector) place(addr ssa.Value) (Var, bool) {
	if s.depth > MaxPath {
		return Var{}, false
	}
	switch addr := addr.(type) {
	case *ssa.Alloc, *ssa.Global:
		return Var{Base: addr}, true
	case *ssa.FreeVar:
		return Var{Base: s.p.captured(addr)}, true
	case *ssa.FieldAddr:
		return s.part(addr.X, "."+strconv.Itoa(addr.Field))
	case *ssa.IndexAddr:
		index, ok := addr.Index.(*ssa.Const)
		if !ok || !ssax.IsPointer(addr.X.Type()) {
			return Var{}, false
		}
		return s.part(addr.X, "["+index.Value.ExactString()+"]")
	case *ssa.ChangeType:
		return s.inner().place(addr.X)
	case *ssa.Parameter, *ssa.TypeAssert, *ssa.Extract, *ssa.Call, *ssa.Phi:
		return Var{Base: addr}, true
	case *ssa.UnOp:
		if ssax.IsLoad(addr) {
			v, ok := s.inner().place(addr.X)
			v.Path += "*"
			return v, ok
		}
	}
	return Var{}, false
}

func (s selector) inner() selector { return selector{s.p, s.depth + 1} }

// part returns the part of what base points to.
func (s selector) part(base ssa.Value, step string) (Var, bool) {
	switch base := base.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
		v, ok := s.inner().place(base)
		v.Path += step
		return v, ok
	}
	if load := ssax.Load(base); load != nil {
		if v, ok := s.inner().place(load.X); ok {
			if made := s.p.pointee(v); made != nil {
				return Var{Base: made, Path: step}, true
			}
			v.Path += "*" + step
			return v, true
		}
	}
	return Var{Base: base, Path: step}, true
}

// pointee returns the struct that a local variable points to, if that is always the same
// one: the variable is assigned once, the address of a struct that is made there. A literal
// that captures the variable makes it no other place.
func (p *Places) pointee(v Var) *ssa.Alloc {
	variable, ok := v.Base.(*ssa.Alloc)
	if !ok || v.Path != "" {
		return nil
	}
	s := p.Stores(variable)
	if s.Unknown || s.Inner || len(s.Whole) != 1 {
		return nil
	}
	made, ok := s.Whole[0].Val.(*ssa.Alloc)
	if b := s.Whole[0].Block(); !ok || b != variable.Block() && ssax.Reaches(b, b) {
		return nil // in a loop, it points to the struct of the round before at first
	}
	return made
}

// Inside returns the place at a path from what a value points to.
func (p *Places) Inside(v ssa.Value, path string) (Var, bool) {
	return selector{p, 0}.part(ssax.Strip(v), path)
}

// captured returns the variable that a function literal captures by v. If the
// literal is made at several places, v stays what it is.
func (p *Places) captured(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	made := p.Maker(fn)
	if made == nil {
		return v
	}
	for i, f := range fn.FreeVars {
		if f != v {
			continue
		}
		switch b := made.Bindings[i].(type) {
		case *ssa.FreeVar:
			return p.captured(b)
		default:
			return b
		}
	}
	return v
}

// Maker returns the one instruction that makes a closure of fn.
func (p *Places) Maker(fn *ssa.Function) *ssa.MakeClosure {
	if made, ok := p.makers[fn]; ok {
		return made
	}
	var made *ssa.MakeClosure
	if parent := fn.Parent(); parent != nil {
		for m := range ssax.Of[*ssa.MakeClosure](parent) {
			if m.Fn == fn {
				made = m
			}
		}
	}
	p.makers[fn] = made
	return made
}

// Stores returns the stores to a local variable.
func (p *Places) Stores(a *ssa.Alloc) *Stores {
	if s, ok := p.stores[a]; ok {
		return s
	}
	s := new(Stores)
	p.stores[a] = s
	s.collect(a, a, true)
	return s
}

// Copied returns the local variable whose value, a struct, a store copies.
func (p *Places) Copied(s *ssa.Store) (from Var, ok bool) {
	load := ssax.Load(s.Val)
	if load == nil {
		return Var{}, false
	}
	if _, isStruct := load.Type().Underlying().(*types.Struct); !isStruct {
		return Var{}, false
	}
	from, ok = p.Place(load.X)
	return from, ok && from.Local()
}
