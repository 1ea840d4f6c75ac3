package duet

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// measuring is a launch at work.
type measuring struct {
	Launch
	coin  func() bool
	procs [2]*Proc // by side; nil where each burst is a process of its own
	shape Shape
	turn  study.Side    // that was asked last: it is to blame for what goes wrong
	cpu   time.Duration // of the processes that have ended
}

// record frames the measuring of one launch: what is known before, the load
// of the machine meanwhile, and a record of the failure where a benchmark
// cannot be measured.
func (m *measuring) record(ctx context.Context, measure func(context.Context, *study.Record) error) (study.Record, Shape, error) {
	host, _ := os.Hostname()
	r := study.Record{
		Schema: study.Schema, Plan: m.Plan, Comparison: m.Comparison, Form: m.Form, Layout: m.Layout, Launch: m.Number,
		Status: study.StatusOK, Started: time.Now().UTC().Truncate(time.Millisecond), Machine: host,
	}
	meter, start := startLoad(), time.Now()
	err := measure(ctx, &r)
	m.close()
	r.Seconds = time.Since(start).Seconds()
	r.Load = meter.end(m.cpu)
	var failed *BenchError
	if errors.As(err, &failed) && ctx.Err() == nil {
		r.Status, r.Error, r.FailedSide = failed.Status, failed.Text, m.turn.String()
		r.Baseline, r.Candidate, r.CandidateFirst = study.Columns{}, study.Columns{}, nil
		return r, m.shape, nil
	}
	return r, m.shape, err
}

// close ends the processes.
func (m *measuring) close() {
	for _, p := range m.procs {
		if p != nil {
			p.Leave()
			m.cpu += p.CPU()
		}
	}
}

// run runs a burst of a side.
func (m *measuring) run(ctx context.Context, side study.Side, n int, forceGC bool) (Burst, error) {
	m.turn = side
	return m.procs[side].Run(ctx, n, forceGC)
}

// pairs runs the pairs that the record still lacks. A coin says for each of them
// which side goes first. Each form of launch that has pairs ends with it.
func (m *measuring) pairs(ctx context.Context, r *study.Record, pairs int, run func(ctx context.Context, side study.Side, n int) (Burst, error)) error {
	for len(r.CandidateFirst) < pairs {
		candidateFirst := m.coin()
		for _, side := range inOrder(candidateFirst) {
			m.turn = side
			b, err := run(ctx, side, m.shape.N[side])
			if err != nil {
				return err
			}
			r.Columns(side).Append(b.Burst)
		}
		r.CandidateFirst = append(r.CandidateFirst, candidateFirst)
	}
	for _, side := range study.Sides {
		r.Columns(side).Close()
	}
	return nil
}

// inOrder is the order of the two sides.
func inOrder(candidateFirst bool) [2]study.Side {
	if candidateFirst {
		return [2]study.Side{study.Candidate, study.Baseline}
	}
	return study.Sides
}

// startBoth starts the two processes in the order of a coin, which it returns,
// and brings them to their leaves.
func (m *measuring) startBoth(ctx context.Context, r *study.Record) (sides [2]study.Side, err error) {
	sides = inOrder(m.coin())
	for _, side := range sides {
		if err := m.start(ctx, side); err != nil {
			return sides, err
		}
	}
	if r.Go = m.procs[study.Baseline].Version; m.procs[study.Candidate].Version != r.Go {
		r.GoCandidate = m.procs[study.Candidate].Version
	}
	return sides, nil
}

// start starts one side and brings it to its leaf.
func (m *measuring) start(ctx context.Context, side study.Side) (err error) {
	m.turn = side
	leaf := m.Leaves[side]
	p, err := Start(ctx, m.Programs[side], Pattern(leaf), m.Timeout)
	if err != nil {
		return err
	}
	m.procs[side], p.expected = p, leaf
	for { // the pattern of a/b matches a leaf a/b/c too
		got, err := p.Next(ctx)
		if errors.Is(err, io.EOF) {
			text := leaf + " is not there: no benchmark of that name, or it skipped itself"
			if why, ok := p.ranNothing(); ok {
				text = leaf + " is not there: " + why
			}
			return &BenchError{study.StatusFailed, text}
		}
		if err != nil || got == leaf {
			return err
		}
	}
}
