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
func (p *Proc) Pace(ctx context.Context, n int, period time.Duration) (Burst, error) {
	start := time.Now()
	line, err := p.order(ctx, fmt.Sprintf("pace %d %d", n, period.Nanoseconds()))
	real := time.Since(start)
	if err != nil {
		return Burst{}, err
	}
	s, err := parsePaced(line)
	s.Real = real
	return s, err
}

// parsePaced reads the server's answer to a pace command: the word paced,
// four integers, then what parseBurst reads.
func parsePaced(line string) (Burst, error) {
	f := strings.SplitN(line, " ", 6)
	if f[0] != "paced" || len(f) < 6 {
		return Burst{}, fmt.Errorf("unexpected answer %q", line)
	}
	var v [4]int64
	for i := range v {
		var err error
		if v[i], err = strconv.ParseInt(f[i+1], 10, 64); err != nil {
			return Burst{}, fmt.Errorf("unexpected answer %q", line)
		}
	}
	s, err := parseBurst(f[5])
	s.Late, s.Price, s.PricePause, s.Room, s.Seen = v[0], v[1], v[2], uint64(v[3]), study.SeenPaced
	return s, err
}

// paced measures the launch at its fixed rate. Nothing is calibrated: the pace
// says how many operations a burst has.
func (m *measuring) paced(ctx context.Context, r *study.Record) error {
	m.Timeout += 2 * time.Duration(m.Pace.Window)
	m.shape = Shape{N: [2]int{m.Pace.Ops(), m.Pace.Ops()}, Pairs: m.Pace.Pairs(), WarmUp: 1}
	m.shape.describe(r)
	sides, err := m.startBoth(ctx, r)
	if err != nil {
		return err
	}
	run := func(ctx context.Context, side study.Side, n int) (Burst, error) {
		return m.procs[side].Pace(ctx, n, m.Pace.Period())
	}
	for _, side := range sides {
		m.turn = side
		if _, err := run(ctx, side, m.Pace.WarmUp()); err != nil {
			return err
		}
	}
	return m.pairs(ctx, r, m.shape.Pairs, run)
}
