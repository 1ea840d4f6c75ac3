package stat

import (
	"fmt"
	"math"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// DefaultRule is the rule of a plan whose user chose nothing. Each call
// returns a new value.
func DefaultRule() study.Rule {
	return study.Rule{
		Slice:       study.Duration(time.Millisecond),
		WarmUp:      40,
		Pairs:       200,
		PairsQuiet:  100,
		LongSlice:   study.Duration(100 * time.Millisecond),
		LongPairs:   10,
		Looks:       []int{4, 5, 6, 7, 8, 9, 10, 11, 12},
		LongLooks:   []int{4, 5, 6, 7, 8},
		Alpha:       0.015,
		Band:        math.Log(1.02),
		MinCycles:   20,
		LayoutLow:   math.Log(1.02),
		LayoutHigh:  math.Log(1.04),
		LayoutRuns:  4,
		LayoutKinds: 3,
		Clock:       "auto",
	}
}

// ExtendedLooks returns r with looks up to 32 launches, for budgets that allow
// them. More looks give chance more opportunities, so each has a smaller
// alpha: the simulation in testdata/simulated.json shows what remains.
func ExtendedLooks(r study.Rule) study.Rule {
	r.Looks = []int{4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 24, 32}
	r.Alpha = 0.010
	return r
}

// checkPlan refuses what no result could be computed from.
func checkPlan(p study.Plan) error {
	if p.Schema != study.Schema {
		return fmt.Errorf("the plan has schema %d, this program reads %d", p.Schema, study.Schema)
	}
	r := p.Rule
	if err := rising("looks", r.Looks); err != nil {
		return err
	}
	if len(r.Looks) == 0 {
		return fmt.Errorf("the plan's rule has no looks")
	}
	if err := rising("long_looks", r.LongLooks); err != nil {
		return err
	}
	switch {
	case !(r.Alpha > 0 && r.Alpha < 1):
		return fmt.Errorf("the plan's rule has alpha %v, not between 0 and 1", r.Alpha)
	case !(r.Band >= 0) || math.IsInf(r.Band, 1):
		return fmt.Errorf("the plan's rule has band %v, not a log ratio of 0 or more", r.Band)
	case r.LayoutKinds > 0 && r.LayoutRuns < 1:
		return fmt.Errorf("the plan's rule has %d padded builds and no launch on them", r.LayoutKinds)
	case r.Clock != "" && r.Clock != "auto" && r.Clock != "wall" && r.Clock != "cpu":
		return fmt.Errorf("the plan's rule has clock %q, not auto, wall or cpu", r.Clock)
	}
	seen := map[string]bool{}
	for _, c := range p.Comparisons {
		if seen[c.ID] {
			return fmt.Errorf("the plan has two comparisons %q", c.ID)
		}
		seen[c.ID] = true
		for _, name := range append(append([]string(nil), c.Falls...), c.Rises...) {
			if name != bytesPerOp && name != allocsPerOp {
				return fmt.Errorf("comparison %q: no counter is named %q", c.ID, name)
			}
		}
	}
	return nil
}

// rising checks numbers of launches: an interval needs two.
func rising(name string, looks []int) error {
	last := 1
	for _, n := range looks {
		if n <= last {
			return fmt.Errorf("the plan's rule has %s %v: they must rise from 2 or more", name, looks)
		}
		last = n
	}
	return nil
}
