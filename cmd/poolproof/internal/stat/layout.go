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
//
// Layout hides a difference as well as it makes one. What it hides is smaller than
// what the user calls equal in most questions, and then equality is said of the
// builds as they are. Rule.OverBuilds is for a question where half of a difference
// already counts.

// checkLayout takes a difference of time back that code layout could have made.
// Where memory falls too, the verdict needs no gain of time, but that it does not
// rise.
func (t *trial) checkLayout(r *ruling, memory study.Class) {
	looks := t.e.rule.PaddedLooks
	if len(looks) == 0 || t.e.plan.Kind == study.KindAA || beyond(r.interval, t.e.rule.LayoutBound) {
		return
	}
	builds := t.e.paddedLaunches()
	builds = builds[:min(len(builds), looks[len(looks)-1])]
	at := t.e.overBuilds(*r, builds)
	d := replay(looks, len(builds), t.e.rule.Band, at)
	switch {
	case t.e.rule.OverBuilds && r.n >= t.e.looks()[0] && !r.doubted:
		r.want, r.decided = nil, 0 // what the plain builds say decides nothing
		if d.open {
			t.askPadded(r, len(builds), at)
			return
		}
		t.res.AsBuilt = effect(r.interval)
		r.decision, r.used, r.time = d, builds[:d.n], d.class
		return
	case !moves(r.time):
		return
	}
	class, least := r.time, study.Unresolved
	if memory == study.Better && class == study.Better {
		least = study.NotWorse
	}
	if d.open {
		t.askPadded(r, len(builds), at)
		r.time = least
		return
	}
	t.res.AsBuilt = effect(r.interval)
	r.decision, r.used = d, builds[:d.n]
	if d.class == class && d.decided > 0 {
		r.guards = append(r.guards, study.Reason{Code: study.ReasonPaddedConfirm, Count: d.decided, Estimate: t.res.AsBuilt})
		return
	}
	r.doubt(study.Reason{Code: study.ReasonPaddedDoubt, Count: d.n, Estimate: t.res.AsBuilt})
	r.hopeless = true
	if d.class == study.Same || d.class == study.NotWorse {
		r.time = least
	}
}

// overBuilds is the interval over the first builds: a build has one launch, and is
// the unit. Padded builds run the main form; what stretches and bursts of many
// operations add to it is no matter of layout.
func (e *evidence) overBuilds(r ruling, builds []*launch) func(n int) interval {
	m, part := r.metric, interval{}
	switch short := mWall.on(m.clock()); m.on(wall) {
	case longWall:
		m, part = short, over(values(r.used, r.metric), e.rule.PaddedAlpha)
	case manyWall:
		less := -mean(values(r.bursts, short))
		m, part = short, over(values(r.used, r.metric), e.rule.PaddedAlpha).plus(interval{mean: less, lo: less, hi: less})
	}
	if m.clock() == cpu && !hasCPU(builds) {
		m = m.on(wall)
	}
	return func(n int) interval { return over(values(builds[:n], m), e.rule.PaddedAlpha).plus(part) }
}

// askPadded asks for the next padded build, and says what the look takes at which
// builds like those so far would confirm the difference.
func (t *trial) askPadded(r *ruling, have int, at func(n int) interval) {
	looks := t.e.rule.PaddedLooks
	if have >= 2 {
		r.padded = at(have)
	}
	next, unlikely := looks[len(looks)-1], have >= looks[0]
	for _, n := range looks {
		// The half-width falls with the root of the builds.
		if n > have && (have < looks[0]/2 || r.padded.half()*math.Sqrt(float64(have)/float64(n)) < math.Abs(r.padded.mean)) {
			next, unlikely = n, false
			break
		}
	}
	each := meanSeconds(t.e.launches)
	if have > 0 {
		each = meanSeconds(t.e.paddedLaunches())
	}
	more := float64(next-have) * each
	r.doubt(study.Reason{Code: study.ReasonPaddedMissing, Took: seconds(more)})
	r.missing += more
	if r.want == nil {
		r.want = &study.Want{Form: t.e.main, Layout: have + 1, Unlikely: unlikely}
	}
}

// paddedLaunches lists the first launch on each padded build, up to the first
// that is missing.
func (e *evidence) paddedLaunches() []*launch {
	var ls []*launch
	for _, r := range e.recs { // sorted by form, build, launch
		if r.Form == e.main && r.Status == study.StatusOK && r.Layout == len(ls)+1 && r.Launch == 0 {
			ls = append(ls, &launch{rec: r, procs: e.processors()})
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
