package late

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// AfterLists asks of each list for uses of elements after all of it were put: of those that
// were read before, and of those that are read out of the list afterwards.
func AfterLists(fn *scene.Function) (questions []scene.Question) {
	for i := range fn.Lists {
		e := &fn.Lists[i]
		if e.Loop == nil {
			e.Put.Object = &events.Object{Func: fn.Out, Name: "an element of " + fn.BaseName(e.List)}
			if fn.BaseName(e.List) == "" {
				e.Put.Object.Name = "an element of the list"
			}
			fn.Out.Objects = append(fn.Out.Objects, e.Put.Object)
			e.Put.Object.Puts = append(e.Put.Object.Puts, fn.PutEvent(&e.Put))
		} else {
			e.Put.Roots = fn.PutRoots(&e.Put)
		}
		questions = append(questions, func() (found []scene.Found) {
			later := &relisted{fn: fn, e: e, seen: make(map[ssa.Value]bool)}
			if !e.Clears {
				fn.Walker.From(e.Start(), later)
			}
			for _, v := range members(fn.Code, e) {
				found = append(found, afterElement(fn, e, v, e.Start())...)
			}
			for _, read := range elements(fn.Code, e) {
				switch {
				case later.seen[read] && !replacedBefore(fn.Code, e, read.(ssa.Instruction)):
					found = append(found, afterElement(fn, e, read, read.(ssa.Instruction))...)
				case readBefore(fn.Code, e, read):
					found = append(found, afterElement(fn, e, read, e.Start())...)
				}
			}
			return found
		})
	}
	return questions
}

// elements returns what is read out of the list of e anywhere but in its loop.
func elements(fn *track.Code, e *track.Emptying) (reads []ssa.Value) {
	for _, b := range fn.F.Blocks {
		if e.Loop != nil && e.Loop.Block().Dominates(b) && ssax.Reaches(b, e.Loop.Block()) {
			continue
		}
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok && isElement(fn, e, v) {
				reads = append(reads, v)
			}
		}
	}
	return reads
}

func isElement(fn *track.Code, e *track.Emptying, v ssa.Value) bool {
	list, _, ok := ssax.Element(v)
	if !ok || !ssax.HasPointers(v.Type()) {
		return false
	}
	at, ok := fn.Program.Inside(list, "")
	return ok && at == e.List
}

// readBefore reports whether an element was read where it certainly is one of those
// that are put later.
func readBefore(fn *track.Code, e *track.Emptying, read ssa.Value) bool {
	from := read.(ssa.Instruction)
	if !ssax.MayPrecede(from, e.Start()) || ssax.MayPrecede(e.Start(), from) {
		return false
	}
	return !ssax.Any(ssax.Instrs(fn.F), func(instr ssa.Instruction) bool {
		return instr != e.Put.Call.Instr && ssax.MayPrecede(from, instr) && ssax.MayPrecede(instr, e.Start()) && fn.Replaces(instr, e.List)
	})
}

// replacedBefore reports whether elements may be others when one is read after all were
// put, be it in a loop that may have no round.
func replacedBefore(fn *track.Code, e *track.Emptying, read ssa.Instruction) bool {
	return ssax.Any(ssax.Instrs(fn.F), func(instr ssa.Instruction) bool {
		return instr != e.Put.Call.Instr && ssax.MayPrecede(e.Start(), instr) && ssax.MayPrecede(instr, read) && fn.Replaces(instr, e.List)
	})
}

// afterElement finds the first use of an element after all were put.
func afterElement(fn *scene.Function, e *track.Emptying, read ssa.Value, start ssa.Instruction) (found []scene.Found) {
	al := fn.AliasesOf(read)
	if al == nil {
		return found
	}
	first := fn.PutEvent(&e.Put)
	w := &track.Follower{Table: fn.Table, Al: al, Start: start, Rounds: isElement(fn.Code, e, read) && start != read.(ssa.Instruction)}
	w.Found = func(instr ssa.Instruction, t track.Touch, s *paths.State) bool {
		if instr == e.Put.Call.Instr {
			return false // the next round
		}
		if call, ok := instr.(ssa.CallInstruction); ok && t.Kind == events.Put && fn.IsCounted(call) {
			return true
		}
		second := fn.Event(t.Kind, instr)
		second.How, second.What = t.How, t.What
		found = append(found, fn.Found(&e.Put, events.History{Events: []events.Event{first, second}, Reach: events.Container}))
		return false
	}
	fn.Walker.From(start, w)
	return found
}

// relisted is a visitor that collects what is read out of a list while it is as it was.
type relisted struct {
	paths.Everywhere
	fn   *scene.Function
	e    *track.Emptying
	seen map[ssa.Value]bool
}

// Visit ends where elements may be others.
func (v *relisted) Visit(instr ssa.Instruction, _ *paths.State) bool {
	if made, ok := instr.(ssa.Value); ok && made == v.e.List.Base {
		return false // another list
	}
	if read, ok := instr.(ssa.Value); ok && isElement(v.fn.Code, v.e, read) {
		v.seen[read] = true
	}
	return !v.fn.Replaces(instr, v.e.List)
}

// Branch does not go into another round.
func (v *relisted) Branch(cond *ssa.If, taken bool, _ *paths.State) bool {
	return cond != v.e.Loop || !taken
}

// members returns the objects that are certainly in the list of which e puts each
// element, because they were given to what has the list as its elements:
// newMerged(a, b).
func members(fn *track.Code, e *track.Emptying) (list []ssa.Value) {
	made, ok := e.List.Base.(ssa.Instruction)
	elem := elemType(e.List)
	if !ok || elem == nil || made.Parent() != fn.F {
		return nil
	}
	for s := range ssax.Of[*ssa.Store](fn.F) {
		if !types.Identical(s.Val.Type(), elem) || !inLiteral(s.Addr) || !ssax.Before(s, e.Start()) {
			continue
		}
		root := fn.Program.Origin(s.Val)
		if at, ok := root.(ssa.Instruction); ok && at.Block() != nil && ssax.Reaches(at.Block(), at.Block()) {
			continue // several, of which this is one
		}
		al := fn.AliasesOf(root)
		if al == nil {
			continue
		}
		if info := al.Of(e.List.Base); info != nil && info.Holder && info.Must {
			list = append(list, root)
		}
	}
	return list
}

// inLiteral reports whether an address is of an element of a list that is written down,
// or of the arguments of a variadic call.
func inLiteral(addr ssa.Value) bool {
	index, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	array, ok := index.X.(*ssa.Alloc)
	return ok && (array.Comment == "varargs" || array.Comment == "slicelit")
}

// elemType returns the type of the elements of the list at a place, nil if it is not
// known.
func elemType(list memory.Var) types.Type {
	if !strings.HasSuffix(list.Path, "*") {
		return nil
	}
	t := ssax.Pointee(list.Base.Type())
	for _, step := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(list.Path, "."), "*"), ".") {
		if t == nil {
			return nil
		}
		st, ok := t.Underlying().(*types.Struct)
		i, err := strconv.Atoi(step)
		if !ok || err != nil || i >= st.NumFields() {
			return nil
		}
		t = st.Field(i).Type()
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}
