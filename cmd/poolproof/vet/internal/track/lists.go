package track

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Emptying is where each element of a list is put: a loop over all of it, or a call
// of a function with such a loop.
type Emptying struct {
	Put    Put
	List   memory.Var // what the elements are in
	Clears bool       // the list does not refer to them afterwards
	Loop   *ssa.If    // of a loop: its condition; nil of a call
}

// Start is the instruction behind which the elements are put, if the condition of the
// loop says that it is over.
func (e *Emptying) Start() ssa.Instruction {
	if e.Loop == nil {
		return e.Put.Call.Instr
	}
	instrs := e.Loop.Block().Instrs
	return instrs[len(instrs)-2] // the comparison, at least
}

// Emptyings finds the lists whose elements the function puts.
func (fn *Code) Emptyings() (list []Emptying) {
	for _, p := range fn.Puts {
		if call, ok := p.Call.Instr.(*ssa.Call); ok && p.Certain && !p.Captured && p.Told == nil && !flow.Counted(fn.Program, call) {
			if e, ok := fn.loopOver(p); ok {
				list = append(list, e)
			}
		}
	}
	for c := range fn.Program.Calls(fn.F) {
		if _, ok := c.Instr.(*ssa.Call); !ok {
			continue
		}
		for _, e := range c.Summary.Emptied {
			if at, ok := c.Place(fn.Program, e.Param, e.Path); ok {
				list = append(list, Emptying{Put: Put{Call: c, Certain: true}, List: at, Clears: e.Clears})
			}
		}
	}
	return list
}

// loopOver returns the list of which a put gives back the elements, if it is in a
// loop over all of them and reached in each round.
func (fn *Code) loopOver(p Put) (Emptying, bool) {
	root := fn.Program.Origin(p.Arg)
	list, at, ok := ssax.Element(root)
	if !ok || ssax.IsPointer(list.Type()) {
		return Emptying{}, false
	}
	e := Emptying{Put: p}
	if e.List, ok = fn.Program.Inside(list, ""); !ok {
		return Emptying{}, false
	}
	for _, b := range fn.F.Blocks {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || len(b.Instrs) < 2 || !fn.overAll(cond.Cond, list, at) {
			continue
		}
		for _, pred := range b.Preds {
			if b.Dominates(pred) && !p.Call.Instr.Block().Dominates(pred) {
				return Emptying{}, false // some are left out
			}
		}
		e.Loop = cond
	}
	if e.Loop == nil || !ssax.Reaches(p.Call.Instr.Block(), e.Loop.Block()) {
		return Emptying{}, false
	}
	e.Clears = ssax.Any(ssax.Instrs(fn.F), func(instr ssa.Instruction) bool {
		return e.Loop.Block().Dominates(instr.Block()) && ssax.Reaches(instr.Block(), e.Loop.Block()) && fn.Replaces(instr, e.List)
	})
	return e, true
}

// overAll reports whether a condition is that of a loop over all of a list, in whose
// rounds at is what says which element it is.
func (fn *Code) overAll(cond, list, at ssa.Value) bool {
	switch cond := cond.(type) {
	case *ssa.Extract:
		return cond.Index == 0 && cond.Tuple == at
	case *ssa.BinOp:
		if cond.Op != token.LSS || cond.X != at || !fromFirst(at) {
			return false
		}
		length, ok := cond.Y.(*ssa.Call)
		if !ok {
			return false
		}
		c := fn.Program.Resolve(length)
		return c.Builtin == "len" && fn.Program.KeyOf(c.Args[0]).Text == fn.Program.KeyOf(list).Text
	}
	return false
}

// fromFirst reports whether an index begins with that of the first element: a range
// counts from -1, and adds 1 first.
func fromFirst(at ssa.Value) bool {
	first := int64(0)
	if next, ok := at.(*ssa.BinOp); ok && next.Op == token.ADD {
		at, first = next.X, -1
	}
	phi, ok := at.(*ssa.Phi)
	return ok && slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { return ssax.IsInt(e, first) })
}

// Replaces reports whether an instruction may set elements of a list, or the list.
func (fn *Code) Replaces(instr ssa.Instruction, list memory.Var) bool {
	is := func(v ssa.Value) bool {
		if s, ok := v.(*ssa.Slice); ok {
			v = s.X
		}
		at, ok := fn.Program.Inside(v, "")
		return ok && at == list
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		if index, ok := instr.Addr.(*ssa.IndexAddr); ok && is(index.X) {
			return true
		}
		place, ok := fn.Program.Place(instr.Addr)
		return ok && list.Within(place) && place != list
	case *ssa.MapUpdate:
		return is(instr.Map)
	case ssa.CallInstruction:
		c := fn.Program.Resolve(instr)
		switch c.Builtin {
		case "len", "cap", "print", "println":
			return false
		case "":
			if fn.PassedOn(&c, list) {
				return true
			}
		}
		return slices.ContainsFunc(c.Args[:c.Captures], is)
	}
	return false
}
