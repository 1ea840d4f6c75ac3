package run

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// fakeRun is a run of which nothing is recorded yet.
func fakeRun(t *testing.T, p study.Plan, budget time.Duration) *Run {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	r, err := New(&build.Set{}, ask.Options{Question: study.Question{Budget: budget}}, p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestALaunchIsAffordableWhileTheBudgetHasRoomForOneLikeIt(t *testing.T) {
	tests := []struct {
		name        string
		spent, last time.Duration
		once        time.Duration // of one operation of each side
		want        bool
	}{
		{"the first, while anything is left", 9999 * time.Millisecond, 0, 0, true},
		{"the first, with nothing left", 10 * time.Second, 0, 0, false},
		{"the first of operations that there is room for", 2 * time.Second, 0, 2 * time.Second, true},
		{"the first of operations that take longer than what is left", 3 * time.Second, 0, 2 * time.Second, false},
		{"another, with room for it", 8 * time.Second, 2 * time.Second, 0, true},
		{"another, with almost room for it", 8200 * time.Millisecond, 2 * time.Second, 0, true},
		{"another, without", 8300 * time.Millisecond, 2 * time.Second, 0, false},
		{"another, which is shorter than the first was", 8300 * time.Millisecond, time.Second, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := fakeRun(t, planOf("A"), 10*time.Second)
			r.spent = tt.spent
			r.bs.Leaves = map[string][]duet.Leaf{build.MainBinary: {{Name: "A", Once: tt.once}}}
			if tt.last > 0 {
				r.last[shapeKey(r.Plan.Comparisons[0].ID, study.FormBursts)] = tt.last
			}
			if got := r.affordable(0); got != tt.want {
				t.Errorf("affordable: %t, want %t; the price is %v", got, tt.want, r.price(0))
			}
		})
	}
}

func TestALaunchMayTakeItsShareOfTheBudget(t *testing.T) {
	for _, tt := range []struct {
		benchmarks int
		spent      time.Duration
		want       time.Duration
	}{
		{1, 0, 4 * time.Second},            // 20 s, four launches and calibrating
		{1, 15 * time.Second, time.Second}, // a quarter is left
		{2, 0, 2 * time.Second},
		{20, 0, shortest},
	} {
		names := []string{}
		for i := range tt.benchmarks {
			names = append(names, fmt.Sprint("B", i))
		}
		r := fakeRun(t, planOf(names...), 20*time.Second)
		r.spent = tt.spent
		if got := r.limit(); got != tt.want {
			t.Errorf("%d benchmarks, %v spent: %v, want %v", tt.benchmarks, tt.spent, got, tt.want)
		}
	}
}

func TestWhatIsLeftOfTheBudgetLetsSkippedComparisonsIn(t *testing.T) {
	p := planOf("A", "B", "C", "D")
	plan.Spend(&p, unknown, plan.ComparisonCost)
	p.Comparisons[1].Invalid = "never runs it"
	r := fakeRun(t, p, plan.ComparisonCost)
	r.spent = plan.ComparisonCost / 4
	for _, want := range []int{2, 3} {
		if r.wanted(want) {
			t.Fatalf("comparison %d is wanted before it is let in", want)
		}
		more, err := r.admit()
		if err != nil || !more {
			t.Fatalf("admit: %t, %v", more, err)
		}
		if !r.wanted(want) {
			t.Errorf("comparison %d was let in, and is not wanted", want)
		}
	}
	if r.wanted(1) {
		t.Error("an invalid comparison is wanted")
	}
	if more, _ := r.admit(); more {
		t.Error("admitted one more, but all are in")
	}
}

func TestASpentBudgetLetsNothingIn(t *testing.T) {
	p := planOf("A", "B")
	plan.Spend(&p, unknown, plan.ComparisonCost)
	r := fakeRun(t, p, plan.ComparisonCost)
	r.spent = plan.ComparisonCost/2 + 1
	if more, err := r.admit(); more || err != nil {
		t.Errorf("admit: %t, %v; want nothing", more, err)
	}
}

func TestWhatEarlierSittingsSpentCounts(t *testing.T) {
	p := planOf("A")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	failed := study.Record{Schema: study.Schema, Plan: p.Digest(), Comparison: p.Comparisons[0].ID, Form: study.FormBursts,
		Status: study.StatusFailed, Error: "no luck", Seconds: 2.5}
	r, err := New(&build.Set{}, ask.Options{Question: study.Question{Budget: time.Minute}}, p, nil, []study.Record{failed})
	if err != nil {
		t.Fatal(err)
	}
	if r.spent != 2500*time.Millisecond {
		t.Errorf("spent %s, want 2.5s", r.spent)
	}
	if r.wanted(0) {
		t.Error("a comparison whose benchmark failed is wanted again")
	}
}

func TestWhatHasNoBinaryIsNeverLetIn(t *testing.T) {
	p := planOf("A", "B", "C")
	p.Comparisons[1].CandidateBench, p.Comparisons[1].Skipped = study.Bench{}, "needs a library"
	plan.Spend(&p, unknown, 100*plan.ComparisonCost)
	if got := reached(p); !slices.Equal(got, []string{"A", "C"}) {
		t.Fatalf("measured: %v, want A and C", got)
	}
	r := fakeRun(t, p, 100*plan.ComparisonCost)
	if more, err := r.admit(); more || err != nil || r.wanted(1) {
		t.Errorf("admit: %t, %v; wanted: %t; want nothing of a comparison without a side", more, err, r.wanted(1))
	}
	if got := r.Results[1]; got.Verdict != study.NotMeasured || !slices.Equal(report.Reasons(got), []string{"needs a library"}) {
		t.Errorf("result %s, %q", got.Verdict, report.Reasons(got))
	}
}

func TestAComparisonLetInGoesBeforeWhatIsLate(t *testing.T) {
	p := planOf("A", "B", "C")
	p.Comparisons[2].Late = true
	plan.Spend(&p, unknown, plan.ComparisonCost)
	r := fakeRun(t, p, plan.ComparisonCost)
	var got []string // benchmarks, a launch each
	r.launchOne = func(_ context.Context, i int) error {
		got = append(got, r.Plan.Comparisons[i].Benchmark)
		r.Results[i].Want = nil
		return nil
	}
	if err := r.Measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"A", "B", "C"}; !slices.Equal(got, want) {
		t.Errorf("launches of %v, want %v", got, want)
	}
}
