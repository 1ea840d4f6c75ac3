package observe

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// afterLists finds uses of elements after all of a list were put: those that were
// read before, and those that are read out of the list afterwards.
func (fn *function) afterLists(step func(func())) {
	for i := range fn.lists {
		e := &fn.lists[i]
		if e.loop == nil {
			e.put.object = &events.Object{Func: fn.out, Name: "an element of " + fn.baseName(e.list)}
			if fn.baseName(e.list) == "" {
				e.put.object.Name = "an element of the list"
			}
			fn.out.Objects = append(fn.out.Objects, e.put.object)
			e.put.object.Puts = append(e.put.object.Puts, fn.putEvent(&e.put))
		} else {
			e.put.roots = fn.putRoots(&e.put)
		}
		step(func() {
			later := &relisted{fn: fn, e: e, seen: make(map[ssa.Value]bool)}
			if !e.clears {
				fn.walker.From(e.start(), later)
			}
			for _, v := range fn.members(e) {
				fn.afterElement(e, v, e.start())
			}
			for _, read := range fn.elements(e) {
				switch {
				case later.seen[read] && !fn.replacedBefore(e, read.(ssa.Instruction)):
					fn.afterElement(e, read, read.(ssa.Instruction))
				case fn.readBefore(e, read):
					fn.afterElement(e, read, e.start())
				}
			}
		})
	}
}

// elements returns what is read out of the list of e anywhere but in its loop.
func (fn *Code) elements(e *emptying) (reads []ssa.Value) {
	for _, b := range fn.f.Blocks {
		if e.loop != nil && e.loop.Block().Dominates(b) && ssax.Reaches(b, e.loop.Block()) {
			continue
		}
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok && fn.isElement(e, v) {
				reads = append(reads, v)
			}
		}
	}
	return reads
}

func (fn *Code) isElement(e *emptying, v ssa.Value) bool {
	list, _, ok := element(v)
	if !ok || !ssax.HasPointers(v.Type()) {
		return false
	}
	at, ok := fn.Program.Inside(list, "")
	return ok && at == e.list
}

// readBefore reports whether an element was read where it certainly is one of those
// that are put later.
func (fn *Code) readBefore(e *emptying, read ssa.Value) bool {
	from := read.(ssa.Instruction)
	if !ssax.MayPrecede(from, e.start()) || ssax.MayPrecede(e.start(), from) {
		return false
	}
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if instr != e.put.call.Instr && ssax.MayPrecede(from, instr) && ssax.MayPrecede(instr, e.start()) && fn.replaces(instr, e.list) {
				return false
			}
		}
	}
	return true
}

// replacedBefore reports whether elements may be others when one is read after all were
// put, be it in a loop that may have no round.
func (fn *Code) replacedBefore(e *emptying, read ssa.Instruction) bool {
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if instr != e.put.call.Instr && ssax.MayPrecede(e.start(), instr) && ssax.MayPrecede(instr, read) && fn.replaces(instr, e.list) {
				return true
			}
		}
	}
	return false
}

// afterElement finds the first use of an element after all were put.
func (fn *function) afterElement(e *emptying, read ssa.Value, start ssa.Instruction) {
	al := fn.bounded(alias.Of(fn.Program, read))
	if al == nil {
		return
	}
	first := fn.putEvent(&e.put)
	w := &follower{Table: fn.Table, al: al, start: start, rounds: fn.isElement(e, read) && start != read.(ssa.Instruction)}
	w.found = func(instr ssa.Instruction, t touch, s *paths.State) bool {
		if instr == e.put.call.Instr {
			return false // the next round
		}
		if call, ok := instr.(ssa.CallInstruction); ok && t.kind == events.Put && fn.isCounted(call) {
			return true
		}
		second := fn.event(t.kind, instr)
		second.How, second.What = t.how, t.what
		fn.history(&e.put, events.History{Events: []events.Event{first, second}, Reach: events.Container})
		return false
	}
	fn.walker.From(start, &leaving{w, e})
}

// leaving is a follower that leaves a loop.
type leaving struct {
	*follower
	e *emptying
}

// Branch does not go into another round.
func (v *leaving) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if cond == v.e.loop {
		return !taken
	}
	return v.follower.Branch(cond, taken, s)
}

// relisted is a visitor that collects what is read out of a list while it is as it was.
type relisted struct {
	fn   *function
	e    *emptying
	seen map[ssa.Value]bool
}

// Visit ends where elements may be others.
func (v *relisted) Visit(instr ssa.Instruction, _ *paths.State) bool {
	if made, ok := instr.(ssa.Value); ok && made == v.e.list.Base {
		return false // another list
	}
	if read, ok := instr.(ssa.Value); ok && v.fn.isElement(v.e, read) {
		v.seen[read] = true
	}
	return !v.fn.replaces(instr, v.e.list)
}

// Merge does nothing.
func (v *relisted) Merge(*ssa.Phi, ssa.Value, *paths.State) {}

// Branch does not go into another round.
func (v *relisted) Branch(cond *ssa.If, taken bool, _ *paths.State) bool {
	return cond != v.e.loop || !taken
}
