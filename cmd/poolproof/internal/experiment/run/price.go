package run

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// left returns the rest of the budget.
func (r *Run) left() time.Duration { return min(r.o.Budget-r.spent, r.o.Left()) }

// affordable reports whether the budget has room for the launch that the
// comparison wants.
func (r *Run) affordable(i int) bool {
	price := r.price(i) * 9 / 10
	if !r.o.Until.IsZero() {
		price += time.Duration(len(r.missing(i))) * r.linkTime
	}
	return r.left() > 0 && r.left() >= price
}

// price estimates the time of the launch that a comparison wants: as long
// as the last one of its kind, for as many bursts, or, before the first, what
// calibrating takes and the launch itself.
func (r *Run) price(i int) time.Duration {
	c, want := r.Plan.Comparisons[i], r.wants(i)
	last, known := r.last[kindOf(c.ID, want.Form, want.Layout)]
	if !known { // the first padded one
		last, known = r.last[kindOf(c.ID, want.Form, 0)]
	}
	if known {
		s := r.shapeOf(i)
		if s == nil || last.bursts == 0 || last.took < starting {
			return last.took
		}
		return starting + (last.took-starting)*time.Duration(s.WarmUp+s.Pairs)/time.Duration(last.bursts)
	}
	if last, known := r.last[kindOf(c.ID, study.FormBursts, 0)]; known && want.Form == study.FormMany {
		s := r.shapeOf(i)
		return starting + max(0, last.took-starting)*time.Duration(study.Manifold*(s.WarmUp+s.Pairs))/time.Duration(max(1, last.bursts))
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

// starting is the time to start both processes and to end them.
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
// A launch only has to show a difference that is known from those before, or that there
// is none beyond the band, over launches and builds that differ more than its pairs do:
// it is as short as that allows. See [precision].
func (r *Run) shapeOf(i int) *duet.Shape {
	want, id := r.wants(i), r.Plan.Comparisons[i].ID
	if want.Form == study.FormMany {
		s := manyOf(r.shapes[shapeKey(id, study.FormBursts)])
		return &s
	}
	s, ok := r.shapes[shapeKey(id, want.Form)]
	if !ok {
		return nil
	}
	s = shortened(s, r.pairs(i, s))
	return &s
}

// manyOf is the shape of bursts of many operations: as much work as the first launch has
// in short ones.
func manyOf(s duet.Shape) duet.Shape {
	return duet.Shape{
		N: [2]int{study.Manifold * s.N[0], study.Manifold * s.N[1]}, Pairs: max(fewestMany, s.Soak/study.Manifold), WarmUp: 1, OneThread: s.OneThread,
	}
}

// fewestMany is the least number of pairs of such bursts.
const fewestMany = 4

// shortened is a shape with that many pairs, if it has more.
func shortened(s duet.Shape, pairs int) duet.Shape {
	if pairs < s.Pairs {
		s.Pairs, s.WarmUp = pairs, min(s.WarmUp, max(1, pairs/5))
	}
	return s
}

// burstsOf counts the bursts of a side in a launch, also those that are thrown away.
func (r *Run) burstsOf(rec study.Record) int {
	s, ok := r.shapes[shapeKey(rec.Comparison, rec.Form)]
	if !ok || rec.Form != study.FormBursts {
		return 0
	}
	return shortened(s, rec.Baseline.Len()).WarmUp + rec.Baseline.Len() + study.Manifold*len(rec.Baseline.Manifold)
}

// precision bounds the standard error of a launch, in parts of the margin that it is
// to show. Over four launches at the rule's level of 0.012 it makes an interval
// of plus or minus 0.4 of the margin, over eight builds at 0.002 one of a
// quarter: 4.8 (Student's t) / sqrt(8) * 0.15.
const precision = 0.15

// slowPairs is for how many pairs one processor of two may be slower than the
// other, by half: each process sits on either for a while, so that this moves their
// ratio. In that many pairs of a launch it makes half of the difference that is to
// be shown where the launch has slowPairs divided by the difference. Sides that share
// a processor have none of that.
const slowPairs = 15

// pairs is how many pairs the launch that a comparison wants needs, of those of a
// usual one.
func (r *Run) pairs(i int, s duet.Shape) int {
	if r.wants(i).Form != study.FormBursts || r.Results[i].Estimator.Kind == study.Total { // which needs its collections
		return s.Pairs
	}
	margin := r.margin(i)
	need := math.Pow(r.pairSE(i)/(precision*margin), 2)
	if !s.OneThread {
		need = max(need, slowPairs/margin)
	}
	if !(need < float64(s.Pairs)) { // also where nothing is known
		return s.Pairs
	}
	return min(max(int(math.Ceil(need)), fewestPairs), s.Pairs)
}

// margin is how precisely the difference of a comparison is to be known.
func (r *Run) margin(i int) float64 {
	return stat.Margin(math.Log1p(r.Results[i].Deciding.Effect), r.Plan.Rule.Band)
}

// pairSE is the standard error of one pair: the mean standard error of the launches,
// which may have been of unlike length, divided by what that of one pair would be.
func (r *Run) pairSE(i int) float64 {
	roots, n := 0.0, 0
	for _, rec := range r.Records {
		if rec.Comparison == r.Plan.Comparisons[i].ID && rec.Form == study.FormBursts && rec.Layout == 0 && rec.Status == study.StatusOK {
			roots += 1 / math.Sqrt(float64(max(1, rec.Baseline.Len())))
			n++
		}
	}
	return r.Results[i].MWall.WithinSE * float64(n) / roots
}

// fewestPairs is the least number of pairs: the median of fewer says little.
const fewestPairs = 20

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
