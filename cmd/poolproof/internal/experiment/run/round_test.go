package run

import (
	"context"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
)

func TestLateComparisonsWaitForAllOthers(t *testing.T) {
	p := planOf("A", "B", "C", "D")
	p.Comparisons[1].Late, p.Comparisons[3].Late = true, true
	r := fakeRun(t, p, 100*plan.ComparisonCost)
	var got []string                            // benchmarks, a launch each
	left := map[int]int{0: 3, 1: 1, 2: 1, 3: 2} // launches until a comparison is decided
	r.launchOne = func(_ context.Context, i int) error {
		got = append(got, r.Plan.Comparisons[i].Benchmark)
		if left[i]--; left[i] == 0 {
			r.Results[i].Want = nil
		}
		return nil
	}
	if err := r.Measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"A", "A", "A", "C", "B", "D", "D"}; !slices.Equal(got, want) {
		t.Errorf("launches of %v, want %v", got, want)
	}
}
