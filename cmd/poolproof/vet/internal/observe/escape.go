package observe

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// escapes finds memory of an object that goes where it outlives the put: what is
// stored, sent or given to a goroutine before a put that must follow.
func (fn *function) escapes(p *put) {
	if al := fn.aliases(p); al != nil && walkable(al) {
		fn.escapesOf(p, al)
	}
}

// escapesOf is escapes for some of the object's aliases.
func (fn *function) escapesOf(p *put, al *alias.Set) {
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			how, v := fn.escape(al, instr)
			if how == events.Plain {
				continue
			}
			info := al.Of(v)
			if v == nil {
				info = &alias.Alias{Must: true, Field: flow.None}
			}
			if info.Holder && al.Emptied(v) {
				continue
			}
			if !info.Must || !fn.putAfter(p, instr, how == events.Started || how == events.Sent, al) {
				continue
			}
			if detached := fn.detachedBefore(al, p.call.Instr); info.Field != flow.None && detached[info.Field] && !p.call.Deferred() {
				continue
			}
			e := fn.event(events.Escape, instr)
			e.How = how
			h := events.History{Events: append(fn.getsOf(p), fn.putEvent(p), e), Reach: info.Reach}
			if how == events.Kept || fn.startsElsewhere(instr, al) {
				h.Reach = events.Container // the callee may let go of it again
			}
			fn.history(p, h)
		}
	}
}

// escape returns how an instruction lets the object out, and the alias that it
// lets out. Plain is not at all.
func (fn *function) escape(al *alias.Set, instr ssa.Instruction) (events.How, ssa.Value) {
	switch instr := instr.(type) {
	case *ssa.Store:
		info := al.Of(instr.Val)
		if info == nil || info.Args {
			return events.Plain, nil
		}
		how := fn.storedWhere(al, instr)
		if how != events.Plain && info.Holder {
			how = events.Collected
		}
		return how, instr.Val
	case *ssa.MapUpdate:
		for _, v := range []ssa.Value{instr.Value, instr.Key} {
			if info := al.Of(v); info != nil && !info.Args && (fn.outside(al, instr.Map) || returnedMap(fn.Program, instr)) && !fn.deleted(instr.Map) {
				return events.StoredMap, v
			}
		}
	case *ssa.Send:
		if info := al.Of(instr.X); info != nil && !info.Args {
			return events.Sent, instr.X
		}
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Send != nil && al.Of(s.Send) != nil && !al.Of(s.Send).Args {
				return events.Sent, s.Send
			}
		}
	case *ssa.Go:
		return fn.started(al, instr)
	case *ssa.Call:
		if how, v := fn.startedBy(al, instr); how != events.Plain {
			return how, v
		}
		if g, v := fn.lingering(al, instr); v != nil {
			if g.Sent {
				return events.Sent, v
			}
			return events.Started, v
		}
		return fn.keptBy(al, instr)
	}
	return events.Plain, nil
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

// startedBy is started for a callee that runs a function value in a goroutine.
func (fn *function) startedBy(al *alias.Set, instr *ssa.Call) (events.How, ssa.Value) {
	c := fn.Program.Resolve(instr)
	for i, arg := range c.Args {
		if i >= c.Captures || !c.Summary.Starts.Has(i) {
			continue
		}
		if made, ok := arg.(*ssa.MakeClosure); ok {
			return fn.startedCall(al, instr, fn.Program.Closure(instr, made))
		}
	}
	return events.Plain, nil
}

// keptBy returns whether a callee keeps the object, or stores it in something that
// outlives the function.
func (fn *function) keptBy(al *alias.Set, instr *ssa.Call) (events.How, ssa.Value) {
	c := fn.Program.Resolve(instr)
	if c.Builtin != "" || names.IsSetup(c.Name()) {
		return events.Plain, nil
	}
	for i, arg := range c.Args {
		info := al.Of(arg)
		if info == nil || info.Args || i >= c.Captures || c.Summary.Borrows.Has(i) || c.Summary.MayPut.Has(i) || c.Summary.RefPut.Has(i) || c.Summary.Gives(i) {
			continue
		}
		if info.Holder {
			if _, isLiteral := arg.(*ssa.MakeClosure); !isLiteral {
				continue
			}
		}
		if c.Summary.Keeps.Has(i) && !fn.ownKeeper(&c, i) {
			return events.Kept, arg
		}
	}
	return events.Plain, nil
}

