package track

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Follower is a visitor that knows, on each path from an instruction, which
// values and places are the object's.
type Follower struct {
	*Table
	Al       *alias.Set
	Start    ssa.Instruction
	Detached map[int]bool // fields that the object has let go of before
	Place    memory.Var   // of an object that is known by its place alone
	Chosen   *ssa.SelectState
	Rounds   bool      // what the root was in any round of a loop is the object
	Owner    ssa.Value // the parameter that refers to the struct whose field holds the object, nil if that is not what the walk is about

	// Found is called with what an instruction does with the object. It reports
	// whether the path goes on.
	Found func(instr ssa.Instruction, t Touch, s *paths.State) bool
	// Defers is called where the deferred calls run.
	Defers func(instr ssa.Instruction, s *paths.State)
	// Leave is called at a return, before what it does is found. It may be nil.
	Leave func(ret *ssa.Return, s *paths.State)
	// Maybe is called where a callee puts the object on some of its paths, through a
	// struct whose field holds it. It may be nil.
	Maybe func()
}

// Visit is called with each instruction of a path.
func (w *Follower) Visit(instr ssa.Instruction, s *paths.State) bool {
	if v, ok := instr.(ssa.Value); ok && w.Al.Of(v) != nil {
		if v == w.Al.Root && ssax.Load(v) == nil {
			// Another object from here on. What still is the old one are variables
			// that carry it round the loop.
			if !w.carried(s) {
				return false
			}
			s.Note(reborn, true)
			s.Note(v, false)
			return true
		}
	}
	switch instr.(type) {
	case *ssa.RunDefers, *ssa.Panic:
		if w.Defers != nil {
			w.Defers(instr, s)
			return true
		}
	}
	if ret, ok := instr.(*ssa.Return); ok && w.Leave != nil {
		w.Leave(ret, s)
	}
	view := w.View(s)
	if call, ok := instr.(ssa.CallInstruction); ok && w.Maybe != nil && view.mayPut(call) {
		w.Maybe()
	}
	if t := view.touches(instr); t.Kind != 0 && !w.Found(instr, t, s) {
		return false
	}
	w.Note(instr, s)
	return true
}

// reborn is noted when a loop has come back to where the object was got.
const reborn = "reborn"

// carried reports whether anything that is not computed anew still is the object.
func (w *Follower) carried(s *paths.State) bool {
	found := false
	s.Noteds(func(what any, live bool) {
		phi, ok := what.(*ssa.Phi)
		if ok && live && w.Al.Of(phi) != nil && !w.Al.Of(phi).Holder {
			found = true
		}
	})
	return found
}

// Note keeps what is an alias after an instruction.
func (w *Follower) Note(instr ssa.Instruction, s *paths.State) {
	if v, ok := instr.(ssa.Value); ok && w.Al.Of(v) != nil && !w.Al.Of(v).Filled {
		live := false
		if load := ssax.Load(v); v == w.Al.Root && load != nil {
			place, ok := w.Program.Place(load.X)
			live = ok && w.Held(place, s)
		} else if alloc, isAlloc := v.(*ssa.Alloc); isAlloc {
			live = w.Al.IsWhole(alloc) && v != w.Al.Root
		} else if place, loaded := w.Al.Loaded(v); loaded {
			live = w.Held(place, s)
		} else if !w.Al.Never(v) {
			for _, source := range w.Al.Sources(v) {
				live = live || w.Live(source, s, 0)
			}
		}
		s.Note(v, live)
	}
	if v, ok := instr.(ssa.Value); ok {
		for _, place := range w.Al.Based(v) {
			s.Note(place, false) // of another struct, which is computed here
		}
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		place, ok := w.Program.Place(instr.Addr)
		if !ok || !w.Al.Holds(place) {
			if ok {
				w.overwritten(instr, place, s)
			}
			return
		}
		live := w.Live(instr.Val, s, 0)
		s.Note(place, live)
		if alloc, isAlloc := place.Base.(*ssa.Alloc); isAlloc && live && w.Al.Of(alloc) != nil {
			s.Note(ssa.Value(alloc), true)
		}
	case *ssa.Defer: // it runs at the end
	case ssa.CallInstruction:
		w.Ran(instr, s)
	}
}

