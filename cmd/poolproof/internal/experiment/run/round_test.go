package run

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
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

// What is hard to decide waits once it has used its share, so that the budget
// reaches the others; what they leave is for it.
func TestWhatIsHardToDecideKeepsNothingFromItsFirstLook(t *testing.T) {
	const launch = plan.ComparisonCost / 2
	p := planOf("hard", "A", "B", "C", "D")
	plan.Spend(&p, unknown, 2*plan.ComparisonCost) // reaches hard and A
	budget := 12 * plan.ComparisonCost
	r := fakeRun(t, p, budget)
	looks, last := map[string]int{}, map[string]int{}
	launches := 0
	r.launchOne = func(_ context.Context, i int) error {
		c := r.Plan.Comparisons[i]
		launches++
		looks[c.Benchmark]++
		last[c.Benchmark] = launches
		r.took(study.Record{Comparison: c.ID, Form: study.FormBursts, Seconds: launch.Seconds()})
		if i > 0 {
			r.Results[i].Want = nil
		}
		return nil
	}
	if err := r.Measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"A", "B", "C", "D"} {
		if looks[name] != 1 {
			t.Errorf("%s has %d launches, want 1", name, looks[name])
		}
	}
	if share := int((r.share() + launch - 1) / launch); last["D"] > share+4 {
		t.Errorf("D is launch %d of %d, want it among the first %d: hard has a share of %d", last["D"], launches, share+4, share)
	}
	if want := int(budget/launch) - 4; looks["hard"] != want {
		t.Errorf("hard has %d launches, want all %d that the others leave", looks["hard"], want)
	}
}

// A sitting that goes on knows what the earlier ones gave to each comparison.
func TestWhatAnEarlierSittingGaveCountsInTheShare(t *testing.T) {
	p := planOf("A", "B")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	rec := study.Record{Schema: study.Schema, Plan: p.Digest(), Comparison: p.Comparisons[0].ID, Form: study.FormBursts,
		Status: study.StatusFailed, Error: "no luck", Seconds: 61}
	r, err := New(&build.Set{}, ask.Options{Question: study.Question{Budget: time.Minute}}, p, nil, []study.Record{rec})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.rankOf(0); got != (rank{over: true}) {
		t.Errorf("A has rank %+v, want it over its share of %s", got, r.share())
	}
	if got := r.rankOf(1); got != (rank{}) {
		t.Errorf("B has rank %+v, want the first", got)
	}
}
