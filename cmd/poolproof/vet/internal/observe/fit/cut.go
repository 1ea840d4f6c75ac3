package fit

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Cut finds a slice that is put without its beginning, which the function has cut off: the
// pool keeps what is left, and each round makes that smaller.
func Cut(fn *scene.Function, p *track.Put) []scene.Found {
	if p.Captured || p.Place.Base != nil {
		return nil
	}
	at := cutAt(fn.Code, p, ssax.Strip(p.Arg), make(map[ssa.Value]bool))
	if at == nil {
		return nil
	}
	e := fn.Event(events.Use, at)
	e.How = events.Cut
	return lostAt(fn, p, e)
}

// CutFields finds fields, or elements of lists in fields, of which the function cuts off the beginning, while
// the package puts what they hold, or the struct whose field it is and to which it gives no other slice.
func CutFields(fn *scene.Function) (found []scene.Found) {
	if fn.Out.Test {
		return nil
	}
	for s := range ssax.Of[*ssa.Store](fn.F) {
		if field := ssax.SliceField(s.Addr); !fn.Fields[field] && !fn.Shrinks[field] && !fn.Elements[ssax.ListField(s.Addr)] {
			continue
		}
		slice, ok := s.Val.(*ssa.Slice)
		if !ok || !ssax.CutsOff(slice) {
			continue
		}
		load := ssax.Load(slice.X)
		if load == nil || !sameAddress(fn.Program, load.X, s.Addr) {
			continue
		}
		e := fn.Event(events.Exit, s)
		e.How = events.CutField
		found = append(found, scene.Found{Of: fn.Object(s.Addr, nil, nil), History: events.History{Events: []events.Event{e}}})
	}
	return found
}

// sameAddress reports whether two addresses are the same field, or the same element of a list.
func sameAddress(p *flow.Program, a, b ssa.Value) bool {
	if at, ok := p.Place(a); ok {
		other, ok := p.Place(b)
		return ok && at == other
	}
	if x, y := ssax.Load(a), ssax.Load(b); x != nil && y != nil {
		return sameAddress(p, x.X, y.X)
	}
	x, ok := a.(*ssa.IndexAddr)
	y, both := b.(*ssa.IndexAddr)
	return ok && both && p.KeyOf(x.X).Text == p.KeyOf(y.X).Text && p.KeyOf(x.Index).Text == p.KeyOf(y.Index).Text
}

// cutAt returns where the beginning of what is put was cut off, nil if it was not. What is
// put is a slice that the function got, or a pointer to one.
func cutAt(fn *track.Code, p *track.Put, v ssa.Value, seen map[ssa.Value]bool) ssa.Instruction {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Slice:
		if withoutRoom(fn, x) || ssax.CutsOff(x) && got(fn, x.X) {
			return x
		}
		return cutAt(fn, p, ssax.Strip(x.X), seen)
	case *ssa.Phi:
		for _, edge := range x.Edges {
			if at := cutAt(fn, p, ssax.Strip(edge), seen); at != nil {
				return at
			}
		}
	case *ssa.UnOp:
		if stored := fn.Program.Stored(x); stored != v {
			return cutAt(fn, p, ssax.Strip(stored), seen)
		}
	}
	if fn.GetOf(v) == nil {
		return nil
	}
	var last *ssa.Store // *b = (*b)[n:]
	for s := range ssax.Of[*ssa.Store](fn.F) {
		if ssax.IsSlicePointer(s.Addr) && ssax.Strip(s.Addr) == v && ssax.MayPrecede(s, p.Call.Instr) && (last == nil || ssax.MayPrecede(last, s)) {
			last = s
		}
	}
	if last == nil {
		return nil
	}
	return cutAt(fn, p, ssax.Strip(last.Val), seen)
}

// withoutRoom reports whether a slice expression leaves no room after the elements: x[:len(x):len(x)].
func withoutRoom(fn *track.Code, s *ssa.Slice) bool {
	call, ok := s.Max.(*ssa.Call)
	if !ok || s.Low != nil {
		return false
	}
	c := fn.Program.Resolve(call)
	return c.Builtin == "len" && c.Args[0] == s.X
}

// got reports whether a slice is one that the function got, or behind a pointer that it got.
func got(fn *track.Code, v ssa.Value) bool {
	if load := ssax.Load(v); load != nil && fn.GetOf(ssax.Strip(load.X)) != nil {
		return true
	}
	return slices.ContainsFunc(fn.Program.Origins(v), func(o flow.Origin) bool { return fn.GetOf(o.Root) != nil && !o.Holds })
}
