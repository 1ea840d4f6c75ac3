package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// box is a parameter that is stored in a pooled object which the function got.
type box struct {
	index int
	root  ssa.Value
	at    ssa.Instruction
	addr  ssa.Value
}

// emptied reports whether a box may hold something else when it is put than what
// was stored in it: that was only lent to the box.
func emptied(l *function, b box, put ssa.Instruction) bool {
	place, ok := l.p.Place(b.addr)
	if !ok {
		return false
	}
	if clearedBy(l.p, put, b.root, fieldOf(b.addr)) {
		return true
	}
	return slices.ContainsFunc(l.p.StoresTo(l.f, place), func(s *ssa.Store) bool {
		return s != b.at && mayPrecede(b.at, s) && mayPrecede(s, put) && !l.comesFrom(s.Val, l.f.Params[b.index])
	})
}

// fieldOf returns the field of a box that memory is stored in, summary.All if the box is a
// pointer to a slice.
func fieldOf(addr ssa.Value) int {
	if field, ok := addr.(*ssa.FieldAddr); ok {
		return field.Field
	}
	return summary.All
}

// clearedBy reports whether a call that puts a box overwrites a field of it first.
func clearedBy(p *flow.Program, put ssa.Instruction, box ssa.Value, field int) bool {
	return slices.ContainsFunc(flow.Overwrites(p, put), func(o flow.Overwrite) bool { return !o.Nested && o.Covers(field) && p.Origin(o.Base) == box })
}

// isFreshBox reports whether a slice parameter is put in a struct that is made for
// it: the pool gets the slice.
func isFreshBox(l *function, p param, arg ssa.Value) bool {
	if p.index >= len(l.f.Params) || !ssax.IsSlice(l.f.Params[p.index].Type()) {
		return false
	}
	m, ok := arg.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	alloc, ok := m.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	_, isStruct := ssax.Pointee(alloc.Type()).Underlying().(*types.Struct)
	return isStruct
}

// carries reports whether a pooled object that the function got is a mere box:
// nothing is done with it but to store in it and to put it. What is stored in an
// object that does some work in between is still the caller's when that is put.
func carries(l *function, v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen == nil {
		seen = make(map[ssa.Value]bool)
	}
	if seen[v] {
		return true
	}
	seen[v] = true
	return ssax.Only(v, func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.TypeAssert, *ssa.MakeInterface, *ssa.ChangeType, *ssa.Phi, *ssa.Extract:
			return carries(l, use.(ssa.Value), seen)
		case *ssa.FieldAddr:
			return onlyStored(use)
		case *ssa.Store:
			return use.Addr == v
		case *ssa.BinOp, *ssa.If:
			return true
		case ssa.CallInstruction:
			return boxing(l.p, use, v)
		}
		return false
	})
}

// onlyStored reports whether a field is written, and read for its size at most.
func onlyStored(field *ssa.FieldAddr) bool {
	return ssax.Only(field, func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Store:
			return use.Addr == field
		case *ssa.UnOp:
			return onlyMeasured(use, field)
		}
		return false
	})
}

// onlyMeasured reports whether a slice that is read from a field is used for its length and
// capacity only, compared with nil, or cut and stored there again.
func onlyMeasured(v ssa.Value, field *ssa.FieldAddr) bool {
	return ssax.IsSlice(v.Type()) && ssax.Only(v, func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Slice:
			return onlyMeasured(use, field)
		case *ssa.Store:
			at, ok := use.Addr.(*ssa.FieldAddr)
			return ok && at.X == field.X && at.Field == field.Field
		case *ssa.BinOp:
			return true
		case *ssa.Call:
			b, ok := use.Call.Value.(*ssa.Builtin)
			return ok && (b.Name() == "len" || b.Name() == "cap")
		}
		return false
	})
}

// boxing reports whether a call does no more with a box than to put it, or to store in it.
func boxing(p *flow.Program, call ssa.CallInstruction, box ssa.Value) bool {
	c := p.Resolve(call)
	for i, arg := range c.Args {
		if arg == box && (!c.Summary.Gives(i) || c.Summary.Works.Has(i)) && !c.Summary.Fills.Has(i) {
			return false
		}
	}
	return ssax.HasPointers(box.Type())
}

// fills learns which parameters the function stores others in, and does nothing else
// with: a setter. One that also works on what it has stored only borrows it, and so does
// one that puts the parameter after it.
func (l *learner) fills() {
	for i, prm := range l.f.Params {
		_, stores := l.s.Stored(i)
		switch puts := l.s.Gives(i); {
		case puts && ssax.Pointee(prm.Type()) != nil && !carries(l.function, prm, nil):
			l.s.Works |= summary.Bit(i)
		case stores && !l.s.MayPut.Has(i) && !l.s.Retains.Has(i) && carries(l.function, prm, nil):
			l.s.Fills |= summary.Bit(i)
		}
	}
}

// isBox reports whether a slice parameter is stored in a pooled object that only
// carries slices: behind a pointer to a slice, or in a field.
func isBox(l *function, p param, at, root ssa.Value) bool {
	if p.index >= len(l.f.Params) || !ssax.IsSlice(l.f.Params[p.index].Type()) || p.Field != flow.None || p.May {
		return false
	}
	if field, ok := at.(*ssa.FieldAddr); ok {
		at = field.X
	}
	return l.p.Origin(at) == root
}
