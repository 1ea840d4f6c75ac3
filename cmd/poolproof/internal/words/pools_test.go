package words

import (
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestWhatAPoolSavesIsSaidInSizes(t *testing.T) {
	counter := func(without, with float64) study.Counter {
		return study.Counter{Baseline: without, Candidate: with, Equal: without == with}
	}
	result := func(effect float64, bytes, allocs study.Counter) study.Result {
		return study.Result{Launches: 4, Deciding: study.Estimate{Effect: effect, Launches: 4}, Bytes: bytes, Allocs: allocs}
	}
	pool := func(name string, reached int) study.ListedPool {
		return study.ListedPool{ID: name + ".go:1", Name: name, Reached: reached}
	}
	lent := pool("lent", 1)
	lent.Trouble = "it is passed to use in a.go:3"
	got := Savings([]study.PoolAnswer{
		{ListedPool: pool("pays", 2), Deciding: []study.Result{
			result(-0.5, counter(1624, 1000), counter(3, 1)), result(-0.25, counter(1000, 1000), counter(1, 1))}},
		{ListedPool: pool("costs", 1), Deciding: []study.Result{result(0.1, counter(706, 1000), counter(1, 2))}},
		{ListedPool: pool("unsteady", 1), Deciding: []study.Result{result(-0.1,
			study.Counter{Baseline: 20, Candidate: 16, Unsteady: true}, counter(1, 0))}},
		{ListedPool: pool("asserted", 1), Deciding: []study.Result{result(-0.1, counter(16, 0), counter(1, 0))},
			Uses: []study.PoolUse{{Asking: []string{"TestB", "TestA"}}, {Asking: []string{"TestA"}}}},
		{ListedPool: lent}, {ListedPool: pool("a", 0)}, {ListedPool: pool("b", 0)},
	})
	want := []string{
		"pays (pays.go:1): it saves 0 to 624 B (0.0 % to 38.4 % of all) and 0 to 2 allocations an operation; time -50.0 % to -25.0 %",
		"costs (costs.go:1): it costs 294 B and 1 allocations an operation; time +10.0 %",
		"unsteady (unsteady.go:1): it saves 0 B and 1 allocations an operation; time -10.0 %",
		"asserted (asserted.go:1): it saves 16 B (100.0 % of all) and 1 allocations an operation; time -10.0 %. Without it fails TestA, TestB, which asks about the pool",
		"lent (lent.go:1): it cannot be taken out: it is passed to use in a.go:3",
		"no benchmark gets from a (a.go:1), b (b.go:1)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestACountBelowZeroHasItsSignBeforeTheDigits(t *testing.T) {
	for x, want := range map[float64]string{-294: "-294", -1234: "-1,234", -0.25: "-0.25", 1234: "1,234"} {
		if got := count(x); got != want {
			t.Errorf("%g is %s, want %s", x, got, want)
		}
	}
}
