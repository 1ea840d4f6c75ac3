package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// emptied reports whether a box may hold something else when it is put than what
// was stored in it: that was only lent to the box.
func emptied(l *function, b box, put ssa.Instruction) bool {
	place, ok := l.p.Place(b.addr)
	if !ok {
		return false
	}
	for _, s := range l.p.StoresTo(l.f, place) {
		if s != b.at && mayPrecede(b.at, s) && mayPrecede(s, put) && !l.comesFrom(s.Val, l.f.Params[b.index]) {
			return true
		}
	}
	return false
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
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.TypeAssert:
			if !carries(l, ref, seen) {
				return false
			}
		case *ssa.MakeInterface:
			if !carries(l, ref, seen) {
				return false
			}
		case *ssa.ChangeType:
			if !carries(l, ref, seen) {
				return false
			}
		case *ssa.Phi:
			if !carries(l, ref, seen) {
				return false
			}
		case *ssa.Extract:
			if !carries(l, ref, seen) {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyStored(ref) {
				return false
			}
		case *ssa.Store:
			if ref.Addr != v {
				return false
			}
		case *ssa.BinOp, *ssa.If, *ssa.DebugRef:
		case ssa.CallInstruction:
			if !boxing(l.p, ref, v) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyStored reports whether a field is written and not read.
func onlyStored(field *ssa.FieldAddr) bool {
	for _, ref := range *field.Referrers() {
		if s, ok := ref.(*ssa.Store); !ok || s.Addr != field {
			return false
		}
	}
	return true
}

// boxing reports whether a call puts a box, or does no more than to store in it.
func boxing(p *flow.Program, call ssa.CallInstruction, box ssa.Value) bool {
	c := p.Resolve(call)
	for i, arg := range c.Args {
		if arg == box && !c.Summary.Gives(i) && !c.Summary.Fills.Has(i) {
			return false
		}
	}
	return ssax.HasPointers(box.Type())
}

// fills learns which parameters the function stores others in, and does nothing else
// with: a setter. One that also works on what it has stored only borrows it.
func (l *learner) fills() {
	for i, prm := range l.f.Params {
		if _, stores := l.s.Stored(i); stores && !l.s.MayPut.Has(i) && !l.s.Retains.Has(i) && carries(l.function, prm, nil) {
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
