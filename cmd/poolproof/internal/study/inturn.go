package study

import (
	"cmp"
	"slices"
	"strings"
)

// InTurn lists benchmarks in the order in which a run that ends early has reached each function: the
// first of each, then the second of each. name gives the full name of one, as BenchmarkEncode/size=1K.
func InTurn[T any](all []T, name func(T) string) []T {
	type placed struct {
		of  T
		row int
	}
	seen := map[string]int{}
	order := make([]placed, len(all))
	for i, x := range all {
		top, _, _ := strings.Cut(name(x), "/")
		order[i] = placed{x, seen[top]}
		seen[top]++
	}
	slices.SortStableFunc(order, func(a, b placed) int { return cmp.Compare(a.row, b.row) })
	all = make([]T, len(order))
	for i, p := range order {
		all[i] = p.of
	}
	return all
}
