package outlive

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// keptBy returns whether a callee keeps the object, or stores it in something that
// outlives the function.
func keptBy(fn *track.Code, al *alias.Set, instr *ssa.Call) (events.How, ssa.Value) {
	c := fn.Program.Resolve(instr)
	if c.Builtin != "" || names.IsSetup(c.Name()) {
		return events.Plain, nil
	}
	for i, arg := range c.Args {
		info := al.Of(arg)
		if info == nil && holdsAt(fn, al, instr, arg) {
			arg, info = nil, &alias.Alias{}
		}
		if info == nil || info.Args || i >= c.Captures || c.Summary.Borrows.Has(i) || c.Summary.MayPut.Has(i) || c.Summary.RefPut.Has(i) || c.Summary.Gives(i) {
			continue
		}
		if info.Holder {
			if _, isLiteral := arg.(*ssa.MakeClosure); !isLiteral {
				continue
			}
		}
		if c.Summary.Keeps.Has(i) && !ownKeeper(fn, &c, i) {
			return events.Kept, arg
		}
	}
	return events.Plain, nil
}

// holdsAt reports whether a value is the address of a variable that certainly holds the object, and is
// assigned once.
func holdsAt(fn *track.Code, al *alias.Set, at ssa.Instruction, v ssa.Value) bool {
	variable, ok := ssax.Strip(v).(*ssa.Alloc)
	return ok && len(fn.Program.Stores(variable).Whole) == 1 && al.MustHold(at, memory.Var{Base: variable})
}

// ownKeeper reports whether what keeps argument i is the function's own: another
// argument, made here.
func ownKeeper(fn *track.Code, c *flow.Call, i int) bool {
	own := false
	for _, into := range summary.With(c.Summary.Into, i) {
		if into.To >= c.Captures {
			continue
		}
		for _, o := range fn.Program.Origins(c.Args[into.To]) {
			if o.Holds {
				own = true // a scanner that was made of a reader is not the reader
				continue
			}
			switch o.Root.(type) {
			case *ssa.Alloc, *ssa.Call, *ssa.Extract:
				own = true
			default:
				return false
			}
		}
	}
	return own
}

// storedWhere returns where a store puts the object, Plain if that is nowhere
// that outlives it.
func storedWhere(fn *track.Code, al *alias.Set, s *ssa.Store) events.How {
	if at := al.Of(s.Addr); at != nil && !at.Holder {
		return events.Plain // the object in itself
	}
	place, ok := fn.Program.Place(s.Addr)
	if !ok {
		index, isIndex := s.Addr.(*ssa.IndexAddr)
		if isIndex && outside(fn, index.X) && al.Of(index.X) == nil {
			return events.StoredField
		}
		return events.Plain
	}
	alloc, isVariable := place.Base.(*ssa.Alloc)
	captured := isVariable && place.Local() && alloc.Parent() != fn.F
	if place.Local() && !captured || al.Of(place.Base) != nil {
		return events.Plain
	}
	if _, isParam := place.Base.(*ssa.Parameter); place.Path == "" && !ssax.Is[*ssa.Global](place.Base) && !isParam && !captured {
		return events.Plain
	}
	if captured && place.Path == "" && !fn.Program.ReadAfter(s, alloc, fn.Paths.Reached) {
		return events.Plain
	}
	if !captured && !outside(fn, place.Base) {
		return events.Plain
	}
	if info := al.Of(s.Val); (info == nil || !info.Holder) && inItsPlace(fn.Program, s.Val, place) {
		return events.Plain
	}
	// Overwritten elsewhere: it is lent for a time.
	for _, other := range fn.Program.StoresTo(fn.F, place) {
		if other != s && !beforeLiteral(fn, other) && !leaves(fn.Program, other, s, place) {
			return events.Plain
		}
	}
	if resetLater(fn, place.Base, s) || waitedFor(fn, place.Base) {
		return events.Plain
	}
	if ssax.Is[*ssa.Global](place.Base) {
		return events.StoredGlobal
	}
	return events.StoredField
}

// beforeLiteral reports whether a store of the function around a literal only sets what the literal
// finds there: it is not reached again once the literal is made.
func beforeLiteral(fn *track.Code, store *ssa.Store) bool {
	made := fn.Program.Maker(fn.F)
	return made != nil && store.Parent() == made.Parent() && !ssax.MayPrecede(made, store)
}

