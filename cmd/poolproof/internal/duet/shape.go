package duet

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Shape is how a launch of one comparison is cut into bursts. It is found once,
// on both sides, and serves all launches on a machine.
type Shape struct {
	N      [2]int // operations a burst, by side
	Pairs  int
	Soak   int // pairs of the first launch, if more
	WarmUp int
	// OneThread: the work of both sides is that of one thread each.
	OneThread bool
	Note      string // where it differs from the rule, for the record
}

// describe says in the record what its bursts are.
func (s Shape) describe(r *study.Record) {
	r.N, r.Note = s.N[study.Baseline], s.Note
	if n := s.N[study.Candidate]; n != r.N {
		r.NCandidate = n
	}
}

const (
	// launchTarget bounds the measured part of a launch whose bursts are long.
	launchTarget = 800 * time.Millisecond
	// minPairs is the least number of pairs of a launch; the median of fewer
	// says little.
	minPairs = 10
	// fewPairs replaces minPairs when a burst takes longer than
	// slowBurst: ten pairs would eat the budget of a comparison in one launch.
	fewPairs  = 5
	slowBurst = 100 * time.Millisecond
	// verySlow is a burst that is not repeated to see whether it was disturbed.
	verySlow = 5 * slowBurst
	// mostBurst bounds what a burst's operations take beside its set-up, timer
	// running or not.
	mostBurst = 250 * time.Millisecond
	maxN      = 1_000_000_000
)

// calibrate finds N so that a burst of the process's current leaf takes about
// target inside its timer window, with a forced collection before each try.
// A burst whose operations take longer than mostBurst with what they do while
// the timer is stopped gets fewer.
//
// A burst in which the machine did something else is too long, and N would be
// too small for all launches. So one that seems long enough is run again, unless
// it is slow: the shortest of three counts.
func calibrate(ctx context.Context, run runner, target time.Duration) (int, error) {
	n := 1
	var first time.Duration // real time with one operation: the set-up is in it
	for {
		s, err := run(ctx, n, true)
		if err != nil {
			return 0, err
		}
		if n == 1 {
			first = s.Real
		}
		next, done := nextN(n, s, first, target)
		for again := 0; again < 2 && done && s.Real <= slowBurst; again++ {
			t, err := run(ctx, n, true)
			if err != nil {
				return 0, err
			}
			if t.Wall < s.Wall {
				s = t
				if n == 1 {
					first = s.Real
				}
				next, done = nextN(n, s, first, target)
			}
		}
		if done {
			return next, nil
		}
		n = next
	}
}

// runner is Proc.Run.
type runner func(ctx context.Context, n int, forceGC bool) (Burst, error)

// nextN is one step of calibration: from a burst of n operations to N, if
// done, or to the number to try next. first is the real time of a burst of one
// operation.
func nextN(n int, s Burst, first, target time.Duration) (next int, done bool) {
	ratio := float64(target) / float64(max(s.Wall, 1))
	limit := math.Inf(1)
	if more := s.Real - first; more > 0 {
		limit = float64(n) * float64(mostBurst) / float64(more)
	}
	if ratio <= 1/0.7 || n >= maxN || float64(n) >= limit {
		return int(min(maxN, max(1, min(float64(n)*ratio, limit)))), true
	}
	grown := min(1.1*ratio*float64(n), 100*float64(n), max(limit, 2))
	return int(min(maxN, max(float64(n+1), grown))), false
}

