package duet

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Pace runs n operations of the current leaf, each a period after the other,
// until the window of n periods is over. A benchmark that does not use b.Loop
// gives a *BenchError, as one that fails does.
func (p *Proc) Pace(ctx context.Context, n int, period time.Duration) (Slice, error) {
	start := time.Now()
	line, err := p.order(ctx, fmt.Sprintf("pace %d %d", n, period.Nanoseconds()))
	real := time.Since(start)
	if err != nil {
		return Slice{}, err
	}
	s, err := parsePaced(line)
	s.Real = real
	return s, err
}

// parsePaced reads the server's answer to a pace command: the word paced,
// four integers, then what parseSlice reads.
func parsePaced(line string) (Slice, error) {
	f := strings.SplitN(line, " ", 6)
	if f[0] != "paced" || len(f) < 6 {
		return Slice{}, fmt.Errorf("unexpected answer %q", line)
	}
	var v [4]int64
	for i := range v {
		var err error
		if v[i], err = strconv.ParseInt(f[i+1], 10, 64); err != nil {
			return Slice{}, fmt.Errorf("unexpected answer %q", line)
		}
	}
	s, err := parseSlice(f[5])
	s.Late, s.Price, s.PricePause, s.Room, s.paced = v[0], v[1], v[2], uint64(v[3]), true
	return s, err
}

// RunPaced measures the launch at its fixed rate. It is Run for
// study.FormRate: nothing is calibrated, the pace says how many operations a
// slice has.
func (l Launch) RunPaced(ctx context.Context) (study.Record, Shape, error) {
	l.Timeout += 2 * time.Duration(l.Pace.Window)
	return l.record(ctx, study.FormRate, func(r *study.Record) (m measured, err error) {
		p := &pair{}
		m.shape = Shape{N: l.Pace.Ops(), Pairs: l.Pace.Pairs(), WarmUp: 1}
		err = l.measurePaced(ctx, p, m.shape, r)
		m.cpu, m.turn = p.close(), p.turn
		return m, err
	})
}

func (l Launch) measurePaced(ctx context.Context, p *pair, shape Shape, r *study.Record) error {
	coin := l.coins()
	if err := l.startBoth(ctx, p, coin()); err != nil {
		return err
	}
	r.Go, r.N = p.old.Version, shape.N
	if p.new.Version != p.old.Version {
		r.GoNew = p.new.Version
	}
	period := l.Pace.Period()
	run := func(side string, n int) (Slice, error) {
		p.turn = side
		if side == "new" {
			return p.new.Pace(ctx, n, period)
		}
		return p.old.Pace(ctx, n, period)
	}
	for _, side := range inOrder(coin()) {
		if _, err := run(side, l.Pace.WarmUp()); err != nil {
			return err
		}
	}
	for range shape.Pairs {
		newFirst := coin()
		for _, side := range inOrder(newFirst) {
			s, err := run(side, shape.N)
			if err != nil {
				return err
			}
			if side == "new" {
				add(&r.New, s)
			} else {
				add(&r.Old, s)
			}
		}
		r.NewFirst = append(r.NewFirst, newFirst)
	}
	mean(&r.Old)
	mean(&r.New)
	return nil
}

// inOrder is the order of the two sides.
func inOrder(newFirst bool) [2]string {
	if newFirst {
		return [2]string{"new", "old"}
	}
	return [2]string{"old", "new"}
}

// startBoth starts the two processes and brings them to their leaves.
func (l Launch) startBoth(ctx context.Context, p *pair, newFirst bool) error {
	for _, side := range inOrder(newFirst) {
		s, leaf := l.Old, l.OldLeaf
		if side == "new" {
			s, leaf = l.New, l.NewLeaf
		}
		if err := p.start(ctx, side, s, leaf, l.Timeout); err != nil {
			return err
		}
	}
	return nil
}
