package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// layoutAlpha is the error of the interval over builds. There is one look.
const layoutAlpha = 0.05

// checkLayout doubts a verdict on time alone that the place of the code in the
// binary could have made. Launches of the same two binaries cannot see it. A
// change of memory is no matter of layout, so only time-only verdicts come
// here.
func (t *trial) checkLayout(r *ruling, seen []*launch) {
	if t.rule.LayoutKinds == 0 || t.plan.Kind == study.KindAA || (r.time != study.Better && r.time != study.Worse) {
		return
	}
	if t.main == study.FormRate {
		t.layoutUnasked(r)
		return
	}
	m := r.metric
	if m.on(wall) == longWall { // padded builds run the main form
		m = tWall.on(m.clock())
	}
	if math.Abs(r.mean) <= t.rule.LayoutHigh {
		t.confirm(r, m, mean(values(seen, m)))
	} else {
		t.exceedFloor(r)
	}
}

// layoutUnasked is the check where shifted builds would take too long: a paced
// launch takes ten seconds or so, and a dozen would be needed. What they are
// there to confirm is not claimed; what is larger must exceed a floor that is
// known from elsewhere.
func (t *trial) layoutUnasked(r *ruling) {
	if math.Abs(r.mean)-r.off <= t.rule.LayoutHigh {
		r.doubt(study.Reason{Code: study.ReasonPaddedUnasked, Share: math.Expm1(t.rule.LayoutHigh)})
		r.hopeless = true
		return
	}
	if _, known := t.floors[t.c.ID]; known {
		t.exceedFloor(r)
	}
}

// confirm asks whether a small effect is there on every layout: both sides are
// built with the same paddings, a build is the unit, and the interval over
// builds must exclude zero.
func (t *trial) confirm(r *ruling, m metric, plainMean float64) {
	builds, ok := t.padded(r, t.main, m)
	if !ok {
		return
	}
	iv := over(append([]float64{plainMean}, builds...), layoutAlpha)
	if r.time == study.Better && iv.hi < 0 || r.time == study.Worse && iv.lo > 0 {
		r.guards = append(r.guards, study.Reason{Code: study.ReasonPaddedConfirm, Count: t.rule.LayoutKinds, Estimate: effect(iv)})
		return
	}
	r.doubt(study.Reason{Code: study.ReasonPaddedDoubt, Count: t.rule.LayoutKinds, Estimate: effect(iv)})
	r.hopeless = true
}

// exceedFloor asks whether a large effect is larger than what shifting the
// baseline's binary does to the baseline.
func (t *trial) exceedFloor(r *ruling) {
	floor, known := t.floors[t.c.ID]
	if !known {
		// Both sides are the baseline and make the same garbage: M decides.
		means, ok := t.padded(r, study.FormFloor, mWall.on(r.metric.clock()))
		if !ok {
			return
		}
		for _, m := range means {
			floor = max(floor, math.Abs(m))
		}
	}
	t.res.Floor = &floor
	if math.Abs(r.mean) > floor {
		return
	}
	r.doubt(study.Reason{Code: study.ReasonBelowFloor, Share: math.Expm1(floor)})
	r.hopeless = true
}

// padded returns the mean of the launches on each padded build, or asks for
// the next launch that is missing. Launches vary slowest, so that a prefix
// says something of each build.
func (t *trial) padded(r *ruling, f study.Form, m metric) (means []float64, ok bool) {
	missing, want := 0, (*study.Want)(nil)
	builds := make([][]*launch, t.rule.LayoutKinds)
	for k := range builds {
		ls := t.good(f, k+1)
		builds[k] = ls[:min(len(ls), t.rule.LayoutRuns)]
		if lack := t.rule.LayoutRuns - len(builds[k]); lack > 0 {
			missing += lack
			if w := t.ask(f, k+1); want == nil || w.Launch < want.Launch {
				want = w
			}
		}
	}
	if missing > 0 {
		more := float64(missing) * meanSeconds(t.launches)
		r.doubt(study.Reason{Code: study.ReasonPaddedMissing, Took: seconds(more)})
		r.missing += more
		if r.want == nil {
			r.want = want
		}
		return nil, false
	}
	for _, ls := range builds {
		if m.clock() == cpu && !hasCPU(ls) {
			m = m.on(wall)
		}
		means = append(means, mean(values(ls, m)))
	}
	return means, true
}