// Ran notes what holds the object once a call has run, or may have begun to.
func (w *Follower) Ran(call ssa.CallInstruction, s *paths.State) {
	s.Ran(w.Program, call)
	w.assign(call, s)
	w.receive(call, s)
}

// assign notes the variables that hold the object once a call has run: literals that it
// runs assign what they capture. One to which they may assign something else no longer
// certainly holds it; one to which a literal that is passed, the body of a range over a
// function, assigns the object does.
func (w *Follower) assign(call ssa.CallInstruction, s *paths.State) {
	lit := w.Program.Resolve(call).Lit
	for _, place := range w.Al.Where(memory.Var.Variable) {
		if w.Program.MayAssign(call, place.Base.(*ssa.Alloc)) && (lit == nil || !w.Al.Assigned(lit, place)) {
			s.Note(place, false)
		}
	}
	if _, ok := call.(*ssa.Call); !ok {
		return
	}
	for _, arg := range call.Common().Args {
		made, ok := ssax.Strip(arg).(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for _, b := range made.Bindings {
			for _, place := range w.Al.Based(b) {
				if place.Local() && w.Al.Assigned(made.Fn.(*ssa.Function), place) {
					s.Note(place, true)
				}
			}
		}
	}
}

// overwritten notes which parts of a place hold the object after a store to it: those of a struct
// that is copied there, and no other.
func (w *Follower) overwritten(store *ssa.Store, to memory.Var, s *paths.State) {
	from, isCopy := w.Program.Copied(store)
	for _, part := range w.Al.Where(to.Holds) {
		source := part.Copied(to, from)
		s.Note(part, isCopy && w.Al.Holds(source) && w.Held(source, s))
	}
}

// receive ends what is known of the fields of what a call receives: it may set
// them anew.
func (w *Follower) receive(call ssa.CallInstruction, s *paths.State) {
	c := w.Program.Resolve(call)
	inner := c.Lit != nil
	var ended []memory.Var
	s.Noteds(func(what any, live bool) {
		v, isVar := what.(memory.Var)
		if !isVar || !live {
			return
		}
		if v.Local() {
			if inner && w.Program.Assigns(c.Lit, v) {
				ended = append(ended, v)
			}
			return
		}
		if w.PassedOn(&c, v) {
			ended = append(ended, v)
		}
	})
	if w.Place.Base != nil && w.Held(w.Place, s) && w.PassedOn(&c, w.Place) {
		ended = append(ended, w.Place)
	}
	for _, v := range ended {
		s.Note(v, false)
	}
}

// Merge is called with each phi on an edge.
func (w *Follower) Merge(phi *ssa.Phi, edge ssa.Value, s *paths.State) {
	if w.Al.Of(phi) != nil {
		rest, cut := ssax.Strip(edge).(*ssa.Slice)
		another := cut && ssa.Value(phi) == w.Al.Root && ssax.CutsOff(rest) // the next piece of a list
		s.Note(ssa.Value(phi), !another && w.Live(edge, s, 0))
	}
	if edge != ssa.Value(phi) {
		for _, place := range w.Al.Based(phi) {
			s.Note(place, false) // of another struct: the next one of a list
		}
	}
}

// Branch does not take edges on which there is no object.
func (w *Follower) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if state := ssax.Chosen(cond.Cond); w.Chosen != nil && state != nil && ssax.Choosing(cond.Cond) == w.Start {
		return taken == (state == w.Chosen)
	}
	x, isNil := ssax.NilTest(cond.Cond, taken)
	if isNil && w.Owner != nil && x == w.Owner {
		return false // then it holds nothing
	}
	return !isNil || !w.Live(x, s, 0)
}

// View returns what is known of the object at one point of a path.
func (w *Follower) View(s *paths.State) *View {
	return &View{
		Table: w.Table, al: w.Al,
		live: func(v ssa.Value) bool { return v != nil && w.Live(v, s, 0) },
		held: func(place memory.Var) bool { return w.Held(place, s) },
		eval: func(cond ssa.Value) (value, known bool) { return w.Paths.Eval(cond, s) },
	}
}
