package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

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
