package duet

import (
	"context"
	"debug/buildinfo"
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// The fallback where the toolchain cannot be instrumented: one process of the
// plain test binary a slice, in pairs of random order. There is no CPU time
// inside the timer window and no count of collections, and the error is
// larger; the plan says so.
const (
	pairsPerLaunch = 6
	pairsSlice     = 50 * time.Millisecond
)

// RunPairs measures the launch as process pairs. It is Run for
// study.EnginePairs.
func (l Launch) RunPairs(ctx context.Context) (study.Record, Shape, error) {
	host, _ := os.Hostname()
	r := study.Record{
		Schema: study.Schema, Plan: l.Plan, Comparison: l.Comparison, Form: study.FormPairs, Layout: l.Layout, Launch: l.Number,
		Status: study.StatusOK, Started: time.Now().UTC().Truncate(time.Millisecond), Machine: host,
	}
	meter, start := startLoad(), time.Now()
	if info, err := buildinfo.ReadFile(l.Old.Binary); err == nil {
		r.Go = info.GoVersion
	}
	used := time.Duration(0)
	shape, turn, err := l.pairs(ctx, &r, &used)
	r.Seconds = time.Since(start).Seconds()
	r.Load = meter.end(used)
	var failed *BenchError
	if errors.As(err, &failed) && ctx.Err() == nil {
		r.Status, r.Error, r.FailedSide = failed.Status, failed.Text, turn
		r.Old, r.New, r.NewFirst = study.Columns{}, study.Columns{}, nil
		return r, shape, nil
	}
	return r, shape, err
}

func (l Launch) pairs(ctx context.Context, r *study.Record, used *time.Duration) (shape Shape, turn string, err error) {
	run := func(side string, benchtime string) (Slice, error) {
		turn = side
		s, leaf := l.Old, l.OldLeaf
		if side == "new" {
			s, leaf = l.New, l.NewLeaf
		}
		sl, cpu, err := once(ctx, s, leaf, benchtime, l.Timeout)
		*used += cpu
		return sl, err
	}
	if l.Shape != nil {
		shape = *l.Shape
	} else {
		s, err := run("old", pairsSlice.String())
		if err != nil {
			return shape, turn, err
		}
		perOp := float64(s.Wall) / float64(max(s.N, 1))
		shape = Shape{N: int(min(maxN, max(1, float64(pairsSlice)/max(perOp, 1e-3)))), Pairs: pairsPerLaunch}
	}
	r.N = shape.N
	coin := l.coins()
	for range shape.Pairs {
		newFirst := coin()
		order := [2]string{"old", "new"}
		if newFirst {
			order = [2]string{"new", "old"}
		}
		for _, side := range order {
			s, err := run(side, strconv.Itoa(shape.N)+"x")
			if err != nil {
				return shape, turn, err
			}
			c := &r.Old
			if side == "new" {
				c = &r.New
			}
			c.Wall = append(c.Wall, s.Wall)
			c.Allocs = append(c.Allocs, s.Allocs)
			c.Bytes = append(c.Bytes, s.Bytes)
			addExtra(c, s.Extra)
		}
		r.NewFirst = append(r.NewFirst, newFirst)
	}
	mean(&r.Old)
	mean(&r.New)
	return shape, turn, nil
}
