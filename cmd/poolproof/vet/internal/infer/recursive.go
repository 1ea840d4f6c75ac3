package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// A function that calls itself puts what it is given if it does so wherever the
// inner call does: calls that return end somewhere, and there it was put. Looked at
// one after the other, such functions would wait for each other for ever. So it is
// assumed of all functions of a cycle that they put what they may put, and an
// assumption that does not follow from the others is given up, until all do.

// assume learns what the functions of a cycle put on every path, and reports
// whether that is more than was known.
func (r *run) assume(cycle []*ssa.Function) bool {
	known := make([]*summary.Summary, len(cycle))
	assumed := make([]summary.Mask, len(cycle))
	more := false
	for i, f := range cycle {
		known[i] = r.p.Own(f)
		assumed[i] = known[i].MayPut &^ known[i].MustPut
		for _, t := range known[i].Told {
			assumed[i] &^= summary.Bit(t.Param) // some paths leave it, and say so
		}
		more = more || assumed[i] != 0
	}
	for more {
		more = false
		for i, f := range cycle {
			s := *known[i]
			s.MustPut |= assumed[i]
			s.Release |= assumed[i]
			r.p.SetOwn(f, &s)
		}
		follows := true
		learned := make([]*summary.Summary, len(cycle))
		for i, f := range cycle {
			learned[i] = r.learn(f)
			if held := assumed[i] & learned[i].MustPut; held != assumed[i] {
				assumed[i], follows = held, false
			}
			more = more || assumed[i] != 0
		}
		if follows {
			for i, f := range cycle {
				r.p.SetOwn(f, learned[i])
			}
			return true
		}
	}
	for i, f := range cycle {
		r.p.SetOwn(f, known[i])
	}
	return false
}

// cycles returns the functions that call each other in a circle, or themselves:
// the strongly connected components of the calls, callees first.
func cycles(order []*ssa.Function, callees map[*ssa.Function][]*ssa.Function) (found [][]*ssa.Function) {
	index := make(map[*ssa.Function]int) // from 1
	low := make(map[*ssa.Function]int)
	open := make(map[*ssa.Function]bool)
	var stack []*ssa.Function
	var visit func(f *ssa.Function, depth int)
	visit = func(f *ssa.Function, depth int) {
		index[f] = len(index) + 1
		low[f] = index[f]
		stack = append(stack, f)
		open[f] = true
		for _, callee := range callees[f] {
			switch {
			case index[callee] == 0 && depth < 500:
				visit(callee, depth+1)
				low[f] = min(low[f], low[callee])
			case open[callee]:
				low[f] = min(low[f], index[callee])
			}
		}
		if low[f] != index[f] {
			return
		}
		at := slices.Index(stack, f)
		cycle := slices.Clone(stack[at:])
		stack = stack[:at]
		for _, member := range cycle {
			open[member] = false
		}
		if len(cycle) > 1 || slices.Contains(callees[f], f) {
			slices.Reverse(cycle)
			found = append(found, cycle)
		}
	}
	for _, f := range order {
		if index[f] == 0 {
			visit(f, 0)
		}
	}
	return found
}
