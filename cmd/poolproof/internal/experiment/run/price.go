package run

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// left is what is left of the budget.
func (r *Run) left() time.Duration { return r.o.Budget - r.spent }

// affordable reports whether the budget has room for the launch that the
// comparison wants.
func (r *Run) affordable(i int) bool {
	return r.left() > 0 && r.left() >= r.price(i)*9/10
}

// price is what the launch that a comparison wants is expected to take: as long
// as the last one of its kind, or, before the first, what calibrating takes and
// the launch itself.
func (r *Run) price(i int) time.Duration {
	c, want := r.Plan.Comparisons[i], r.wants(i)
	if last, known := r.last[kindOf(c.ID, want.Form, want.Layout)]; known {
		return last
	}
	if plain, known := r.last[kindOf(c.ID, want.Form, 0)]; known { // the first padded one
		usual, short := r.shapes[shapeKey(c.ID, want.Form)], r.shapeOf(i)
		if bursts := usual.WarmUp + usual.Pairs; bursts > 0 {
			return starting + plain*time.Duration(short.WarmUp+short.Pairs)/time.Duration(bursts)
		}
		return plain
	}
	once := r.bs.Once(c.BaselineBench) + r.bs.Once(c.CandidateBench)
	switch {
	case want.Form == study.FormRate:
		return c.Pace.Launch()
	case want.Form == study.FormStretch:
		return max(2*once, 2*time.Duration(r.Plan.Rule.Stretch+r.Plan.Rule.Head))
	}
	return 2 * once // to find out how long it takes, and one pair
}

// starting is what it takes to start both processes and end them.
const starting = 30 * time.Millisecond

// wants is the launch that a comparison wants, or would if it were not skipped.
func (r *Run) wants(i int) study.Want {
	if w := r.Results[i].Want; w != nil {
		return *w
	}
	if r.Plan.Comparisons[i].Pace != nil {
		return study.Want{Form: study.FormRate}
	}
	return study.Want{Form: study.FormBursts}
}

// shapeOf is the shape of the launch that a comparison wants; nil: it is to be
// calibrated.
//
// The launches of a padded build only have to show a difference that is known
// from the plain ones, over builds that differ more than launches do: they are as
// short as that allows. See [padPrecision].
func (r *Run) shapeOf(i int) *duet.Shape {
	want := r.wants(i)
	s, ok := r.shapes[shapeKey(r.Plan.Comparisons[i].ID, want.Form)]
	if !ok {
		return nil
	}
	if kind := r.Results[i].Estimator.Kind; want.Layout > 0 && kind != study.Total { // which needs its collections
		if n := r.paddedPairs(i, s.Pairs); n < s.Pairs {
			s.Pairs, s.WarmUp = n, min(s.WarmUp, max(1, n/5))
		}
	}
	return &s
}

// padPrecision is what the standard error of a padded launch may be of the
// difference that it is to show. Over eight builds at the rule's level of 0.002 it
// makes an interval of plus or minus a quarter of the difference: 4.8 (Student's
// t) / sqrt(8) * 0.15.
const padPrecision = 0.15

// slowPairs is for how many pairs one processor of two may be slower than the
// other, by half: each process sits on either for a while, so that this moves their
// ratio. In that many pairs of a launch it makes half of the difference that is to
// be shown where the launch has slowPairs divided by the difference.
const slowPairs = 15

// paddedPairs is how many pairs a padded launch needs, of those of a plain one.
func (r *Run) paddedPairs(i, pairs int) int {
	e := r.Results[i].Deciding
	effect := math.Abs(math.Log1p(e.Effect))
	need := math.Ceil(max(slowPairs/effect, float64(pairs)*math.Pow(e.WithinSE/(padPrecision*effect), 2)))
	usual := pairs == r.Plan.Rule.Pairs || pairs == r.Plan.Rule.PairsQuiet // else it is shorter already
	if !usual || !(need < float64(pairs)) {                                // also where the difference is not known
		return pairs
	}
	return max(int(need), fewestPadded)
}

// fewestPadded is the least number of pairs: the median of fewer says little.
const fewestPadded = 20

// limit is how long a launch may take where fewer pairs can shorten it: what is
// left of the budget should do for the first looks at each comparison that is
// not decided.
func (r *Run) limit() time.Duration {
	open := 0
	for i, c := range r.Plan.Comparisons {
		if plan.Measurable(c) && c.Skipped == "" && r.Results[i].Want != nil {
			open++
		}
	}
	first := time.Duration(r.Plan.Rule.Looks[0] + 1) // calibrating takes as long as a launch
	return max(shortest, r.left()/time.Duration(max(1, open))/first)
}

// shortest is a launch of the usual shape: nothing is won by making it shorter.
const shortest = 600 * time.Millisecond

// shapeKey is a comparison in a form.
func shapeKey(comparison string, form study.Form) string {
	return string(form) + " " + comparison
}

// kindOf is a comparison in a form, on plain or on padded builds.
func kindOf(comparison string, form study.Form, layout int) string {
	if layout > 0 {
		return "padded " + shapeKey(comparison, form)
	}
	return shapeKey(comparison, form)
}
