package run

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTheFirstVerdictDoesNotWaitForTheOtherComparisons(t *testing.T) {
	tests := map[string]struct {
		budget  time.Duration
		prepare func(r *Run)
		left    map[int]int // launches until a comparison is decided, of a second each
		want    []string
	}{
		"one after the other until the first is decided": {time.Minute, nil, map[int]int{0: 3, 1: 2, 2: 1}, []string{"A", "A", "A", "B", "C", "B"}},
		"for a quarter of the budget at most":            {12 * time.Second, nil, map[int]int{0: 5, 1: 1, 2: 1}, []string{"A", "A", "A", "A", "B", "C", "A"}},
		"for fifteen seconds at most":                    {time.Hour, nil, map[int]int{0: 17, 1: 1, 2: 1}, append(slices.Repeat([]string{"A"}, 16), "B", "C", "A")},
		"late ones wait": {time.Minute, func(r *Run) { r.Plan.Comparisons[0].Late = true },
			map[int]int{0: 1, 1: 2, 2: 1}, []string{"B", "B", "C", "A"}},
		"what cannot be measured is no verdict": {time.Minute, func(r *Run) { r.Plan.Comparisons[0].Invalid, r.Results[0].Want = "it is empty", nil },
			map[int]int{1: 2, 2: 1}, []string{"B", "B", "C"}},
		"a run that goes on has had it": {time.Minute, func(r *Run) { r.Records = []study.Record{{}} },
			map[int]int{0: 2, 1: 1, 2: 1}, []string{"A", "B", "C", "A"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := planOf("A", "B", "C")
			r := fakeRun(t, p, max(tt.budget, 3*plan.ComparisonCost))
			var got []string
			r.launchOne = func(_ context.Context, i int) error {
				got = append(got, r.Plan.Comparisons[i].Benchmark)
				r.spent += time.Second
				if tt.left[i]--; tt.left[i] == 0 {
					r.Results[i].Want = nil
				}
				return nil
			}
			if tt.prepare != nil {
				tt.prepare(r)
			}
			if err := r.Measure(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("launches of %v, want %v", got, tt.want)
			}
		})
	}
}
