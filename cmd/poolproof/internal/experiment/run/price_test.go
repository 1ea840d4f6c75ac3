package run

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
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
				r.last[kindOf(r.Plan.Comparisons[0].ID, study.FormBursts, 0)] = launched{took: tt.last}
			}
			if got := r.affordable(0); got != tt.want {
				t.Errorf("affordable: %t, want %t; the price is %v", got, tt.want, r.price(0))
			}
		})
	}
}

// The first launch is several times as long as the next ones. One that is thought
// to need that much more keeps its comparison from its first look.
func TestTheNextLaunchCostsWhatItsBurstsDo(t *testing.T) {
	p := planOf("A", "B")
	launch := func(number, bursts int, seconds float64) study.Record {
		rec := study.Record{Schema: study.Schema, Plan: p.Digest(), Comparison: p.Comparisons[0].ID, Form: study.FormBursts, Status: study.StatusOK,
			N: 100, Launch: number, Seconds: seconds, CandidateFirst: make([]bool, bursts)}
		for _, side := range study.Sides {
			for range bursts {
				rec.Columns(side).Append(study.Burst{Wall: 1e6})
			}
			rec.Columns(side).Close()
		}
		return rec
	}
	first := launch(0, 500, 1.366) // 40 + 500 + 4*32 bursts of a millisecond a side, and starting
	first.Pairs, first.Baseline.Manifold, first.Candidate.Manifold = 100, slices.Repeat([]int64{32e6}, 4), slices.Repeat([]int64{32e6}, 4)
	short := launch(1, 20, 0.078) // 4 + 20 bursts

	begun := func(records ...study.Record) *Run {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		r, err := New(&build.Set{}, ask.Options{Question: study.Question{Budget: time.Minute}}, p, nil, records)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := begun(first)
	if got := r.price(0).Round(time.Millisecond); got != starting+280*time.Millisecond { // 40 + 100 bursts
		t.Errorf("the second launch is thought to take %s", got)
	}
	if i, _ := r.next(); i != 0 {
		t.Error("another comparison comes before the first look at this one")
	}
	r = begun(first, short)
	if got := r.price(0).Round(time.Millisecond); got != starting+280*time.Millisecond {
		t.Errorf("after a short launch, one of the usual length is thought to take %s", got)
	}
	if got := r.firstLook(p.Comparisons[1]); got != 1366*time.Millisecond+3*78*time.Millisecond {
		t.Errorf("a first look is thought to take %s", got)
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

func TestASpentBudgetLetsNothingIn(t *testing.T) {
	p := planOf("A", "B")
	plan.Spend(&p, unknown, plan.ComparisonCost)
	r := fakeRun(t, p, plan.ComparisonCost)
	if !r.open(1) {
		t.Error("a budget that has room for a first look keeps a comparison out")
	}
	r.spent = plan.ComparisonCost/2 + 1
	if r.open(1) {
		t.Error("a comparison is let in for which half a first look is left")
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
	if r.open(0) {
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
	if r.open(1) {
		t.Error("a comparison without a side is let in")
	}
	if got := r.Results[1]; got.Verdict != study.NotMeasured || !slices.Equal(words.Reasons(got), []string{"needs a library"}) {
		t.Errorf("result %s, %q", got.Verdict, words.Reasons(got))
	}
}

func TestALaunchIsAsShortAsItsDifferenceAllows(t *testing.T) {
	for name, tt := range map[string]struct {
		usual        int
		effect, se   float64 // of launches of usual length
		launch       int
		layout, want int
		form         study.Form
		kind         study.EstimatorKind
		bound        bool // to one processor
	}{
		"ten times as long":                      {100, 9, 0.003, 0, 1, 20, study.FormBursts, study.Mutator, false},
		"twice as long, quiet bursts":            {100, 1, 0.003, 0, 1, 22, study.FormBursts, study.Mutator, false},
		"half as long again, quiet bursts":       {100, 0.5, 0.003, 0, 1, 37, study.FormBursts, study.Mutator, false},
		"half as long, quiet bursts":             {100, -0.5, 0.003, 0, 1, 22, study.FormBursts, study.Mutator, false},
		"half as long again, noisy bursts":       {200, 0.5, 0.033, 0, 1, 59, study.FormBursts, study.Mutator, false},
		"ten percent, quiet bursts":              {200, 0.1, 0.005, 0, 3, 158, study.FormBursts, study.Mutator, false},
		"five percent, quiet bursts":             {200, 0.05, 0.003, 0, 1, 200, study.FormBursts, study.Mutator, false},
		"five percent, noisy bursts":             {200, 0.05, 0.022, 0, 1, 200, study.FormBursts, study.Mutator, false},
		"a difference that is not known":         {200, 0, 0, 0, 1, 200, study.FormBursts, study.Mutator, false},
		"with its collections":                   {100, 9, 0.003, 0, 1, 100, study.FormBursts, study.Total, false},
		"the second plain launch":                {200, 0.5, 0.003, 1, 0, 37, study.FormBursts, study.Mutator, false},
		"the second plain launch, of equal work": {200, 0.001, 0.003, 1, 0, 200, study.FormBursts, study.Mutator, false},
		"bursts that take long":                  {12, 1, 0.003, 0, 1, 12, study.FormBursts, study.Mutator, false},
		"a stretch":                              {200, 1, 0.003, 1, 0, 200, study.FormStretch, study.Mutator, false},
		"builds of what stretches decided":       {200, 1, 0.003, 0, 1, 22, study.FormBursts, study.Long, false},
		"five percent on one processor":          {200, 0.05, 0.003, 0, 3, 34, study.FormBursts, study.Mutator, true},
		"equal work on one processor":            {200, 0.001, 0.0005, 1, 0, 20, study.FormBursts, study.Mutator, true},
		"equal work, noisy bursts":               {200, 0.001, 0.003, 1, 0, 200, study.FormBursts, study.Mutator, true},
		"bursts of a slow machine":               {139, 0.5, 0.003, 0, 1, 37, study.FormBursts, study.Mutator, false},
		"near the band's end":                    {200, 0.019, 0.0005, 1, 0, 91, study.FormBursts, study.Mutator, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := fakeRun(t, planOf("A"), time.Minute)
			id := r.Plan.Comparisons[0].ID
			r.shapes[shapeKey(id, tt.form)] = duet.Shape{N: [2]int{7, 7}, Pairs: tt.usual, WarmUp: 40, OneThread: tt.bound}
			r.Results[0].Want = &study.Want{Form: tt.form, Layout: tt.layout, Launch: tt.launch}
			r.Results[0].Estimator.Kind = tt.kind
			r.Results[0].Deciding = study.Estimate{Effect: tt.effect, Launches: 3}
			// A launch of four times as many pairs, and two of a quarter, whose mean
			// standard error is 1.5 times that of a usual one.
			for _, pairs := range []int{4 * tt.usual, tt.usual / 4, tt.usual / 4} {
				r.Records = append(r.Records, study.Record{Comparison: id, Form: study.FormBursts, Status: study.StatusOK,
					Baseline: study.Columns{Wall: make([]int64, pairs)}})
			}
			other := r.Records[0]
			other.Comparison, other.Baseline = "B", study.Columns{Wall: make([]int64, 1)}
			padded := other
			padded.Comparison, padded.Layout = id, 1
			r.Records = append(r.Records, other, padded)
			r.Results[0].MWall.WithinSE = 1.5 * tt.se
			got := r.shapeOf(0)
			if got == nil || got.Pairs != tt.want || got.N != [2]int{7, 7} {
				t.Fatalf("shape %+v, want %d pairs", got, tt.want)
			}
			if tt.want < tt.usual && got.WarmUp >= 40 || tt.want == tt.usual && got.WarmUp != 40 {
				t.Errorf("it warms up %d times", got.WarmUp)
			}
		})
	}
}

func TestTheTimeForEverythingBoundsTheMeasuring(t *testing.T) {
	r := fakeRun(t, planOf("A"), time.Minute)
	if got := r.left(); got != time.Minute {
		t.Errorf("%v are left, want a minute", got)
	}
	r.o.Until = time.Now().Add(5 * time.Second)
	if got := r.left(); got > 5*time.Second || got < 4*time.Second {
		t.Errorf("%v are left, want 5 s", got)
	}
	c := r.Plan.Comparisons[0]
	r.last[kindOf(c.ID, study.FormBursts, 0)] = launched{took: time.Second}
	if !r.affordable(0) {
		t.Error("a launch of a second is not affordable")
	}
	r.bs.Targets = []*build.Target{{ID: c.BaselineBench.Binary}, {ID: c.CandidateBench.Binary}}
	r.Plan.Rule.PaddedLooks, r.Results[0].Want = []int{8}, &study.Want{Form: study.FormBursts, Layout: 1}
	r.linkTime = time.Second
	if r.affordable(0) {
		t.Error("a launch is affordable that has to wait for 8 builds or more, of a second each")
	}
}

// Bursts of many operations are as much work in all as the first launch has in usual ones, and
// their price is known from those.
func TestBurstsOfManyOperationsAreAsMuchWorkAsTheFirstLaunch(t *testing.T) {
	for soak, want := range map[int]duet.Shape{
		500: {N: [2]int{3200, 1600}, Pairs: 15, WarmUp: 1, OneThread: true},
		100: {N: [2]int{3200, 1600}, Pairs: 4, WarmUp: 1, OneThread: true},
	} {
		r := fakeRun(t, planOf("A"), time.Minute)
		id := r.Plan.Comparisons[0].ID
		r.Results[0].Want = &study.Want{Form: study.FormMany}
		r.shapes[shapeKey(id, study.FormBursts)] = duet.Shape{N: [2]int{100, 50}, Pairs: 60, Soak: soak, WarmUp: 40, OneThread: true}
		r.last[kindOf(id, study.FormBursts, 0)] = launched{starting + 100*time.Millisecond, 100}
		if got := r.shapeOf(0); *got != want {
			t.Errorf("%d pairs in the first launch: %+v, want %+v", soak, *got, want)
		}
		if got, want := r.price(0), starting+time.Duration(study.Manifold*(want.Pairs+1))*time.Millisecond; got != want {
			t.Errorf("the price is %v, want %v", got, want)
		}
		if have, first := r.looks(*r.Results[0].Want); have != 0 || first != 1 {
			t.Errorf("%d launches of %d until a look", have, first)
		}
		r.last[kindOf(id, study.FormMany, 0)] = launched{took: time.Second}
		if got := r.price(0); got != time.Second {
			t.Errorf("the price of another is %v", got)
		}
	}
}