// shapeOf finds the shape for one form of the rule. N is that of the slower
// side, so that no burst of either is longer than meant; where one side is more
// than unlike times as fast, each has its own. A burst's real time
// includes the benchmark's set-up, which runs again in each burst outside of the
// timer window. Where that takes longer than the burst, bursts are made longer
// and fewer, and the shape says so.
//
// limit is how long the launch may take, as far as the number of pairs can
// help; 0: no limit.
//
// first is the first pair, a burst of each side in the order of sides, where
// calibration has already measured it: its operations take so long that one is
// a burst, and nothing warms up before the first pair. It is nil elsewhere.
func shapeOf(ctx context.Context, sides [2]runner, r study.Rule, form study.Form, limit time.Duration) (s Shape, first []Burst, err error) {
	target, pairs := time.Duration(r.Burst), r.Pairs
	p, err := probeBoth(ctx, sides, target)
	if err != nil {
		return Shape{}, nil, err
	}
	note := ""
	if p.setup > 2*target {
		target = min(p.setup, slowBurst)
		setup := p.setup
		if p, err = probeBoth(ctx, sides, target); err != nil {
			return Shape{}, nil, err
		}
		note = fmt.Sprintf(", because the set-up takes %s, longer than a burst", round(setup))
	} else if p.longest > 3*target {
		note = ", because an operation is longer than a burst"
	}
	if form == study.FormStretch {
		return Shape{N: p.n, Pairs: max(fewPairs, bursts(r.Stretch, p.pair))}, nil, nil
	}
	if !p.allocates {
		pairs = r.PairsQuiet
	}
	few := fitting(pairs, p.pair)
	soak := bursts(r.Soak, p.pair)
	if limit > 0 {
		most := max(1, int(limit/max(p.pair, 1)))
		few, soak = min(few, most), min(soak, most)
	}
	if note == "" && few < pairs/2 {
		note = ", because a burst takes that long with what happens outside of its timer window"
	}
	if soak <= few {
		soak = 0
	}
	s = Shape{N: p.n, Pairs: few, Soak: soak, WarmUp: warmUp(r, few)}
	if few != pairs && note != "" {
		s.Note = fmt.Sprintf("%s of %s a launch%s", pairsText(few), round(p.pair/2), note)
	}
	if s.WarmUp == 0 {
		first = p.kept
	}
	return s, first, nil
}

// bursts is how many bursts of one side fill a time, where a pair takes so long.
func bursts(fill study.Duration, pair time.Duration) int {
	return int(2 * time.Duration(fill) / max(pair, 1))
}

func pairsText(n int) string {
	if n == 1 {
		return "1 pair"
	}
	return fmt.Sprintf("%d pairs", n)
}

// fitting is how many pairs a launch has whose pairs take so long.
func fitting(pairs int, pair time.Duration) int {
	least := minPairs
	if pair > 2*slowBurst {
		least = fewPairs
	}
	if fit := int(launchTarget / max(pair, 1)); fit < pairs*3/4 {
		return min(pairs, max(least, fit))
	}
	return pairs
}

// probe is the result of calibration.
type probe struct {
	n         [2]int        // in the order of the sides
	setup     time.Duration // the longer one of both sides
	pair      time.Duration // real time of a burst of each side
	longest   time.Duration // the longer burst, inside its timer window
	allocates bool          // either side
	kept      []Burst       // a burst of each side, as good as a measured one; nil if there is none
}

// steady runs a burst that is slow once more, unless it is very slow, and returns
// the faster one: where the machine did something else for a while, the burst
// would be taken for one whose operation is as long as that.
func (run runner) steady(ctx context.Context, n int, forceGC bool) (Burst, error) {
	s, err := run(ctx, n, forceGC)
	if err != nil || s.Real <= slowBurst || s.Real > verySlow {
		return s, err
	}
	t, err := run(ctx, n, forceGC)
	if t.Real < s.Real {
		s = t
	}
	return s, err
}

// unlike is how many times as fast one side must be for an N of its own. Below
// that the smaller one serves both: what a benchmark does once a burst inside its
// window is then in each operation alike.
const unlike = 4

// slower returns the side whose bursts hold so few operations beside the other's
// that each needs an N of its own, or -1.
func slower(ns [2]int) int {
	switch {
	case ns[0] >= unlike*ns[1]:
		return 1
	case ns[1] >= unlike*ns[0]:
		return 0
	}
	return -1
}

