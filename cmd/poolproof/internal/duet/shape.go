package duet

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Shape is how a launch of one comparison is cut into slices. It is found
// once, on the baseline, and serves both sides and all launches on a machine.
type Shape struct {
	N      int // operations a slice
	Pairs  int
	WarmUp int
	Note   string // where it differs from the rule, for the record
}

const (
	// launchTarget bounds the measured part of a launch whose slices are long.
	launchTarget = 800 * time.Millisecond
	// minPairs is the least number of pairs of a launch; the median of fewer
	// says little.
	minPairs = 10
	// fewPairs is what minPairs falls to when a slice takes longer than
	// slowSlice: ten pairs would eat the budget of a comparison in one launch.
	fewPairs  = 5
	slowSlice = 100 * time.Millisecond
	// mostSlice bounds what a slice's operations take beside its set-up, timer
	// running or not.
	mostSlice = 250 * time.Millisecond
	maxN      = 1_000_000_000
)

// calibrate finds N so that a slice of the process's current leaf takes about
// target inside its timer window, with a forced collection before each try.
// A slice whose operations take longer than mostSlice with what they do while
// the timer is stopped gets fewer.
//
// A slice in which the machine did something else is too long, and N would be
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
		for again := 0; again < 2 && done && s.Real <= slowSlice; again++ {
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
type runner func(ctx context.Context, n int, forceGC bool) (Slice, error)

// nextN is one step of calibration: from a slice of n operations to N, if
// done, or to the number to try next. first is the real time of a slice of one
// operation.
func nextN(n int, s Slice, first, target time.Duration) (next int, done bool) {
	ratio := float64(target) / float64(max(s.Wall, 1))
	limit := math.Inf(1)
	if more := s.Real - first; more > 0 {
		limit = float64(n) * float64(mostSlice) / float64(more)
	}
	if ratio <= 1/0.7 || n >= maxN || float64(n) >= limit {
		return int(min(maxN, max(1, min(float64(n)*ratio, limit)))), true
	}
	grown := min(1.1*ratio*float64(n), 100*float64(n), max(limit, 2))
	return int(min(maxN, max(float64(n+1), grown))), false
}

// shapeOf finds the shape for one form of the rule. A slice's real time
// includes the benchmark's set-up, which runs anew in each slice outside of
// the timer window. Where that takes longer than the slice, slices are made
// longer and fewer, and the shape says so.
func shapeOf(ctx context.Context, p *Proc, r study.Rule, form study.Form) (Shape, error) {
	target, pairs := time.Duration(r.Slice), r.Pairs
	if form == study.FormLong {
		target, pairs = time.Duration(r.LongSlice), r.LongPairs
	}
	setup, err := setUp(ctx, p, 2*target)
	if err != nil {
		return Shape{}, err
	}
	n, err := calibrate(ctx, p.Run, target)
	if err != nil {
		return Shape{}, err
	}
	// The forced collection of calibration is no part of a measured slice.
	s, err := p.Run(ctx, n, false)
	if err != nil {
		return Shape{}, err
	}
	note := ""
	if setup > 2*target {
		target = min(setup, slowSlice)
		if n, err = calibrate(ctx, p.Run, target); err != nil {
			return Shape{}, err
		}
		if s, err = p.Run(ctx, n, false); err != nil {
			return Shape{}, err
		}
		note = fmt.Sprintf(", because the set-up takes %s, longer than a slice", round(setup))
	} else if time.Duration(s.Wall) > 3*target {
		note = ", because an operation is longer than a slice"
	}
	if s.Allocs == 0 && form != study.FormLong {
		pairs = r.PairsQuiet
	}
	if form == study.FormLong {
		return Shape{N: n, Pairs: pairs, WarmUp: warmUp(r, form, pairs)}, nil
	}
	least := minPairs
	if s.Real > slowSlice {
		least = fewPairs
	}
	if fit := int(launchTarget / (2 * max(s.Real, 1))); fit < pairs*3/4 {
		few := min(pairs, max(least, fit))
		if note == "" && few < pairs/2 {
			note = ", because a slice takes that long with what happens outside of its timer window"
		}
		if note != "" {
			note = fmt.Sprintf("%d pairs of %s a launch%s", few, round(s.Real), note)
		}
		return Shape{N: n, Pairs: few, WarmUp: warmUp(r, form, few), Note: note}, nil
	}
	return Shape{N: n, Pairs: pairs, WarmUp: warmUp(r, form, pairs)}, nil
}

// setUp returns what a slice of one operation takes outside of its timer
// window: the least of three tries, because a busy machine may lengthen one. A
// try below enough ends them.
func setUp(ctx context.Context, p *Proc, enough time.Duration) (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	for range 3 {
		s, err := p.Run(ctx, 1, false)
		if err != nil {
			return 0, err
		}
		least = min(least, s.Real-time.Duration(s.Wall+s.DrainW))
		if least <= enough {
			break
		}
	}
	return least, nil
}

// warmUp is the number of warm-up slices a side. It depends on nothing that a
// record does not hold, so that a resumed run warms up as an unbroken one.
func warmUp(r study.Rule, form study.Form, pairs int) int {
	switch {
	case form == study.FormPairs:
		return 0
	case form == study.FormLong:
		return 1
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
	return Shape{N: r.N, Pairs: r.Old.Len(), WarmUp: warmUp(rule, r.Form, r.Old.Len()), Note: r.Note}
}
