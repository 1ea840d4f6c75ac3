package duet

import (
	"context"
	"debug/buildinfo"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// The fallback where the toolchain cannot be instrumented: one process of the
// plain test binary a burst, in pairs of random order. There is no CPU time
// inside the timer window and no count of collections, and the error is
// larger; the plan says so.
const (
	pairsPerLaunch = 6
	pairsBurst     = 50 * time.Millisecond
)

// apart measures the launch as process pairs, for study.EnginePairs.
func (m *measuring) apart(ctx context.Context, r *study.Record) error {
	if info, err := buildinfo.ReadFile(m.Programs[study.Baseline].Binary); err == nil {
		r.Go = info.GoVersion
	}
	if info, err := buildinfo.ReadFile(m.Programs[study.Candidate].Binary); err == nil && info.GoVersion != r.Go {
		r.GoCandidate = info.GoVersion
	}
	run := func(ctx context.Context, side study.Side, benchtime string) (Burst, error) {
		b, cpu, err := once(ctx, m.Programs[side], m.Leaves[side], benchtime, m.Timeout)
		m.cpu += cpu
		return b, err
	}
	if m.Shape != nil {
		m.shape = *m.Shape
	} else {
		b, err := run(ctx, study.Baseline, pairsBurst.String())
		if err != nil {
			return err
		}
		perOp := float64(b.Wall) / float64(max(b.N, 1))
		n := int(min(maxN, max(1, float64(pairsBurst)/max(perOp, 1e-3))))
		m.shape = Shape{N: [2]int{n, n}, Pairs: pairsPerLaunch}
	}
	m.shape.describe(r)
	return m.pairs(ctx, r, m.shape.Pairs, func(ctx context.Context, side study.Side, n int) (Burst, error) {
		return run(ctx, side, strconv.Itoa(n)+"x")
	})
}
