package duet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// once runs one benchmark in one process and reads what it prints.
func once(ctx context.Context, s Program, leaf, benchtime string, timeout time.Duration) (Burst, time.Duration, error) {
	p, all, broken, err := runPlain(ctx, s, leaf, timeout, "-test.run=^$", "-test.bench="+Pattern(leaf), "-test.benchmem", "-test.benchtime="+benchtime)
	cpu := p.CPU()
	if err != nil {
		return Burst{}, cpu, err
	}
	if broken != nil {
		return Burst{}, cpu, broken
	}
	for _, res := range results(all, leaf) {
		sl, err := burstOf(res)
		return sl, cpu, err
	}
	return Burst{}, cpu, &BenchError{study.StatusFailed, leaf + " is not there: no benchmark of that name, or it skipped itself"}
}

// Plain runs one benchmark count times in one process of a binary without
// instruments and returns the nanoseconds per operation of each run. A
// benchmark that does not give them is a *BenchError.
func Plain(ctx context.Context, s Program, leaf string, benchtime time.Duration, count int, timeout time.Duration) ([]float64, error) {
	_, all, broken, err := runPlain(ctx, s, leaf, timeout, "-test.run=^$", "-test.bench="+Pattern(leaf),
		"-test.benchtime="+benchtime.String(), "-test.count="+strconv.Itoa(count))
	if err != nil {
		return nil, err
	}
	if broken != nil {
		return nil, broken
	}
	var ns []float64
	for _, res := range results(all, leaf) {
		if v, ok := res.Value("sec/op"); ok {
			ns = append(ns, v*1e9)
		}
	}
	if len(ns) != count {
		return ns, &BenchError{study.StatusFailed, fmt.Sprintf("%s printed %d results, not %d", leaf, len(ns), count)}
	}
	return ns, nil
}

// results reads the printed results of one benchmark; of all if leaf is "".
func results(printed *bytes.Buffer, leaf string) []*benchfmt.Result {
	var all []*benchfmt.Result
	r := benchfmt.NewReader(printed, leaf)
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok && (leaf == "" || sameLeaf("Benchmark"+res.Name.String(), leaf)) {
			all = append(all, res.Clone())
		}
	}
	return all
}

// runPlain runs a binary without instruments to its end and returns the
// process and all that it printed. broken says what went wrong in it, nil if
// nothing did; the error is that of a context that ended.
func runPlain(ctx context.Context, s Program, leaf string, timeout time.Duration, args ...string) (p *Proc, printed *bytes.Buffer, broken *BenchError, err error) {
	p, printed, err = runBinary(ctx, s, timeout, args...)
	p.leaf = leaf
	switch {
	case ctx.Err() != nil:
		return p, printed, nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return p, printed, &BenchError{study.StatusTimeout, fmt.Sprintf("%s did not end in %v: it hangs, or needs a longer -timeout", p.subject(), timeout)}, nil
	case err == nil:
		return p, printed, nil, nil
	}
	if text, ok := p.panicked(); ok {
		return p, printed, &BenchError{study.StatusCrashed, text}, nil
	}
	if p.saidFail() {
		return p, printed, &BenchError{study.StatusFailed, p.failures()[0].Failed}, nil
	}
	return p, printed, &BenchError{study.StatusCrashed, fmt.Sprintf("%s ended the process (%v): %s", p.subject(), err, p.lastWords("it calls os.Exit, or was killed"))}, nil
}

// runBinary runs a test binary to its end, in a process group that ends with
// it, and returns what is left of it and all that it printed to standard
// output. The error is that of the process, or of the context that ended first:
// context.DeadlineExceeded after timeout.
func runBinary(ctx context.Context, s Program, timeout time.Duration, args ...string) (*Proc, *bytes.Buffer, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, s.Binary, append([]string{"-test.timeout=0"}, args...)...)
	cmd.Dir = s.Dir
	cmd.Env = append(append(os.Environ(), "PWD="+s.Dir), s.Env...)
	ownGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd); return nil }
	cmd.WaitDelay = time.Second
	p := &Proc{cmd: cmd, output: new(tail), errors: new(tail), timeout: timeout}
	all := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = all, p.errors
	err := cmd.Run()
	killGroup(cmd)
	p.output.Write(all.Bytes())
	if limited.Err() != nil {
		err = limited.Err()
	}
	return p, all, err
}

// sliceOf turns a printed result back into totals.
func burstOf(res *benchfmt.Result) (Burst, error) {
	// So testing prints one that skips once b.N has grown; and one that panics
	// then, where the process ends well before the panic ends it.
	if res.Iters == 0 {
		return Burst{}, &BenchError{study.StatusFailed, "Benchmark" + res.Name.String() + " skipped itself or panicked"}
	}
	n := float64(res.Iters)
	s := Burst{N: res.Iters}
	timed := false
	for _, v := range res.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" { // as testing printed it
			value, unit = v.OrigValue, v.OrigUnit
		}
		switch unit {
		case "ns/op":
			s.Wall, timed = int64(math.Round(value*n)), true
		case "B/op":
			s.Bytes = uint64(value * n)
		case "allocs/op":
			s.Allocs = uint64(value * n)
		case "MB/s":
		default:
			if s.Extra == nil {
				s.Extra = map[string]float64{}
			}
			s.Extra[unit] = value
		}
	}
	if !timed {
		return s, &BenchError{study.StatusFailed, "Benchmark" + res.Name.String() + " prints no ns/op"}
	}
	return s, nil
}
