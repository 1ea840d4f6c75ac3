package duet

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Launch is one fresh pair of processes to measure. It is a plain value; Run
// changes nothing in it.
type Launch struct {
	Plan       string // Plan.Digest
	Seed       uint64 // of the coins, with the fields that say which launch this is
	Rule       study.Rule
	Comparison string
	Form       study.Form
	Layout     int
	Number     int           // of the launch
	Programs   [2]Program    // by side
	Leaves     [2]string     // by side: full names of the benchmarks
	Pace       study.Pace    // of FormRate
	Shape      *Shape        // nil: calibrate
	Limit      time.Duration // as long as the launch may take, as far as fewer pairs can help; 0: no limit
	Timeout    time.Duration // of one answer
}

// Run measures the launch in the way of its form. A benchmark that cannot be
// measured gives a record with its status; an error is returned only when ctx
// ends or the environment fails, and then nothing is to be recorded. The shape is
// that of l, or the one just found.
func (l Launch) Run(ctx context.Context) (study.Record, Shape, error) {
	m := &measuring{Launch: l, coin: l.coins()}
	switch l.Form {
	case study.FormRate:
		return m.record(ctx, m.paced)
	case study.FormPairs:
		return m.record(ctx, m.apart)
	case study.FormStretch:
		return m.record(ctx, m.stretches)
	default:
		return m.record(ctx, m.duet)
	}
}

// duet measures bursts of two live processes in turn.
func (m *measuring) duet(ctx context.Context, r *study.Record) error {
	sides, err := m.startBoth(ctx, r)
	if err != nil {
		return err
	}
	first, err := m.findShape(ctx, sides)
	if err != nil {
		return err
	}
	m.shape.describe(r)
	if r.Processor, err = m.warmUp(ctx, sides); err != nil {
		return err
	}
	if first != nil {
		for i, side := range sides {
			r.Columns(side).Append(first[i].Burst)
		}
		r.CandidateFirst = append(r.CandidateFirst, sides[0] == study.Candidate)
	}
	if err := m.pairs(ctx, r, m.pairsNow(r), func(ctx context.Context, side study.Side, n int) (Burst, error) {
		return m.run(ctx, side, n, false)
	}); err != nil || r.Pairs == 0 || m.shape.Soak < shortBursts {
		return err
	}
	return m.manifold(ctx, r)
}

// manifold ends the first launch with bursts of many times as many operations: a
// benchmark whose operation costs another time then has a cost that depends on b.N.
func (m *measuring) manifold(ctx context.Context, r *study.Record) error {
	for range manifoldPairs {
		for _, side := range inOrder(m.coin()) {
			b, err := m.run(ctx, side, study.Manifold*m.shape.N[side], false)
			if err != nil {
				return err
			}
			c := r.Columns(side)
			c.Manifold = append(c.Manifold, b.Wall)
		}
	}
	return nil
}

const (
	manifoldPairs = 4   // of these bursts
	shortBursts   = 100 // in the first launch: with fewer, 32 times one takes too long
)

// findShape calibrates the two sides, in the order given, unless the shape is
// known. first is the first pair, if calibration measured it.
func (m *measuring) findShape(ctx context.Context, sides [2]study.Side) (first []Burst, err error) {
	if m.Shape != nil {
		m.shape = *m.Shape
		return nil, nil
	}
	s, first, err := shapeOf(ctx, m.runners(sides), m.Rule, m.Form, m.Limit)
	if sides[0] == study.Candidate {
		s.N[0], s.N[1] = s.N[1], s.N[0]
	}
	m.shape = s
	if err == nil && s.WarmUp > 0 {
		m.shape.OneThread, err = m.ofOneThread(ctx, sides)
	}
	return first, err
}

// pairsNow is how many pairs this launch has. The
// first launch of a comparison is longer: work that comes each 100,000 operations
// is in no process that ends before.
func (m *measuring) pairsNow(r *study.Record) int {
	s := m.shape
	if m.Layout == 0 && m.Number == 0 && s.Soak > 0 {
		r.Pairs = s.Pairs
		return s.Soak
	}
	return s.Pairs
}

// runners are the two sides as calibration runs them, in the order given.
func (m *measuring) runners(sides [2]study.Side) (r [2]runner) {
	for i, side := range sides {
		r[i] = func(ctx context.Context, n int, gc bool) (Burst, error) { return m.run(ctx, side, n, gc) }
	}
	return r
}

// coins returns a fair coin that depends on the plan's seed and on which
// launch this is, so that a resumed run tosses as an unbroken one.
func (l Launch) coins() func() bool {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d %d", l.Comparison, l.Form, l.Layout, l.Number)
	rng := rand.New(rand.NewPCG(l.Seed, h.Sum64()))
	return func() bool { return rng.Uint64()&1 == 1 }
}

// Pattern returns the -test.bench pattern that matches exactly the benchmark
// of that full name.
func Pattern(leaf string) string {
	parts := strings.Split(leaf, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}