// leaves reports whether a store leaves in a place what another one has put there: it stores again
// what it finds, as a return does with a result that has a name, or makes the list there longer.
// What was there before comes back by a store that has read it earlier.
func leaves(p *flow.Program, other, s *ssa.Store, place memory.Var) bool {
	v := other.Val
	if call, ok := v.(*ssa.Call); ok {
		if c := p.Resolve(call); c.Builtin == "append" {
			v = c.Args[0]
		}
	}
	load := ssax.Load(v)
	if load == nil || load.Parent() == s.Parent() && !ssax.Before(s, load) {
		return false
	}
	from, ok := p.Place(load.X)
	return ok && place == from
}

// inItsPlace reports whether a value is what its place held already, emptied or
// shortened: *list = (*list)[:0] makes no second owner.
func inItsPlace(p *flow.Program, v ssa.Value, place memory.Var) bool {
	load, ok := p.Origin(v).(*ssa.UnOp)
	if !ok || ssax.Load(load) == nil {
		return false
	}
	from, ok := p.Place(load.X)
	return ok && from == place
}

// deleted reports whether entries of a map are deleted in the function: what is
// stored there is lent for a time.
func deleted(fn *track.Code, m ssa.Value) bool {
	key := fn.Program.KeyOf(m).Text
	return flow.Any(fn.Program.FamilyCalls(fn.F), func(c *flow.Call) bool {
		return (c.Builtin == "delete" || c.Builtin == "clear") && fn.Program.KeyOf(c.Args[0]).Text == key
	})
}

// outside reports whether memory is known to others than the function: it came
// as a parameter, a package variable or a captured variable; and is not itself a
// pooled object.
func outside(fn *track.Code, base ssa.Value) bool {
	outside := false
	for _, o := range fn.Program.Origins(base) {
		if made, ok := o.Root.(ssa.Instruction); ok && made.Parent() != fn.F {
			outside = true // by the function around a literal
			continue
		}
		switch root := o.Root.(type) {
		case *ssa.Parameter, *ssa.Global, *ssa.FreeVar:
			outside = true
		case *ssa.UnOp:
			if place, ok := fn.Program.Place(root.X); ok && !place.Local() {
				switch place.Base.(type) {
				case *ssa.Parameter, *ssa.Global, *ssa.FreeVar:
					outside = true
				default:
					return false
				}
			} else if _, isFree := root.X.(*ssa.FreeVar); isFree {
				outside = true
			} else {
				return false
			}
		default:
			return false
		}
	}
	// What is put too, or is pooled, ends with it.
	for i := range fn.Puts {
		for _, r := range fn.Puts[i].Roots {
			if r == base {
				return false
			}
		}
	}
	return outside
}

// resetLater reports whether a callee overwrites the fields of what the object
// was stored in.
func resetLater(fn *track.Code, base ssa.Value, s *ssa.Store) bool {
	field, ok := s.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	return flow.AnyArg(fn.Program.FamilyCalls(fn.F), func(c *flow.Call, i int, arg ssa.Value) bool {
		return (arg == base || arg == field.X) && c.Summary.Detaches(i, field.Field)
	})
}

// returnedMap reports whether an update is the only one of a map which the function makes
// and returns. Another one may replace the entry, and so may a callee.
func returnedMap(p *flow.Program, update *ssa.MapUpdate) bool {
	f := update.Parent()
	made, ok := p.Origin(update.Map).(*ssa.MakeMap)
	if !ok {
		return false
	}
	returned := false
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MapUpdate:
				if instr != update && p.Origin(instr.Map) == ssa.Value(made) {
					return false
				}
			case ssa.CallInstruction:
				c := p.Resolve(instr)
				for _, arg := range c.Args {
					if c.Builtin == "" && p.Origin(arg) == ssa.Value(made) {
						return false
					}
				}
			case *ssa.Return:
				for _, r := range instr.Results {
					returned = returned || b != f.Recover && p.Origin(p.Stored(r)) == ssa.Value(made)
				}
			}
		}
	}
	return returned
}
