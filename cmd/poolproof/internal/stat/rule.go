package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Version is that of the rule. Whoever changes a deciding function raises it:
// TestTheRuleIsThatOfItsVersion fails otherwise.
//
//	1: looks at 4 to 12 launches, a layout floor from three padded builds of
//	   the baseline
//	2: padded builds of both sides are a random level; looks go on; a screen
//	   for large effects; a stray allocation is never half of the count
//	3: plain sums must agree with a class; the long form is of stretches of each
//	   side alone; wall time decides but where CPU time is the same time; the
//	   layout bound is a factor of 8
//	4: in what the plain sums add, a launch counts by its length
//	5: worse memory rejects nothing whose time looks better, and is not resolved;
//	   what a few bursts allocate is no move of a counter
//	6: what a few collections can have taken is held against the difference, where
//	   that is larger than the band; where no processor is idle, collections that
//	   mark after a burst are paid
//	7: no class stands that bursts of many operations gainsay; more of them decide
const Version = 7

// Stands reports whether this version judges a result of a plan as the one that judged it did,
// as far as the result shows. Version 6 has nothing new to say but of few collections, and of
// those that marked while the program had no idle processor; version 7 nothing but of classes
// that short bursts gave.
func Stands(p study.Plan, judged int, r study.Result) bool {
	switch judged {
	case 5:
		return !slices.ContainsFunc(r.Reasons, aboutFew) && !busyDrains(p, r) && !ofShortBursts(p, r)
	case 6:
		return !ofShortBursts(p, r)
	}
	return judged == Version
}

// ofShortBursts reports whether bursts of many operations may have a say on a result: short
// ones gave it a class of time, or would have but for the padded builds.
func ofShortBursts(p study.Plan, r study.Result) bool {
	if p.Engine == study.EnginePairs || r.Estimator.Kind != study.Mutator && r.Estimator.Kind != study.Total || slices.ContainsFunc(r.Notes, fewBursts) {
		return false
	}
	return r.Time != study.Unresolved || slices.ContainsFunc(r.Reasons, func(why study.Reason) bool {
		return why.Code == study.ReasonPaddedMissing || why.Code == study.ReasonPaddedDoubt || why.Code == study.ReasonDependsOnN
	})
}

// fewBursts reports whether a remark says that launches had so few bursts, as these took so
// long, that there are none of many operations: a launch of the usual length has 80 where the
// first one has 100.
func fewBursts(note study.Reason) bool {
	var pairs int
	n, _ := fmt.Sscanf(note.Text, "%d pair", &pairs)
	return note.Code == study.NoteLaunch && n == 1 && pairs < 80
}

// busyDrains reports whether what collections do after a burst may be part of a result.
func busyDrains(p study.Plan, r study.Result) bool {
	if r.Estimator.Kind == study.Mutator || r.Cycles == [2]int{} {
		return false
	}
	e := evidence{plan: &p, c: study.Comparison{Cell: r.Cell}}
	procs := e.processors()
	return slices.ContainsFunc(r.Times, func(t study.LaunchTimes) bool {
		return t.CPU[0] > idleFor*procs*t.Wall[0] || t.CPU[1] > idleFor*procs*t.Wall[1]
	})
}

// aboutFew reports whether a reason, or what it rests on, is that few collections were seen.
func aboutFew(r study.Reason) bool {
	switch r.Code {
	case study.ReasonFewCollections, study.ReasonFewEvenLong, study.ReasonCheap:
		return true
	}
	return slices.ContainsFunc(r.Because, aboutFew)
}

// DefaultRule is the rule of a plan whose user chose nothing. Each call
// returns a new value.
func DefaultRule() study.Rule {
	return study.Rule{
		Version:     Version,
		Burst:       study.Duration(time.Millisecond),
		WarmUp:      40,
		Pairs:       200,
		PairsQuiet:  100,
		Soak:        study.Duration(500 * time.Millisecond),
		Stretch:     study.Duration(400 * time.Millisecond),
		Head:        study.Duration(400 * time.Millisecond),
		Band:        math.Log(1.02),
		Clock:       "auto",
		Screen:      3,
		ScreenAlpha: 0.002,
		Looks:       growing(12, 450),
		LongLooks:   append([]int{3}, growing(12, 100)...),
		Alpha:       0.012,
		LateFrom:    12,
		LateAlpha:   0.005,
		MinCycles:   20,
		PaddedLooks: []int{8, 12, 16, 24},
		PaddedAlpha: 0.002,
		LayoutBound: math.Log(8),
	}
}

// growing lists looks at each number of launches from 4 to dense, then at ever
// greater steps up to most: looks that share most of their launches are nearly
// one look, so that the chance to be wrong grows with the logarithm of their
// number. See testdata/simulated.json.
func growing(dense, most int) []int {
	var looks []int
	n := 4
	for ; n <= dense; n++ {
		looks = append(looks, n)
	}
	for n = dense + dense/5; n <= most; n += max(1, n*18/100) {
		looks = append(looks, n)
	}
	return looks
}

// Current returns the rule by which a plan is judged here: r itself if it is of
// this version, else the present one with what r says of the measurement (the
// burst, the pairs), of practical equality, of the clock, and whether layout is
// asked.
func Current(r study.Rule) study.Rule {
	if r.Version == Version {
		return r
	}
	now := DefaultRule()
	now.Burst, now.WarmUp, now.Pairs, now.PairsQuiet = r.Burst, r.WarmUp, r.Pairs, r.PairsQuiet
	now.Band, now.Clock = r.Band, r.Clock
	now.BytesShare, now.AllocsShare = r.BytesShare, r.AllocsShare
	now.OverBuilds = r.OverBuilds
	if r.Version > 1 && len(r.PaddedLooks) == 0 {
		now.PaddedLooks = nil
	}
	return now
}

// checkPlan refuses what no result could be computed from.
func checkPlan(p study.Plan) error {
	if p.Schema < 1 || p.Schema > study.Schema {
		return fmt.Errorf("the plan has schema %d, this program reads 1 to %d", p.Schema, study.Schema)
	}
	r := p.Rule
	if len(r.Looks) == 0 {
		return fmt.Errorf("the plan's rule has no looks")
	}
	if err := cmp.Or(rising("looks", r.Looks), rising("long_looks", r.LongLooks), rising("padded_looks", r.PaddedLooks)); err != nil {
		return err
	}
	for _, alpha := range []float64{r.Alpha, r.LateAlpha, r.ScreenAlpha, r.PaddedAlpha} {
		if !(alpha > 0 && alpha < 1) {
			return fmt.Errorf("the plan's rule has alpha %v, not between 0 and 1", alpha)
		}
	}
	switch {
	case !(r.Band >= 0) || math.IsInf(r.Band, 1):
		return fmt.Errorf("the plan's rule has band %v, not a log ratio of 0 or more", r.Band)
	case !(r.LayoutBound >= 0):
		return fmt.Errorf("the plan's rule has layout_bound %v, not a log ratio of 0 or more", r.LayoutBound)
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
