package infer

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// store notes what a store does with parameters.
func (l *learner) store(s *ssa.Store) {
	if !ssax.HasPointers(s.Val.Type()) {
		return
	}
	if place, ok := l.p.Place(s.Addr); ok && place.Local() {
		if alloc := place.Base.(*ssa.Alloc); alloc.Parent() == l.f {
			return // what becomes of the variable tells
		}
	}
	l.stored(s, s.Val, s.Addr)
}

// stored notes that v is stored where at points to.
func (l *learner) stored(instr ssa.Instruction, v, at ssa.Value) {
	l.keepUnlessLocal(v, at)
	l.collects(v)
	for _, p := range l.params(v) {
		if !p.May && p.Field == flow.None && stays(l.function, at) && !inside(l.function, p, at) {
			l.keeps = append(l.keeps, keep{p.index, instr})
		}
		if p.index >= len(l.f.Params) && (ssax.Is[*ssa.FreeVar](at) || inItself(l, p, at)) {
			continue // a captured variable assigned to a captured variable, or to its own field
		}
		l.storedIn(p, at, instr)
	}
}

// inItself reports whether an address is of a field that the captured variable refers to
// which is stored there: x.list = append(x.list, v).
func inItself(l *learner, p param, at ssa.Value) bool {
	field, ok := at.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	i, _, ok := l.captured(field.X)
	return ok && i == p.index
}

// stays reports whether what is stored at an address is still there when the
// function has returned, and seen by others: it is a package variable, or a field
// that a parameter refers to, and nothing else is stored there.
func stays(l *function, at ssa.Value) bool {
	place, ok := l.p.Place(at)
	if !ok {
		return false
	}
	switch place.Base.(type) {
	case *ssa.Parameter, *ssa.Global:
	default:
		return false
	}
	return len(l.p.StoresTo(l.f, place)) <= 1
}

// inside reports whether an address is of a field of the parameter that is stored
// there: what an object keeps of itself ends with it.
func inside(l *function, p param, at ssa.Value) bool {
	place, ok := l.p.Place(at)
	return ok && p.index < len(l.f.Params) && place.Base == ssa.Value(l.f.Params[p.index]) && !strings.Contains(place.Path, "*")
}

// keepers learns which parameters are stored on every path.
func (l *learner) keepers() {
	for _, k := range l.keeps {
		if bit := summary.Bit(k.index); len(l.returns) > 0 && ssax.Always(k.instr) && (l.s.MayPut|l.s.RefPut|l.s.Borrows)&bit == 0 {
			l.s.Keeps |= bit
		}
	}
}

// storedIn notes that an instruction stores parameter p where at points to.
func (l *learner) storedIn(p param, at ssa.Value, instr ssa.Instruction) {
	own := summary.Bit(p.index)
	into := false
	for _, target := range l.p.Origins(at) {
		switch root := target.Root.(type) {
		case *ssa.Parameter:
			i := slices.Index(l.f.Params, root)
			into = into || i >= 0
			if i >= 0 && i != p.index {
				f := summary.Flow{To: i, From: own, Holds: own}
				if p.May || target.May {
					f.From, f.May = 0, own
				}
				l.s.AddInto(f)
			}
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			into = true
		default:
			if l.gets[root] && !p.Holds && isBox(l.function, p, at, root) {
				l.boxes = append(l.boxes, box{p.index, root, instr, at})
			}
		}
	}
	if !into {
		l.s.Retains |= own
	}
}

func (l *learner) retain(v ssa.Value) {
	l.keep(v)
	l.collects(v)
	for _, p := range l.params(v) {
		l.s.Retains |= summary.Bit(p.index)
	}
}

// collects notes the lists of which v is an element, or which it was made longer by: what
// is stored of them stays.
func (l *learner) collects(v ssa.Value) {
	l.s.Collects |= l.lists(v)
	call, ok := v.(*ssa.Call)
	if !ok {
		return
	}
	if c := l.p.Resolve(call); c.Builtin != "append" || len(c.Args) != 2 {
		return
	}
	added := call.Call.Args[1]
	if array, ok := added.(*ssa.Slice); ok {
		if alloc, ok := array.X.(*ssa.Alloc); ok { // the values that are added, one by one
			for _, s := range l.p.Stores(alloc).Part {
				l.s.Collects |= l.lists(s.Val)
			}
			return
		}
	}
	if ssax.HasPointers(added.Type()) {
		l.s.Collects |= l.whollyOrPart(added)
	}
}

// lists returns the parameters of which a value may be an element: of a slice, an array
// or a map.
func (l *function) lists(v ssa.Value) (m summary.Mask) {
	l.mayBe(v, func(v ssa.Value) (next ssa.Value) {
		if list, _, ok := ssax.Element(v); ok {
			m |= l.whollyOrPart(list)
		} else if e, ok := v.(*ssa.Extract); ok {
			if assert, ok := e.Tuple.(*ssa.TypeAssert); ok {
				return assert.X
			}
		}
		return nil
	})
	return m
}

// whollyOrPart returns the parameters that a list may be, or be a piece of.
func (l *function) whollyOrPart(list ssa.Value) (m summary.Mask) {
	for _, p := range l.params(list) {
		if !p.Holds && (p.Field == flow.None || p.Field == summary.All) {
			m |= summary.Bit(p.index)
		}
	}
	return m
}

// closure notes the variables of a literal that goes elsewhere than into a call
// or a defer of this function, unless it is only lent and takes none of them.
func (l *learner) closure(made *ssa.MakeClosure) {
	if ssax.OnlyCalled(made) {
		return
	}
	lit := made.Fn.(*ssa.Function)
	own, lent := l.p.Own(lit), l.p.OnlyLent(made)
	for i, b := range made.Bindings {
		if prm := len(lit.Params) + i; lent && own != nil && own.Lingers == nil && !own.Takes(prm) && !own.Starts.Has(prm) {
			continue
		}
		for _, p := range l.contents(b) {
			l.s.Retains |= summary.Bit(p.index)
		}
		if _, isVar := b.(*ssa.Alloc); !isVar { // the receiver of a method value
			l.retain(b)
		}
	}
}

// reflected notes the parameters that a call of reflect stores, where no code says: v.Set(x)
// of a value that was made of them.
func (l *learner) reflected(c *flow.Call) {
	if c.Fn == nil || c.Fn.Pkg() == nil || c.Fn.Pkg().Path() != "reflect" {
		return
	}
	switch c.Fn.FullName() {
	case "(reflect.Value).Set", "(reflect.Value).SetMapIndex", "(reflect.Value).Send", "reflect.Append":
		for _, arg := range c.Args[1:] {
			l.s.Retains |= l.valueOf(arg)
		}
	}
}

// valueOf returns the parameters that a reflect.Value was made of.
func (l *learner) valueOf(v ssa.Value) (m summary.Mask) {
	l.mayBe(v, func(v ssa.Value) (next ssa.Value) {
		call, ok := v.(*ssa.Call)
		if !ok {
			return nil
		}
		c := l.p.Resolve(call)
		if c.Fn == nil || c.Fn.Pkg() == nil || c.Fn.Pkg().Path() != "reflect" || len(c.Args) == 0 {
			return nil
		}
		if c.Fn.FullName() != "reflect.ValueOf" {
			return c.Args[0] // of a part of the same value, or of what it points to
		}
		for _, p := range l.params(c.Args[0]) {
			m |= summary.Bit(p.index)
		}
		return nil
	})
	return m
}
