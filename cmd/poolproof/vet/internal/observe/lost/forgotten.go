package lost

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Forgotten asks of each field that owns a pooled object, and that the function sets to nil or to
// another one, whether it loses the object that was there: the function has read what is in it, or
// has tested that it is not nil, and neither puts it nor hands it on. A function that is named as one
// which resets, and that other packages reach, meets an object there too.
func Forgotten(fn *scene.Function) (questions []scene.Question) {
	if fn.Out.Test {
		return nil
	}
	asked := make(map[memory.Var]bool)
	for store := range ssax.Of[*ssa.Store](fn.F) {
		if !fn.Owned(ssax.FieldVar(store.Addr)) {
			continue
		}
		if isNode(ssax.Pointee(store.Val.Type())) {
			continue // of a list: another node refers to it
		}
		place, ok := fn.Program.Place(store.Addr)
		if _, _, given := fn.Program.Given(fn.F, place); ok && given && !asked[place] {
			asked[place] = true
			questions = append(questions, func() []scene.Found { return forgotten(fn, place) })
		}
	}
	return questions
}

// isNode reports whether a struct has a field that points to another one of its kind.
func isNode(t types.Type) bool {
	if t == nil {
		return false
	}
	st, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < st.NumFields(); i++ {
		if next := ssax.Pointee(st.Field(i).Type()); next != nil && types.Identical(next, t) {
			return true
		}
	}
	return false
}

func forgotten(fn *scene.Function, place memory.Var) (found []scene.Found) {
	al := alias.At(fn.Program, fn.F, place)
	if al.Truncated {
		return nil
	}
	w := newKeeper(fn, track.Get{Call: flow.Call{Summary: new(summary.Summary)}}, al)
	v := &forgetting{of: w, place: place}
	if !fn.Walker.Entry(fn.F, v) {
		return nil
	}
	if i, path, _ := fn.Program.Given(fn.F, place); v.at == nil && (names.IsCleaning(fn.F.Name()) || names.IsSetup(fn.F.Name())) && fn.Fields[fieldOf(fn, place)] && called(fn, fn.F, i, path, 0) {
		s := new(paths.State)
		s.Note(there, true)
		v.onlyNil = true
		if !fn.Whole().EntryWith(fn.F, s, v) {
			return nil
		}
	}
	if v.at == nil {
		return nil
	}
	e := fn.Event(events.Exit, v.at)
	e.How = events.Forgets
	return []scene.Found{{Of: fn.Object(v.at.Addr, nil, nil), History: events.History{Events: []events.Event{e}}}}
}

// fieldOf returns the field at a place that the function sets.
func fieldOf(fn *scene.Function, place memory.Var) *types.Var {
	return ssax.FieldVar(fn.Program.StoresTo(fn.F, place)[0].Addr)
}

// called reports whether other packages call a function of the package, or one that passes its own
// parameter on to it, without any put of what is at a path from that parameter.
func called(fn *scene.Function, f *ssa.Function, prm int, path string, depth int) bool {
	if e, _ := fn.Program.Own(f).Field(prm, path); e.MayPut || e.Puts || e.Taken || names.IsPreparing(f.Name()) && token.IsExported(f.Name()) {
		return false
	}
	if token.IsExported(f.Name()) {
		return true
	}
	if depth > 3 {
		return false
	}
	for _, caller := range fn.Funcs {
		for c := range fn.Program.Calls(caller) {
			if c.Lit != f || prm >= c.Captures {
				continue
			}
			at, ok := c.Place(fn.Program, prm, path)
			if i, from, given := fn.Program.Given(caller, at); ok && given && called(fn, caller, i, from, depth+1) {
				return true
			}
		}
	}
	return false
}

// forgetting is a visitor that looks for an assignment to a field after which nothing ends what the
// field held.
type forgetting struct {
	of    *keeper
	place memory.Var
	at    *ssa.Store

	onlyNil bool // whether only assignments of nil count
}

// there is noted where the field certainly holds an object.
const there = "there"

// dropped is noted where an assignment has taken the object out of its field.
type dropped struct{ by *ssa.Store }

// stored is noted of what the field was set to, until that is computed anew.
type stored struct{ object ssa.Value }

// Visit ends a path where the object ends, or where a callee may have set the field.
func (v *forgetting) Visit(instr ssa.Instruction, s *paths.State) bool {
	w := v.of
	if made, ok := instr.(ssa.Value); ok {
		s.Drop(stored{made})
	}
	if w.ends[instr] != goesOn {
		return false
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		place, ok := w.fn.Program.Place(instr.Addr)
		if !ok || !v.place.Within(place) {
			return true
		}
		object := w.fn.Program.Origin(instr.Val)
		if again, _ := s.Noted(stored{object}); again {
			return true // it is there already
		}
		s.Noteds(func(what any, _ bool) {
			if before, ok := what.(stored); ok {
				s.Drop(before)
			}
		})
		got := w.fn.GetOf(object) != nil
		if is, _ := s.Noted(there); is && place == v.place && (ssax.IsNil(instr.Val) || got && !v.onlyNil) {
			s.Drop(there)
			s.Note(dropped{instr}, true)
		} else if place != v.place || !got || v.onlyNil || !onlyStored(instr.Val) {
			return false
		}
		if got {
			s.Note(there, onlyStored(instr.Val))
			s.Note(stored{object}, true)
		}
		return true
	case *ssa.Return:
		s.Noteds(func(what any, _ bool) {
			if by, ok := what.(dropped); ok && instr.Block() != w.fn.F.Recover {
				v.at = by.by
			}
		})
		return false
	case ssa.CallInstruction:
		c := w.fn.Program.Resolve(instr)
		if v.mayEnd(&c) {
			return false
		}
		w.fn.Each(&c, func(place memory.Var, e summary.FieldEffect) bool {
			if place == v.place && e.Uses {
				s.Note(there, true)
			}
			return true
		})
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.UnOp:
	default:
		return true
	}
	for op := range ssax.Operands(instr) {
		if info := w.al.Of(op); info != nil && !info.Holder {
			s.Note(there, true)
		}
	}
	return true
}

// onlyStored reports whether a value goes where one instruction stores it, and nowhere else.
func onlyStored(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch ref.(type) {
		case *ssa.Store, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// mayEnd reports whether a call may put what the field holds, or set the field.
func (v *forgetting) mayEnd(c *flow.Call) (ends bool) {
	fn := v.of.fn
	fn.Each(c, func(place memory.Var, e summary.FieldEffect) bool {
		ends = ends || place == v.place && (e.MayPut || e.Puts || e.Taken || e.Sets)
		return !ends
	})
	return ends || fn.PassedOn(c, v.place)
}

// Merge does nothing.
func (v *forgetting) Merge(*ssa.Phi, ssa.Value, *paths.State) {}

// Branch notes where the field is not nil. It goes nowhere where the function asks for the capacity of the
// object: what is too large is dropped on purpose.
func (v *forgetting) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	large := ssax.Computed(cond.Cond, func(x ssa.Value) (is, goOn bool) {
		call, ok := x.(*ssa.Call)
		if !ok {
			return false, true
		}
		c := v.of.fn.Program.Resolve(call)
		return strings.EqualFold(c.Name(), "cap"), false
	})
	if large {
		return false
	}
	if x, isNil := ssax.NilTest(cond.Cond, taken); x != nil && !isNil && v.of.al.Of(x) != nil {
		s.Note(there, true)
	}
	return v.of.Branch(cond, taken, s)
}
