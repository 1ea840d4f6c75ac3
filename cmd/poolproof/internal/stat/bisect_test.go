package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/bisect"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// mostLaunches is the budget of a comparison in the histories of this test, in launches.
const mostLaunches = 60

// seeded is a history of 64 revisions of which one makes a benchmark 5 % slower. Each build of each
// revision has a layout of its own, and each launch of a comparison has its luck.
type seeded struct {
	rng      *rand.Rand
	at       int
	layouts  []float64 // of the revisions as built, log
	spread   float64
	seed     int
	asked    int
	launches int
}

func newSeeded(seed int, spread float64) *seeded {
	s := &seeded{rng: rand.New(rand.NewPCG(uint64(seed), 71)), spread: spread, seed: seed}
	s.at = 1 + s.rng.IntN(64)
	for range 65 {
		s.layouts = append(s.layouts, spread*s.rng.NormFloat64())
	}
	return s
}

// compare has the real rule decide, until it wants no more or the budget is spent.
func (s *seeded) compare(base, head int, threshold float64) (study.Result, error) {
	w := plainWorld()
	w.noise, w.launch = 0.02, 0.01
	if base < s.at && s.at <= head {
		w.op[1] *= 1.05
	}
	built := w
	built.op[1] *= math.Exp(s.layouts[head] - s.layouts[base])
	for range 24 {
		w.layouts = append(w.layouts, math.Sqrt2*s.spread*s.rng.NormFloat64())
	}
	p := testPlan()
	p.Rule = DefaultRule()
	p.Rule.OverBuilds = true
	if threshold > 0 {
		p.Rule.Band = math.Log1p(threshold)
	}
	s.asked++
	var rs []study.Record
	for {
		res, err := JudgeOne(p, "c", rs)
		if err != nil || res.Want == nil || len(rs) == mostLaunches {
			return res, err
		}
		from := w
		if res.Want.Layout == 0 {
			from = built
		}
		r := from.record(p, "c", res.Want.Form, res.Want.Layout, res.Want.Launch+1e6*(100*s.seed+s.asked)) // draws of its own
		r.Launch = res.Want.Launch
		rs = append(rs, r)
		s.launches++
	}
}

// TestAStepIsFoundInSeededHistories asks for what docs/history.md says: the step is found by 8
// comparisons at most, in 95 % of the histories.
func TestAStepIsFoundInSeededHistories(t *testing.T) {
	runs := 100
	if testing.Short() {
		runs = 20
	}
	for _, tt := range []struct {
		name   string
		spread float64 // of code layout, log
		least  float64 // share of the histories
	}{
		{"layouts differ by 1 %", 0.01, 0.95},
		{"layouts differ by 2 %", 0.02, 0.95},
	} {
		found, unsure, most, launches := 0, 0, 0, 0
		for seed := range runs {
			s := newSeeded(seed, tt.spread)
			f, err := bisect.Search(64, s.compare)
			launches += s.launches
			if err == nil && f.At == s.at && f.Before == s.at-1 {
				found++
			}
			if f.Unsure > 0 {
				unsure++
			}
			most = max(most, f.Comparisons)
		}
		t.Logf("%s: found in %d of %d histories, by %d comparisons at most; %d launches in the mean; in %d of them the mean decided where the rule did not", tt.name, found, runs, most, launches/runs, unsure)
		if most > 8 || float64(found) < tt.least*float64(runs) {
			t.Errorf("%s: found in %d of %d, by %d comparisons", tt.name, found, runs, most)
		}
	}
}
