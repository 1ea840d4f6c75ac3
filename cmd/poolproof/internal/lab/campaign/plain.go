package campaign

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/perf/benchmath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const (
	// benchstatCount is the -count that benchstat's own documentation asks for.
	benchstatCount = 10
	// truthPairs and truthTime shape the long runs of a cell of known garbage.
	truthPairs = 10
	truthTime  = 500 * time.Millisecond
	// longPairs are those of a question about whole costs, which has a time of its
	// own for each run.
	longPairs = 6
)

// benchstat measures as everybody does: go test -bench -count=10 of one side,
// then of the other, in the measuring time that the paired A/A task spent, and
// the Mann-Whitney test of benchstat.
func (c *campaign) benchstat(ctx context.Context, t Task) (Result, error) {
	start := time.Now()
	// testing runs a benchmark for about 1.2 to 2 times its -benchtime in all,
	// ramp-up included.
	each := time.Duration(c.done[t.Pair].Spent) / (2 * benchstatCount) * 2 / 3
	var samples [2]*benchmath.Sample
	for i, leaf := range []string{t.Baseline, t.Candidate} {
		ns, err := c.b.Plain(ctx, leaf, nil, max(each, time.Millisecond), benchstatCount)
		if err != nil {
			return Result{}, err
		}
		samples[i] = benchmath.NewSample(ns, &benchmath.DefaultThresholds)
	}
	cmp := benchmath.AssumeNothing.Compare(samples[0], samples[1])
	old := benchmath.AssumeNothing.Summary(samples[0], 0.95).Center
	new := benchmath.AssumeNothing.Summary(samples[1], 0.95).Center
	return Result{P: cmp.P, Effect: new/old - 1, Spent: study.Duration(time.Since(start))}, nil
}

// truth alternates long runs of the plain binary, in random order, each in a
// process of its own: the total time with all collections paid.
func (c *campaign) truth(ctx context.Context, t Task, pairs int, benchtime time.Duration) (Result, error) {
	start := time.Now()
	rng := rand.New(rand.NewPCG(1, uint64(len(t.ID))))
	var logs []float64
	for range pairs {
		var ns [2]float64
		order := []int{0, 1}
		if rng.IntN(2) == 1 {
			order = []int{1, 0}
		}
		for _, side := range order {
			v, err := c.b.Plain(ctx, []string{t.Baseline, t.Candidate}[side], t.Cell, benchtime, 1)
			if err != nil {
				return Result{}, err
			}
			ns[side] = v[0]
		}
		logs = append(logs, math.Log(ns[1]/ns[0]))
	}
	mid, lo, hi := overPairs(logs)
	return Result{Effect: math.Expm1(mid), Lo: math.Expm1(lo), Hi: math.Expm1(hi), Spent: study.Duration(time.Since(start))}, nil
}

// overPairs is the median of pairs and the order-statistic interval of at least
// 95 %: from the second to the ninth of ten pairs, from the first to the last of
// six. It sorts the pairs, which are even in number.
func overPairs(logs []float64) (mid, lo, hi float64) {
	slices.Sort(logs)
	n, out := len(logs), 0
	if n >= truthPairs {
		out = 1
	}
	return (logs[n/2-1] + logs[n/2]) / 2, logs[out], logs[n-1-out]
}
