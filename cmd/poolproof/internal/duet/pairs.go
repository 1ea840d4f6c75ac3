package duet

import (
	"context"
	"debug/buildinfo"
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
	return l.record(ctx, study.FormPairs, func(r *study.Record) (measured, error) {
		if info, err := buildinfo.ReadFile(l.Old.Binary); err == nil {
			r.Go = info.GoVersion
		}
		if info, err := buildinfo.ReadFile(l.New.Binary); err == nil && info.GoVersion != r.Go {
			r.GoNew = info.GoVersion
		}
		return l.pairs(ctx, r)
	})
}

func (l Launch) pairs(ctx context.Context, r *study.Record) (m measured, err error) {
	run := func(side string, benchtime string) (Slice, error) {
		m.turn = side
		s, leaf := l.Old, l.OldLeaf
		if side == "new" {
			s, leaf = l.New, l.NewLeaf
		}
		sl, cpu, err := once(ctx, s, leaf, benchtime, l.Timeout)
		m.cpu += cpu
		return sl, err
	}
	if l.Shape != nil {
		m.shape = *l.Shape
	} else {
		s, err := run("old", pairsSlice.String())
		if err != nil {
			return m, err
		}
		perOp := float64(s.Wall) / float64(max(s.N, 1))
		m.shape = Shape{N: int(min(maxN, max(1, float64(pairsSlice)/max(perOp, 1e-3)))), Pairs: pairsPerLaunch}
	}
	shape := m.shape
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
				return m, err
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
	return m, nil
}
