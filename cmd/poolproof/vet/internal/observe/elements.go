package observe

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// emptying is where each element of a list is put: a loop over all of it, or a call
// of a function with such a loop.
type emptying struct {
	put    put
	list   memory.Var // what the elements are in
	clears bool       // the list does not refer to them afterwards
	loop   *ssa.If    // of a loop: its condition; nil of a call
}

// start is the instruction behind which the elements are put, if the condition of the
// loop says that it is over.
func (e *emptying) start() ssa.Instruction {
	if e.loop == nil {
		return e.put.call.Instr
	}
	instrs := e.loop.Block().Instrs
	return instrs[len(instrs)-2] // the comparison, at least
}

// emptyings finds the lists whose elements the function puts.
func (fn *Code) emptyings() (list []emptying) {
	for _, p := range fn.puts {
		if call, ok := p.call.Instr.(*ssa.Call); ok && p.certain && !p.captured && p.told == nil && !flow.Counted(fn.Program, call) {
			if e, ok := fn.loopOver(p); ok {
				list = append(list, e)
			}
		}
	}
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			c := fn.Program.Resolve(call)
			for _, e := range c.Summary.Emptied {
				if e.Param >= c.Captures || e.Param >= len(c.Args) {
					continue
				}
				if at, ok := fn.Program.Inside(c.Args[e.Param], e.Path); ok {
					list = append(list, emptying{put: put{call: c, certain: true}, list: at, clears: e.Clears})
				}
			}
		}
	}
	return list
}

// loopOver returns the list of which a put gives back the elements, if it is in a
// loop over all of them and reached in each round.
func (fn *Code) loopOver(p put) (emptying, bool) {
	root := fn.Program.Origin(p.arg)
	list, at, ok := element(root)
	if !ok {
		return emptying{}, false
	}
	e := emptying{put: p}
	if e.list, ok = fn.Program.Inside(list, ""); !ok {
		return emptying{}, false
	}
	for _, b := range fn.f.Blocks {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || len(b.Instrs) < 2 || !fn.overAll(cond.Cond, list, at) {
			continue
		}
		for _, pred := range b.Preds {
			if b.Dominates(pred) && !p.call.Instr.Block().Dominates(pred) {
				return emptying{}, false // some are left out
			}
		}
		e.loop = cond
	}
	if e.loop == nil || !ssax.Reaches(p.call.Instr.Block(), e.loop.Block()) {
		return emptying{}, false
	}
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if e.loop.Block().Dominates(b) && ssax.Reaches(b, e.loop.Block()) && fn.replaces(instr, e.list) {
				e.clears = true
			}
		}
	}
	return e, true
}

// element returns the list of which a value is an element, and what says which.
func element(v ssa.Value) (list, at ssa.Value, ok bool) {
	if load := ssax.Load(v); load != nil {
		index, ok := load.X.(*ssa.IndexAddr)
		if !ok || !ssax.IsSlice(index.X.Type()) {
			return nil, nil, false
		}
		return index.X, index.Index, true
	}
	switch v := v.(type) {
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.Next:
			if r, ok := tuple.Iter.(*ssa.Range); ok && v.Index == 2 {
				return r.X, tuple, true
			}
		case *ssa.Lookup:
			return tuple.X, tuple.Index, v.Index == 0
		}
	case *ssa.Lookup:
		return v.X, v.Index, !v.CommaOk
	}
	return nil, nil, false
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
	if !ok {
		return false
	}
	for _, e := range phi.Edges {
		if c, ok := e.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == first {
			return true
		}
	}
	return false
}

// replaces reports whether an instruction may set elements of a list, or the list.
func (fn *Code) replaces(instr ssa.Instruction, list memory.Var) bool {
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
			if fn.passedOn(instr, list) {
				return true
			}
		}
		for i, arg := range c.Args {
			if i < c.Captures && is(arg) {
				return true
			}
		}
	}
	return false
}

// learnEmptied learns of which lists that the function is given it puts each element,
// whatever it returns.
func (fn learner) learnEmptied(s *summary.Summary) {
	var list []summary.Emptied
	for _, e := range fn.emptyings() {
		i, path, ok := fn.Program.Given(fn.f, e.list)
		if !ok || i >= 64 || !fn.always(e.start().Block()) {
			continue
		}
		clears := e.clears
		for _, b := range fn.f.Blocks {
			for _, instr := range b.Instrs {
				clears = clears || instr != e.put.call.Instr && ssax.MayPrecede(e.put.call.Instr, instr) && fn.replaces(instr, e.list)
			}
		}
		list = append(list, summary.Emptied{Param: i, Path: path, Clears: clears})
	}
	s.SetEmptied(list)
}

// always reports whether a block is on every path to a return.
func (fn learner) always(block *ssa.BasicBlock) bool {
	for _, b := range fn.f.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.f.Recover && !block.Dominates(b) {
			return false
		}
	}
	return true
}
