package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Where the linker puts a function changes what it takes: a loop that crosses
// a line of the instruction cache, or a branch that does, can cost a third
// more, in every launch of a binary. Launches of one pair of binaries agree on
// that and so cannot see it. So code layout is one more random level, above
// the launches: a padded build is the same source with its functions laid out
// in another way, each launch on padded builds takes another one on both
// sides, and a difference of time alone is claimed only where it is there over
// builds.
//
// The smallest number of builds is not chosen for precision. Between two
// layouts a loop may take either of two times, and two arms with the same loop
// then differ by +d or -d at even odds. All of eight builds show the same sign
// in one case of 128; of four builds, in one of eight.
//
// What no layout can make is not asked: see Rule.LayoutBound.

// checkLayout takes a difference of time back that code layout could have
// made. A change of memory is no matter of layout, so only verdicts on time
// alone come here.
func (t *trial) checkLayout(r *ruling) {
	looks := t.rule.PaddedLooks
	if len(looks) == 0 || t.plan.Kind == study.KindAA || !moves(r.time) || beyond(r.interval, t.rule.LayoutBound) {
		return
	}
	m := r.metric
	if m.on(wall) == longWall { // padded builds run the main form
		m = tWall.on(m.clock())
	}
	builds := t.paddedLaunches()
	builds = builds[:min(len(builds), looks[len(looks)-1])]
	if m.clock() == cpu && !hasCPU(builds) {
		m = m.on(wall)
	}
	d := t.replayBuilds(builds, m)
	switch {
	case d.class == r.time && d.decided > 0:
		asBuilt := effect(r.interval)
		t.res.AsBuilt = asBuilt
		r.guards = append(r.guards, study.Reason{Code: study.ReasonPaddedConfirm, Count: d.decided, Estimate: asBuilt})
		r.decision, r.metric, r.used = d, m, builds[:d.decided]
	case d.open:
		t.askPadded(r, len(builds), looks)
	default:
		r.doubt(study.Reason{Code: study.ReasonPaddedDoubt, Count: d.n, Estimate: effect(d.interval)})
		r.hopeless = true
	}
}

// replayBuilds looks at the builds in their order and keeps the first
// decision. A build has one launch, and is the unit.
func (e *evidence) replayBuilds(builds []*launch, m metric) decision {
	return replay(e.rule.PaddedLooks, len(builds), e.rule.Band, func(n int) interval {
		return over(values(builds[:n], m), e.rule.PaddedAlpha)
	})
}

// askPadded asks for the next padded build.
func (t *trial) askPadded(r *ruling, have int, looks []int) {
	next := looks[0]
	for _, n := range looks {
		if next = n; n > have {
			break
		}
	}
	more := float64(next-have) * meanSeconds(t.launches)
	r.doubt(study.Reason{Code: study.ReasonPaddedMissing, Took: seconds(more)})
	r.missing += more
	if r.want == nil {
		r.want = &study.Want{Form: t.main, Layout: have + 1}
	}
}

// paddedLaunches lists the first launch on each padded build, up to the first
// that is missing.
func (e *evidence) paddedLaunches() []*launch {
	var ls []*launch
	for _, r := range e.recs { // sorted by form, build, launch
		if r.Form == e.main && r.Status == study.StatusOK && r.Layout == len(ls)+1 && r.Launch == 0 {
			ls = append(ls, &launch{rec: r})
		}
	}
	return ls
}

// moves tells whether a class of time is a difference.
func moves(c study.Class) bool { return c == study.Better || c == study.Worse }

// beyond tells whether an interval lies beyond a bound, on either side.
func beyond(iv interval, bound float64) bool {
	return !math.IsNaN(iv.lo) && (iv.lo > bound || iv.hi < -bound)
}
