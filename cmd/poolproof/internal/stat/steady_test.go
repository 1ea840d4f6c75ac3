package stat

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// launchesOf makes a launch of 100 operations from each pair of counts.
func launchesOf(pairs ...[2]uint64) (ls []*launch) {
	for _, p := range pairs {
		ls = append(ls, counts(100, []uint64{p[0]}, []uint64{p[1]}))
	}
	return ls
}

func TestACounterThatMovedHasToMoveInTheLaunches(t *testing.T) {
	for _, tt := range []struct {
		name string
		ls   []*launch
		want study.Class // of the bytes
	}{
		{"one launch counts as it is", launchesOf([2]uint64{0, 1e6 + 37}), study.Worse},
		{"a rare event in one launch of four", launchesOf([2]uint64{0, 900}, [2]uint64{59e6, 900}, [2]uint64{0, 900}, [2]uint64{0, 900}), study.Unresolved},
		{"all launches alike", launchesOf([2]uint64{59e6, 900}, [2]uint64{59e6, 900}, [2]uint64{59e6 + 7, 900}, [2]uint64{59e6, 907}), study.Better},
		{"launches differ, and each moved as far", launchesOf([2]uint64{1e6, 3e6}, [2]uint64{4e6, 6e6 + 1e4}, [2]uint64{2e6, 4e6}, [2]uint64{9e6, 11e6}), study.Worse},
		{"moved as often to and fro", launchesOf([2]uint64{1e6, 3e6}, [2]uint64{6e6, 4e6}, [2]uint64{1e6, 4e6}, [2]uint64{9e6, 8e6}), study.Unresolved},
		{"too little to matter", launchesOf([2]uint64{1e6, 1e6 + 300}, [2]uint64{1e6, 1e6}, [2]uint64{1e6, 1e6 + 700}), study.Same},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, bytes := counters(tt.ls)
			if got := bytesClass(bytes, 0); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if got := counterFinding(bytes.counter(), 8).Class; tt.want != study.Same && got != tt.want {
				t.Errorf("a claim sees %s, want %s", got, tt.want)
			}
			if unsteady := bytes.counter().Unsteady; unsteady != (tt.want == study.Unresolved) {
				t.Errorf("unsteady: %v", unsteady)
			}
		})
	}
}

// Memory that launches do not agree on may be better, the same or worse.
func TestUnsteadyMemoryDecidesNothing(t *testing.T) {
	for time, want := range map[study.Class]study.Verdict{
		study.Better: study.Inconclusive, study.Same: study.Inconclusive, study.Worse: study.Inconclusive, study.Unresolved: study.Inconclusive,
	} {
		if got := verdictWith(time, study.Unresolved, false, nil); got != want {
			t.Errorf("time %s: %s, want %s", time, got, want)
		}
	}
	steady := count{baseline: 5, candidate: 5}
	moved := count{baseline: 9000, candidate: 5, unsteady: true}
	for name, got := range map[string]study.Class{"bytes": first(memoryClass(DefaultRule(), steady, moved)), "allocations": first(memoryClass(DefaultRule(), moved, steady))} {
		if got != study.Unresolved {
			t.Errorf("%s that launches do not agree on are %s", name, got)
		}
	}
}

func first(c study.Class, _ bool) study.Class { return c }

func TestAnExactFigureThatLaunchesDoNotAgreeOnIsUnresolved(t *testing.T) {
	f := figure{Metric: study.Metric{Unit: "made/op", Exact: true}, fewest: 100}
	f.baseline, f.candidate = []float64{0, 0.9, 0, 0.1}, []float64{0, 0, 0.2, 0}
	if c := f.exactly(); c.equal() || agreed(c) != study.Unresolved {
		t.Errorf("equal %v, %s", c.equal(), agreed(c))
	}
	f.baseline, f.candidate = []float64{1, 1, 1, 1}, []float64{0, 0, 0, 0}
	if c := f.exactly(); agreed(c) != study.Better {
		t.Errorf("whole numbers that fell are %s", agreed(c))
	}
}

func TestDifferencesAreUnsteadyAtOnePercent(t *testing.T) {
	for _, tt := range []struct {
		differences []float64
		want        bool
	}{ // Student's t of 3 degrees of freedom: 5.841 leaves one percent outside
		{[]float64{1, 2, 3, 4}, true},    // t = 3.87
		{[]float64{2, 2, 3, 3.4}, false}, // t = 7.28
		{[]float64{-2, -2, -3, -3.4}, false},
		{[]float64{2, 2, 3.4, 4}, true}, // t = 5.66
		{[]float64{0, 0}, true},
		{[]float64{5, 5}, false},
	} {
		if got := unsteady(tt.differences); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.differences, got, tt.want)
		}
	}
}

// TestWhatOneBurstMadeIsNoMove: a pool that a collection had emptied made a map of ten
// megabytes in one of two hundred bursts. It decides nothing; ten of them do.
func TestWhatOneBurstMadeIsNoMove(t *testing.T) {
	for n, want := range map[int]study.Class{1: study.Unresolved, 4: study.Unresolved, 10: study.Worse} {
		w := plainWorld()
		w.edit = func(r *study.Record) {
			for i := range n {
				r.Candidate.Bytes[3+i] += 10 << 20
			}
		}
		p := testPlan()
		if got := judgeC(t, p, w.launches(p, 1)); got.Memory != want {
			t.Errorf("%d of %d bursts: memory is %s, want %s", n, w.pairs, got.Memory, want)
		}
		w.edit = func(r *study.Record) { r.Baseline.Bytes[7] += 10 << 20 }
		if got := judgeC(t, p, w.launches(p, 1)); got.Memory != study.Unresolved {
			t.Errorf("of the baseline: %s", got.Memory)
		}
	}
}
