package duet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"golang.org/x/perf/benchfmt"

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
		}
		r.NewFirst = append(r.NewFirst, newFirst)
	}
	return shape, turn, nil
}

// once runs one benchmark in one process and reads what it prints.
func once(ctx context.Context, s Side, leaf, benchtime string, timeout time.Duration) (Slice, time.Duration, error) {
	all, cpu, err := runPlain(ctx, s, leaf, timeout, "-test.bench="+Pattern(leaf), "-test.benchmem", "-test.benchtime="+benchtime)
	if err != nil {
		return Slice{}, cpu, err
	}
	r := benchfmt.NewReader(all, leaf)
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			return sliceOf(res), cpu, nil
		}
	}
	return Slice{}, cpu, &BenchError{study.StatusFailed, leaf + " is not there: no benchmark of that name, or it skipped itself"}
}

// Plain runs one benchmark count times in one process of a binary without
// instruments and returns the nanoseconds per operation of each run.
func Plain(ctx context.Context, s Side, leaf string, benchtime time.Duration, count int, timeout time.Duration) ([]float64, error) {
	all, _, err := runPlain(ctx, s, leaf, timeout, "-test.bench="+Pattern(leaf),
		"-test.benchtime="+benchtime.String(), "-test.count="+strconv.Itoa(count))
	if err != nil {
		return nil, err
	}
	var ns []float64
	r := benchfmt.NewReader(all, leaf)
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			if v, ok := res.Value("sec/op"); ok {
				ns = append(ns, v*1e9)
			}
		}
	}
	if len(ns) != count {
		return ns, &BenchError{study.StatusFailed, fmt.Sprintf("%s printed %d results, not %d", leaf, len(ns), count)}
	}
	return ns, nil
}

// runPlain runs a binary without instruments to its end and returns what it
// printed and its CPU time. Whatever goes wrong in it is a *BenchError.
func runPlain(ctx context.Context, s Side, leaf string, timeout time.Duration, args ...string) (*bytes.Buffer, time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, s.Binary, append([]string{"-test.run=^$", "-test.timeout=0"}, args...)...)
	cmd.Dir = s.Dir
	cmd.Env = append(append(os.Environ(), "PWD="+s.Dir), s.Env...)
	ownGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	cmd.WaitDelay = time.Second
	p := &Proc{cmd: cmd, leaf: leaf, output: new(tail), errors: new(tail), timeout: timeout}
	var all bytes.Buffer
	cmd.Stdout, cmd.Stderr = &all, p.errors
	err := cmd.Run()
	killGroup(cmd)
	cpu := p.CPU()
	p.output.Write(all.Bytes())
	if ctx.Err() != nil {
		return nil, cpu, ctx.Err()
	}
	if limited.Err() != nil {
		return nil, cpu, &BenchError{study.StatusTimeout, fmt.Sprintf("%s did not end in %v: it hangs, or needs a longer -timeout", p.subject(), timeout)}
	}
	if text, ok := p.panicked(); ok {
		return nil, cpu, &BenchError{study.StatusCrashed, text}
	}
	if lines := p.failures(); len(lines) > 0 {
		return nil, cpu, &BenchError{study.StatusFailed, lines[0]}
	}
	if err != nil {
		return nil, cpu, &BenchError{study.StatusCrashed, fmt.Sprintf("%s ended the process (%v): %s", p.subject(), err, p.lastWords("it calls os.Exit, or was killed"))}
	}
	return &all, cpu, nil
}

// sliceOf turns a printed result back into totals.
func sliceOf(res *benchfmt.Result) Slice {
	n := float64(res.Iters)
	s := Slice{N: res.Iters}
	for _, v := range res.Values {
		switch v.Unit {
		case "sec/op":
			s.Wall = int64(v.Value * 1e9 * n)
		case "B/op":
			s.Bytes = uint64(v.Value * n)
		case "allocs/op":
			s.Allocs = uint64(v.Value * n)
		}
	}
	return s
}

// LeavesPlain is Leaves for a binary that is not instrumented: the first
// benchmark that fails is the error.
func LeavesPlain(ctx context.Context, s Side, pattern string, timeout time.Duration) (leaves []Leaf, failures []string, err error) {
	all, _, err := runPlain(ctx, s, "", timeout, "-test.bench="+pattern, "-test.benchtime=1x", "-test.cpu=1")
	if err != nil {
		return nil, nil, err
	}
	r := benchfmt.NewReader(all, s.Binary)
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			leaves = append(leaves, Leaf{Name: "Benchmark" + res.Name.String(), Once: time.Duration(sliceOf(res).Wall)})
		}
	}
	return leaves, nil, nil
}
