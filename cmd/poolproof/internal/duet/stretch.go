package duet

import (
	"context"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// stretches measures each side alone: the other process is stopped meanwhile. In
// pairs of bursts, what a program does by the clock (a refresh each 40 ms) comes
// while the other side works too, and so twice as often an operation as in a
// program that runs by itself.
//
// Before its stretch a side runs bursts that are discarded, for a time that coins
// draw: what fell due while the process was stopped comes there, and a period does
// not begin at the same place of each stretch.
func (m *measuring) stretches(ctx context.Context, r *study.Record) error {
	sides, err := m.startBoth(ctx, r)
	if err != nil {
		return err
	}
	if _, err := m.findShape(ctx, sides); err != nil {
		return err
	}
	m.shape.describe(r)
	defer func() {
		for _, p := range m.procs {
			p.resume() // to end
		}
	}()
	for i, side := range sides {
		m.procs[sides[1-i]].stop()
		m.procs[side].resume()
		for start, head := time.Now(), m.head(); ; {
			if _, err := m.run(ctx, side, m.shape.N[side], false); err != nil {
				return err
			}
			if time.Since(start) >= head {
				break
			}
		}
		for range m.shape.Pairs {
			b, err := m.run(ctx, side, m.shape.N[side], false)
			if err != nil {
				return err
			}
			r.Columns(side).Append(b.Burst)
		}
		r.Columns(side).Close()
	}
	for range m.shape.Pairs { // one coin a launch
		r.CandidateFirst = append(r.CandidateFirst, sides[0] == study.Candidate)
	}
	return nil
}

// head draws how long a side runs before its stretch, between a third of the
// rule's head and all of it.
func (m *measuring) head() time.Duration {
	const bits = 10
	n := 0
	for range bits {
		n *= 2
		if m.coin() {
			n++
		}
	}
	most := time.Duration(m.Rule.Head)
	return most/3 + most*2/3*time.Duration(n)/(1<<bits)
}