// probeBoth calibrates each side, in the order given.
func probeBoth(ctx context.Context, sides [2]runner, target time.Duration) (p probe, err error) {
	var ns [2]int
	var bursts [2]Burst
	for i := range sides {
		sides[i] = sides[i].steady
	}
	for i, run := range sides {
		// No collection is forced: testing has just done that, before it ran the
		// benchmark once by itself, and a burst of seconds may be kept.
		first, err := run(ctx, 1, false)
		if err != nil {
			return p, err
		}
		ns[i], bursts[i] = 1, first
		if first.Real > slowBurst && time.Duration(first.Wall) > target { // an operation is as long as that
			continue
		}
		setup, err := setUp(ctx, run, 2*target)
		if err != nil {
			return p, err
		}
		p.setup = max(p.setup, setup)
		if ns[i], err = calibrate(ctx, run, target); err != nil {
			return p, err
		}
		bursts[i].Real = 0 // to be measured with the common N
	}
	if slow := slower(ns); slow >= 0 && bursts[slow].Real == 0 {
		// Or the machine was elsewhere while that side was calibrated, and equal
		// sides would be given unlike bursts.
		again, err := calibrate(ctx, sides[slow], target)
		if err != nil {
			return p, err
		}
		ns[slow] = max(ns[slow], again)
	}
	if p.n = ns; slower(ns) < 0 {
		p.n[0] = min(ns[0], ns[1])
		p.n[1] = p.n[0]
	}
	if bursts[0].Real > verySlow && bursts[1].Real > verySlow {
		p.kept = bursts[:]
	}
	for i, run := range sides {
		if bursts[i].Real == 0 {
			if bursts[i], err = least(ctx, run, p.n[i]); err != nil {
				return p, err
			}
		}
		s := bursts[i]
		p.pair += s.Real
		p.longest = max(p.longest, time.Duration(s.Wall))
		p.allocates = p.allocates || s.Allocs > 0
	}
	return p, nil
}

// least runs a burst three times, once if it is slow, and returns the least of
// all that was seen: the machine may have done something else in one, or the
// runtime have allocated. The forced collection of calibration is no part of a
// measured burst.
func least(ctx context.Context, run runner, n int) (Burst, error) {
	s, err := run(ctx, n, false)
	for again := 0; again < 2 && err == nil && s.Real <= slowBurst; again++ {
		var t Burst
		if t, err = run(ctx, n, false); err == nil {
			s.Real, s.Wall, s.Allocs = min(s.Real, t.Real), min(s.Wall, t.Wall), min(s.Allocs, t.Allocs)
		}
	}
	return s, err
}

// setUp returns what a burst of one operation takes outside of its timer
// window: the least of three tries, because a busy machine may lengthen one. A
// try below enough ends them.
func setUp(ctx context.Context, run runner, enough time.Duration) (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	for range 3 {
		s, err := run(ctx, 1, false)
		if err != nil {
			return 0, err
		}
		least = min(least, s.Real-time.Duration(s.Wall+s.DrainW))
		if least <= enough || s.Real > slowBurst {
			break
		}
	}
	return least, nil
}

// warmUp is the number of warm-up bursts a side. It depends on nothing that a
// record does not hold, so that a resumed run warms up as an unbroken one.
func warmUp(r study.Rule, pairs int) int {
	switch {
	case pairs <= 2: // operations of seconds: warming up would take as long as measuring
		return 0
	case pairs == r.Pairs || pairs == r.PairsQuiet:
		return r.WarmUp
	default:
		return min(r.WarmUp, max(1, pairs/5))
	}
}

// round shortens a duration for people.
func round(d time.Duration) time.Duration {
	switch {
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	case d > time.Millisecond:
		return d.Round(100 * time.Microsecond)
	default:
		return d.Round(100 * time.Nanosecond)
	}
}

// ShapeOf returns the shape that a recorded launch had.
func ShapeOf(r study.Record, rule study.Rule) Shape {
	s := Shape{N: [2]int{r.Ops(study.Baseline), r.Ops(study.Candidate)}, Pairs: r.Baseline.Len(), OneThread: r.Processor > 0, Note: r.Note}
	if r.Pairs > 0 {
		s.Soak, s.Pairs = s.Pairs, r.Pairs
	}
	if r.Form == study.FormBursts {
		s.WarmUp = warmUp(rule, s.Pairs)
	}
	return s
}
