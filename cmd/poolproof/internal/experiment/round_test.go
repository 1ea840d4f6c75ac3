package experiment

import (
	"context"
	"slices"
	"testing"
)

func TestLateComparisonsWaitForAllOthers(t *testing.T) {
	p := planOf("A", "B", "C", "D")
	p.Comparisons[1].Late, p.Comparisons[3].Late = true, true
	r := fakeRun(t, p, 100*ComparisonCost)
	var got []string                            // benchmarks, a launch each
	left := map[int]int{0: 3, 1: 1, 2: 1, 3: 2} // launches until a comparison is decided
	r.launchOne = func(_ context.Context, i int) error {
		got = append(got, r.plan.Comparisons[i].Benchmark)
		if left[i]--; left[i] == 0 {
			r.results[i].Want = nil
		}
		return nil
	}
	if err := r.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"A", "C", "A", "A", "B", "D", "D"}; !slices.Equal(got, want) {
		t.Errorf("launches of %v, want %v", got, want)
	}
}
