package memory

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Given returns the parameter of f at whose path a place is: the parameter
// itself, or a variable that only ever holds it, because a literal captures it.
func (p *Places) Given(f *ssa.Function, place Var) (index int, path string, ok bool) {
	base, path := place.Base, place.Path
	if alloc, isVar := base.(*ssa.Alloc); isVar {
		s := p.Stores(alloc)
		if len(s.Whole) != 1 || s.Unknown || !strings.HasPrefix(path, "*") {
			return 0, "", false
		}
		base, path = s.Whole[0].Val, path[1:]
	}
	prm, ok := base.(*ssa.Parameter)
	if index = slices.Index(f.Params, prm); !ok || index < 0 {
		return 0, "", false
	}
	return index, path, true
}

// IsGiven reports whether a place is a variable that only ever holds a parameter.
func (v Var) IsGiven(p *Places) bool {
	s := v.setOnce(p)
	return s != nil && ssax.Is[*ssa.Parameter](s.Val)
}

// OnInput reports whether a value is computed from what the function was given, and nothing else.
func OnInput(v ssa.Value, p *Places) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Parameter:
		return true
	case *ssa.UnOp:
		place, ok := p.Place(v.X)
		return ssax.IsLoad(v) && ok && place.IsGiven(p) || !ssax.IsLoad(v) && v.Op != token.ARROW && OnInput(v.X, p)
	case *ssa.BinOp:
		return OnInput(v.X, p) && OnInput(v.Y, p)
	case *ssa.Convert:
		return OnInput(v.X, p)
	}
	return false
}

// SetBefore reports whether a place is a variable that is set once, and has been where a literal is made.
func (v Var) SetBefore(p *Places, made *ssa.MakeClosure) bool {
	s := v.setOnce(p)
	return s != nil && (s.Parent() != made.Parent() || ssax.Before(s, made))
}

// setOnce returns the one store to a variable, nil if there are others, or if it may be executed again.
func (v Var) setOnce(p *Places) *ssa.Store {
	variable, ok := v.Base.(*ssa.Alloc)
	if !ok || v.Path != "" {
		return nil
	}
	all := p.Stores(variable)
	if all.Unknown || all.Inner || len(all.Whole) != 1 || len(all.Part) > 0 {
		return nil
	}
	s := all.Whole[0]
	if s.Block() != variable.Block() && ssax.Reaches(s.Block(), s.Block()) {
		return nil
	}
	return s
}

// Only returns the value of a local variable that is assigned once, of which v is a load; nil if it is none.
func (p *Places) Only(v ssa.Value) ssa.Value {
	load := ssax.Load(v)
	if load == nil {
		return nil
	}
	place, ok := p.Place(load.X)
	if !ok || !place.Variable() {
		return nil
	}
	s := p.Stores(place.Base.(*ssa.Alloc))
	if s.Unknown || len(s.Whole) != 1 {
		return nil
	}
	return s.Whole[0].Val
}

// Stored returns what a load of a local variable certainly reads, v itself if that
// is not known. A variable that was set to what another one holds, or to what it held
// itself, as a result with a name is at a return, is followed to the value.
func (p *Places) Stored(v ssa.Value) ssa.Value {
	for range 10 {
		load := ssax.Load(v)
		if load == nil {
			return v
		}
		place, ok := p.Place(load.X)
		if !ok || !place.Local() {
			return v
		}
		s := LastStore(p, load, place)
		if s == nil {
			return v
		}
		v = s.Val
	}
	return v
}

// LastStore returns the store to place that a load certainly sees: to a part of a variable, one in
// the same block, or in the blocks that must come before it.
func LastStore(p *Places, load ssa.Instruction, place Var) *ssa.Store {
	block, variable := load.Block(), place.Base.(*ssa.Alloc)
	if block != nil && place.Path == "" && !p.Stores(variable).Unknown {
		return p.Seen(load, variable).Certain()
	}
	if block == nil || load.Parent() != variable.Parent() {
		return nil
	}
	at := slices.Index(block.Instrs, load)
	inner := p.Stores(variable).Inner
	for range 20 {
		for i := at - 1; i >= 0; i-- {
			switch instr := block.Instrs[i].(type) {
			case *ssa.Store:
				if v, ok := p.Place(instr.Addr); ok && v == place {
					return instr
				} else if ok && (v.Within(place) || place.Within(v)) {
					return nil
				}
			case ssa.CallInstruction:
				if inner {
					return nil
				}
			case *ssa.RunDefers:
				if inner {
					return nil
				}
			}
		}
		if len(block.Preds) != 1 {
			return nil
		}
		block = block.Preds[0]
		at = len(block.Instrs)
	}
	return nil
}

// StoredAt returns what is stored in a local variable, or in a part of one, be it with
// the struct around it: d := decoder{src: src}. It is earlier if an instruction that reads
// the place may see one of the values from an earlier round.
func (p *Places) StoredAt(place Var, at ssa.Instruction) (vals []ssa.Value, earlier bool) {
	return p.storedAt(place, at, 0)
}

func (p *Places) storedAt(place Var, at ssa.Instruction, depth int) (vals []ssa.Value, earlier bool) {
	variable := place.Base.(*ssa.Alloc)
	s := p.Stores(variable)
	for _, list := range [][]*ssa.Store{s.Whole, s.Part} {
		for _, store := range list {
			to, ok := p.Place(store.Addr)
			var here []ssa.Value
			switch {
			case !ok || !place.Within(to) || store.Parent() == at.Parent() && !ssax.MayPrecede(store, at):
			case to == place:
				if !ssax.IsNil(store.Val) && !Keeps(p, store, place) {
					here = []ssa.Value{store.Val}
				}
			case depth < MaxPath:
				if from, ok := p.Copied(store); ok && from.Base != place.Base {
					var before bool
					here, before = p.storedAt(place.Copied(to, from), store, depth+1)
					earlier = earlier || before
				}
			}
			for _, v := range here {
				earlier = earlier || EarlierRound(v, store, variable, at)
			}
			vals = append(vals, here...)
		}
	}
	return vals, earlier
}

// Keeps reports whether a store leaves in a place what it finds there, as a return does with a result
// that has a name.
func Keeps(p *Places, s *ssa.Store, place Var) bool {
	load := ssax.Load(s.Val)
	if load == nil {
		return false
	}
	from, ok := p.Place(load.X)
	return ok && from == place
}

// OverwrittenBy reports whether a literal assigns to a variable that it captures.
func (p *Places) OverwrittenBy(captured *ssa.FreeVar) bool {
	place, ok := p.Place(captured)
	return !ok || p.Assigns(captured.Parent(), place)
}

// Assigns reports whether a function, be it a literal, has a store to a place or to what it is a
// part of.
func (p *Places) Assigns(f *ssa.Function, place Var) bool {
	return slices.ContainsFunc(p.StoresTo(f, place), func(s *ssa.Store) bool { return s.Parent() == f })
}
