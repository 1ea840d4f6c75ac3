package outlive

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Escapes finds memory of an object that goes where it outlives the put: what is
// stored, sent or given to a goroutine before a put that must follow.
func Escapes(fn *scene.Function, p *track.Put) []scene.Found {
	if al := fn.Aliases(p); al != nil {
		return EscapesOf(fn, p, al)
	}
	return nil
}

// EscapesOf is escapes for some of the object's aliases.
func EscapesOf(fn *scene.Function, p *track.Put, al *alias.Set) (found []scene.Found) {
	for instr := range ssax.Instrs(fn.F) {
		how, v := escape(fn, al, instr)
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
		if !info.Must || !fn.Paths.Reached(instr.Block()) || v != nil && fn.NilAt(instr, v) || !onSomePath(fn, al, instr, v) {
			continue
		}
		follows, always := putAfter(fn, p, instr, how == events.Started || how == events.Sent || how == events.Requested, al)
		if !follows {
			continue
		}
		_, field := v.(*ssa.FieldAddr) // which stays a part of the object, whatever it is set to
		if detached := fn.DetachedBefore(al, nil, p.Call.Instr); !field && info.Field != flow.None && detached[info.Field] && !p.Call.Deferred() {
			continue
		}
		e := fn.Event(events.Escape, instr)
		e.How = how
		if s, _ := sendOf(instr, al); s.State != nil {
			e.Pos, e.End = s.State.Pos, token.NoPos
		}
		h := events.History{Events: append(fn.GetsOf(p), fn.PutEvent(p), e), Reach: info.Reach}
		if how == events.Kept || how == events.Requested || startsElsewhere(fn.Code, instr, al) || !always {
			h.Reach = events.Container // the callee may let go of it again, or the goroutine is done by then
		}
		found = append(found, fn.Found(p, h))
	}
	return found
}

// escape returns how an instruction lets the object out, and the alias that it
// lets out. Plain is not at all.
func escape(fn *scene.Function, al *alias.Set, instr ssa.Instruction) (events.How, ssa.Value) {
	switch instr := instr.(type) {
	case *ssa.Send, *ssa.Select:
		if s, ok := sendOf(instr, al); ok {
			return events.Sent, s.Value
		}
	case *ssa.Store:
		info := al.Of(instr.Val)
		if info == nil || info.Args {
			return events.Plain, nil
		}
		how := storedWhere(fn.Code, al, instr)
		if how != events.Plain && info.Holder {
			how = events.Collected
		}
		return how, instr.Val
	case *ssa.MapUpdate:
		for _, v := range []ssa.Value{instr.Value, instr.Key} {
			if info := al.Of(v); info != nil && !info.Args && (outside(fn.Code, instr.Map) || returnedMap(fn.Program, instr)) && !deleted(fn.Code, instr.Map) {
				return events.StoredMap, v
			}
		}
	case *ssa.Go:
		return started(fn, al, instr)
	case *ssa.Call:
		if how, v := startedBy(fn, al, instr); how != events.Plain {
			return how, v
		}
		if g, v := lingering(fn.Code, al, instr); v != nil {
			if g.Sent {
				return events.Sent, v
			}
			return events.Started, v
		}
		if v := requested(fn.Code, al, instr); v != nil {
			return events.Requested, v
		}
		return keptBy(fn.Code, al, instr)
	}
	return events.Plain, nil
}

// onSomePath reports whether a value, merged or read from a variable, may be the object where an
// instruction uses it, and not the nil of each path that leads there.
func onSomePath(fn *scene.Function, al *alias.Set, use ssa.Instruction, v ssa.Value) bool {
	root, ok := al.Root.(ssa.Instruction)
	if v == nil || !ok || root.Parent() != fn.F {
		return true
	}
	v = ssax.Strip(v)
	_, merged := v.(*ssa.Phi)
	if load := ssax.Load(v); !merged && (load == nil || !ssax.Is[*ssa.Alloc](load.X)) || v == al.Root {
		return true
	}
	w := &pathTo{Follower: &track.Follower{Table: fn.Table, Al: al, Start: root}, use: use, v: v}
	w.Found = func(ssa.Instruction, track.Touch, *paths.State) bool { return true }
	walker := paths.Walker{Program: fn.Program, Budget: fn.Budget}
	return !walker.From(root, w) || w.live
}

// pathTo is a visitor that asks whether a value is the object where it is used.
type pathTo struct {
	*track.Follower
	use  ssa.Instruction
	v    ssa.Value
	live bool
}

// Visit looks at the value where a path comes to its use.
func (w *pathTo) Visit(instr ssa.Instruction, s *paths.State) bool {
	if instr == w.use {
		w.live = w.live || w.Live(w.v, s, 0)
		return false
	}
	return !w.live && w.Follower.Visit(instr, s)
}

// sendOf returns the first send by which an instruction sends the object.
func sendOf(instr ssa.Instruction, al *alias.Set) (sent ssax.Sent, ok bool) {
	for s := range ssax.Sends(instr) {
		if info := al.Of(s.Value); info != nil && !info.Args {
			return s, true
		}
	}
	return sent, false
}
