package rooms

import (
	"math/bits"
	"slices"
)

// mostExact is the size of the largest cycle of files whose order is searched
// exactly, in a table with a place for each set of them.
const mostExact = 20

// Order arranges the nodes of a graph, given by the successors of each, so that
// as few edges as possible lead from a later node to an earlier one. Within a set
// of more than 20 nodes that all reach each other the number may be larger than
// the least, and no exchange of a single node makes it smaller. Equal graphs get
// equal orders.
func Order(successors [][]int) []int {
	var order []int
	for _, part := range components(successors) {
		if len(part) <= mostExact {
			order = append(order, exact(successors, part)...)
		} else {
			order = append(order, settled(successors, part)...)
		}
	}
	return order
}

// components are the sets of nodes that reach each other, those that lead to
// others first (Tarjan 1972).
func components(successors [][]int) [][]int {
	var (
		parts   [][]int
		stack   []int
		on      = make([]bool, len(successors))
		number  = make([]int, len(successors)) // 0: not visited
		lowest  = make([]int, len(successors))
		visited int
		visit   func(v int)
	)
	visit = func(v int) {
		visited++
		number[v], lowest[v] = visited, visited
		stack, on[v] = append(stack, v), true
		next := slices.Sorted(slices.Values(successors[v]))
		for _, w := range next {
			if number[w] == 0 {
				visit(w)
				lowest[v] = min(lowest[v], lowest[w])
			} else if on[w] {
				lowest[v] = min(lowest[v], number[w])
			}
		}
		if lowest[v] != number[v] {
			return
		}
		at := slices.Index(stack, v)
		part := slices.Sorted(slices.Values(stack[at:]))
		for _, w := range part {
			on[w] = false
		}
		stack, parts = stack[:at], append(parts, part)
	}
	for v := range successors {
		if number[v] == 0 {
			visit(v)
		}
	}
	slices.Reverse(parts) // Tarjan finds those that are led to first
	return parts
}

// exact finds the best order of few nodes: least[set] is the number of edges
// back if the nodes of the set stand first, in their best order.
func exact(successors [][]int, part []int) []int {
	n := len(part)
	to := make([]uint, n) // successors within the part, as a set
	for i, v := range part {
		for _, w := range successors[v] {
			if j := slices.Index(part, w); j >= 0 && j != i {
				to[i] |= 1 << j
			}
		}
	}
	least := make([]int32, 1<<n)
	last := make([]int8, 1<<n)
	for set := uint(1); set < 1<<n; set++ {
		least[set] = -1
		for i := range n {
			if set&(1<<i) == 0 {
				continue
			}
			before := set &^ (1 << i)
			if cost := least[before] + int32(bits.OnesCount(to[i]&before)); least[set] < 0 || cost < least[set] {
				least[set], last[set] = cost, int8(i)
			}
		}
	}
	order := make([]int, n)
	for set, at := uint(1<<n-1), n-1; at >= 0; at-- {
		i := last[set]
		order[at] = part[i]
		set &^= 1 << i
	}
	return order
}

// settled orders many nodes: those with the most edges out more than in first,
// then each is moved to its best place until none wants to move.
func settled(successors [][]int, part []int) []int {
	edge := map[[2]int]int{}
	surplus := map[int]int{}
	for _, v := range part {
		for _, w := range successors[v] {
			if v != w && slices.Contains(part, w) && edge[[2]int{v, w}] == 0 {
				edge[[2]int{v, w}] = 1
				surplus[v]++
				surplus[w]--
			}
		}
	}
	order := slices.Clone(part)
	slices.SortStableFunc(order, func(a, b int) int { return surplus[b] - surplus[a] })
	for moved := true; moved; {
		moved = false
		for _, v := range part {
			at := slices.Index(order, v)
			best, gain, sum := at, 0, 0
			for i := at - 1; i >= 0; i-- { // upwards: edges back to what stands there become edges down
				sum += edge[[2]int{v, order[i]}] - edge[[2]int{order[i], v}]
				if sum > gain {
					best, gain = i, sum
				}
			}
			sum = 0
			for i := at + 1; i < len(order); i++ {
				sum += edge[[2]int{order[i], v}] - edge[[2]int{v, order[i]}]
				if sum > gain {
					best, gain = i, sum
				}
			}
			if best != at {
				order = slices.Insert(slices.Delete(order, at, at+1), best, v)
				moved = true
			}
		}
	}
	return order
}
