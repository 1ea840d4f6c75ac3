package duet

import (
	"context"
	"fmt"
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
	maxN      = 1_000_000_000
)

// calibrate finds N so that a slice of the process's current leaf takes about
// target inside its timer window, with a forced collection before each try.
// It returns the last slice.
func calibrate(ctx context.Context, p *Proc, target time.Duration) (int, Slice, error) {
	n := 1
	for {
		s, err := p.Run(ctx, n, true)
		if err != nil {
			return 0, s, err
		}
		took := float64(max(s.Wall, 1))
		ratio := float64(target) / took
		if ratio <= 1/0.7 || n >= maxN {
			return int(min(maxN, max(1, float64(n)*ratio))), s, nil
		}
		next := 1.1 * ratio * float64(n)
		n = int(min(maxN, max(float64(n+1), min(next, 100*float64(n)))))
	}
}

// shapeOf finds the shape for one form of the rule. A slice's real time
// includes the benchmark's set-up, which runs anew in each slice outside of
// the timer window. Where that takes longer than the slice, slices are made
// longer and fewer, and the shape says so.
func shapeOf(ctx context.Context, p *Proc, r study.Rule, form study.Form) (Shape, error) {
	target, pairs, warm := time.Duration(r.Slice), r.Pairs, r.WarmUp
	if form == study.FormLong {
		target, pairs, warm = time.Duration(r.LongSlice), r.LongPairs, 1
	}
	one, err := p.Run(ctx, 1, false)
	if err != nil {
		return Shape{}, err
	}
	n, s, err := calibrate(ctx, p, target)
	if err != nil {
		return Shape{}, err
	}
	// The forced collection of calibration is no part of a measured slice.
	if s, err = p.Run(ctx, n, false); err != nil {
		return Shape{}, err
	}
	note := ""
	if setup := one.Real - time.Duration(one.Wall+one.DrainW); setup > 2*target {
		target = min(setup, slowSlice)
		if n, _, err = calibrate(ctx, p, target); err != nil {
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
	sh := Shape{N: n, Pairs: pairs, WarmUp: warm}
	least := minPairs
	if s.Real > slowSlice {
		least = fewPairs
	}
	if form == study.FormLong {
		return sh, nil
	}
	if fit := int(launchTarget / (2 * max(s.Real, 1))); fit < pairs*3/4 {
		sh.Pairs = min(pairs, max(least, fit))
		sh.WarmUp = min(warm, max(1, sh.Pairs/5))
		if note == "" && sh.Pairs < pairs/2 {
			note = ", because a slice takes that long with what happens outside of its timer window"
		}
		if note != "" {
			sh.Note = fmt.Sprintf("%d pairs of %s a launch%s", sh.Pairs, round(s.Real), note)
		}
	}
	return sh, nil
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
	s := Shape{N: r.N, Pairs: r.Old.Len(), WarmUp: rule.WarmUp, Note: r.Note}
	switch {
	case r.Form == study.FormLong:
		s.WarmUp = 1
	case s.Pairs < rule.PairsQuiet:
		s.WarmUp = min(rule.WarmUp, max(1, s.Pairs/5))
	}
	return s
}