// ownKeeper reports whether what keeps argument i is the function's own: another
// argument, made here.
func (fn *function) ownKeeper(c *flow.Call, i int) bool {
	own := false
	for _, into := range c.Summary.Into {
		if !(into.From | into.May).Has(i) || into.To >= c.Captures {
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
func (fn *function) storedWhere(al *alias.Set, s *ssa.Store) events.How {
	if at := al.Of(s.Addr); at != nil && !at.Holder {
		return events.Plain // the object in itself
	}
	place, ok := fn.Program.Place(s.Addr)
	if !ok {
		index, isIndex := s.Addr.(*ssa.IndexAddr)
		if isIndex && fn.outside(al, index.X) && al.Of(index.X) == nil {
			return events.StoredField
		}
		return events.Plain
	}
	alloc, isVariable := place.Base.(*ssa.Alloc)
	captured := isVariable && place.Local() && alloc.Parent() != fn.f
	if place.Local() && !captured || al.Of(place.Base) != nil {
		return events.Plain
	}
	if _, isParam := place.Base.(*ssa.Parameter); place.Path == "" && !isGlobal(place.Base) && !isParam && !captured {
		return events.Plain
	}
	if !captured && !fn.outside(al, place.Base) {
		return events.Plain
	}
	if inItsPlace(fn.Program, s.Val, place) {
		return events.Plain
	}
	// Overwritten elsewhere: it is lent for a time.
	for _, other := range fn.Program.StoresTo(fn.f, place) {
		if other != s {
			return events.Plain
		}
	}
	for _, addr := range []ssa.Value{place.Base} {
		if fn.resetLater(addr, s) {
			return events.Plain
		}
	}
	if isGlobal(place.Base) {
		return events.StoredGlobal
	}
	return events.StoredField
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
func (fn *function) deleted(m ssa.Value) bool {
	key := fn.Program.KeyOf(m).Text
	for _, f := range fn.Program.Family(fn.f) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				c := fn.Program.Resolve(call)
				if (c.Builtin == "delete" || c.Builtin == "clear") && fn.Program.KeyOf(c.Args[0]).Text == key {
					return true
				}
			}
		}
	}
	return false
}

func isGlobal(v ssa.Value) bool {
	_, ok := v.(*ssa.Global)
	return ok
}

// outside reports whether memory is known to others than the function: it came
// as a parameter, a package variable or a captured variable; and is not itself a
// pooled object.
func (fn *function) outside(al *alias.Set, base ssa.Value) bool {
	outside := false
	for _, o := range fn.Program.Origins(base) {
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
	for i := range fn.puts {
		for _, r := range fn.puts[i].roots {
			if r == base {
				return false
			}
		}
	}
	return outside
}

// resetLater reports whether a callee overwrites the fields of what the object
// was stored in.
func (fn *function) resetLater(base ssa.Value, s *ssa.Store) bool {
	field, ok := s.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	for _, f := range fn.Program.Family(fn.f) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				c := fn.Program.Resolve(call)
				for i, arg := range c.Args {
					if (arg == base || arg == field.X) && detaches(&c, i, field.Field) {
						return true
					}
				}
			}
		}
	}
	return false
}

// started reports whether a go statement gives the object to a goroutine that
// uses it.
func (fn *function) started(al *alias.Set, instr *ssa.Go) (events.How, ssa.Value) {
	return fn.startedCall(al, instr, fn.Program.Resolve(instr))
}

func (fn *function) startedCall(al *alias.Set, instr ssa.Instruction, c flow.Call) (events.How, ssa.Value) {
	w := &follower{fn: fn, al: al, start: instr, place: fn.placeOf(al)}
	view := w.view(&paths.State{})
	if al.Root == nil && view.fields(&c).kind != 0 {
		return events.Started, nil
	}
	for i, arg := range c.Args {
		if i < c.Captures {
			if info := al.Of(arg); info != nil && !info.Args && !c.Summary.Gives(i) && !c.Summary.MayPut.Has(i) {
				return events.Started, arg
			}
			continue
		}
		alloc, ok := arg.(*ssa.Alloc)
		if !ok || c.Lit == nil || c.Summary.MayPut.Has(i) || c.Summary.RefPut.Has(i) || !w.held(memory.Var{Base: alloc}, &paths.State{}) {
			continue
		}
		if t := view.inside(c.Lit, alloc); t.kind == events.Use {
			return events.Started, t.value
		}
	}
	return events.Plain, nil
}
