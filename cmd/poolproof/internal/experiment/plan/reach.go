package plan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/cover"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// reach tells, by coverage counts, which functions of the package under test
// a benchmark runs in each of its operations. Counts are exact where a CPU
// profile would have to be lucky. Test files are not counted: code under
// study belongs outside of them.
type reach struct {
	t       *build.Target
	timeout time.Duration // without an end of the benchmark
	binary  string
	funcs   map[string]function
	once    map[string]time.Duration  // leaf -> real time of one operation with its set-up
	share   map[string]map[string]int // leaf -> function -> runs an operation, rounded down
	facts   []oracle.Fact
	asked   bool
}

// The number of operations by which the two runs differ whose counts are
// subtracted: what the set-up runs is in both and cancels out. Slow benchmarks
// get fewer, so that both runs end in about reachTime.
const (
	reachOps  = 20
	reachTime = 2 * time.Second
)

func newReach(ctx context.Context, t *build.Target, timeout time.Duration, leaves []duet.Leaf) (*reach, error) {
	r := &reach{
		t: t, timeout: timeout, binary: filepath.Join(t.Scratch, t.ID+".cover"),
		once: map[string]time.Duration{}, share: map[string]map[string]int{},
	}
	for _, l := range leaves {
		r.once[l.Name] = l.Once
	}
	var err error
	if r.funcs, err = functionsOf(t.Package.Dir, t.Package.GoFiles); err != nil {
		return nil, fault.Errorf(fault.Code, "%w", err)
	}
	// What GOFLAGS overlays must be there too for the package to compile.
	dir, err := os.MkdirTemp(t.Scratch, "cover")
	if err != nil {
		return nil, err
	}
	overlaid, err := t.Chain.Write(dir, nil)
	if err != nil {
		return nil, err
	}
	// Mode atomic is the only one that the race detector allows.
	args := []string{"test", "-c", "-covermode=atomic", "-coverpkg=.", "-overlay=" + overlaid, "-o", r.binary}
	if t.Tags != "" {
		args = append(args, "-tags="+t.Tags)
	}
	if _, err := t.Chain.Go(ctx, t.Package.Dir, append(args, ".")...); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Errorf(fault.Code, "%s does not compile with coverage:\n%w", t.Package.Path, err)
	}
	return r, nil
}

// missed returns which of the functions the benchmark does not run at least
// once an operation.
func (r *reach) missed(ctx context.Context, leaf string, functions []string) ([]string, error) {
	if len(functions) == 0 {
		return nil, nil
	}
	for _, f := range functions {
		if _, ok := r.funcs[f]; !ok {
			return nil, fault.Errorf(fault.Input, "reaches: %s has no function %s outside of its test files", r.t.Package.Path, f)
		}
	}
	share, ok := r.share[leaf]
	if !ok {
		var err error
		if share, err = r.perOperation(ctx, leaf); err != nil {
			return nil, err
		}
		r.share[leaf] = share
	}
	var missed []string
	for _, f := range functions {
		if share[f] < 1 {
			missed = append(missed, f)
		}
	}
	return missed, nil
}

// perOperation returns how often an operation of the benchmark enters each
// function: the difference of two runs, divided by that of their operations.
func (r *reach) perOperation(ctx context.Context, leaf string) (map[string]int, error) {
	ops := operations(r.once[leaf])
	few, err := r.count(ctx, leaf, 1+ops)
	if err != nil {
		return nil, err
	}
	many, err := r.count(ctx, leaf, 1+2*ops)
	if err != nil {
		return nil, err
	}
	share := map[string]int{}
	for name := range r.funcs {
		share[name] = (many[name] - few[name]) / ops
	}
	return share, nil
}

// operations is the difference between the two runs of a benchmark that takes
// that long once.
func operations(once time.Duration) int {
	if once <= 0 {
		return reachOps
	}
	return min(reachOps, max(1, int(reachTime/(3*once))))
}

// count runs n operations and returns how often each function was entered.
func (r *reach) count(ctx context.Context, leaf string, n int) (map[string]int, error) {
	out := filepath.Join(r.t.Scratch, r.t.ID+".profile")
	os.Remove(out)
	// No single answer to wait for: a run is as long as its operations.
	limit := r.timeout + time.Duration(n+2)*r.once[leaf]*2
	stdout, stderr, err := duet.Exec(ctx, duet.Program{Binary: r.binary, Dir: r.t.Package.Dir}, limit, "-test.run=^$", "-test.bench="+duet.Pattern(leaf),
		"-test.benchtime="+strconv.Itoa(n)+"x", "-test.coverprofile="+out)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &duet.BenchError{Status: study.StatusTimeout, Text: fmt.Sprintf("%s with coverage did not end its %d operations in %s: it hangs, or needs a longer -timeout", leaf, n, limit)}
	case err != nil:
		line, _, _ := strings.Cut(strings.TrimSpace(stdout+"\n"+stderr), "\n")
		return nil, &duet.BenchError{Status: study.StatusFailed, Text: fmt.Sprintf("%s fails with coverage: %s", leaf, line)}
	}
	profiles, err := cover.ParseProfiles(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fault.Errorf(fault.Code, "%s wrote no coverage profile: does its TestMain call os.Exit without m.Run?", leaf)
	}
	if err != nil {
		return nil, fmt.Errorf("coverage profile of %s: %w", leaf, err)
	}
	return entered(r.funcs, profiles), nil
}

// entered returns the count of each function's first block.
func entered(funcs map[string]function, profiles []*cover.Profile) map[string]int {
	counts := map[string]int{}
	for _, p := range profiles {
		file := path.Base(p.FileName)
		for name, f := range funcs {
			if f.file != file {
				continue
			}
			for _, b := range p.Blocks { // in their order in the file
				if f.holds(b.StartLine, b.StartCol) {
					counts[name] = b.Count
					break
				}
			}
		}
	}
	return counts
}

// maxFacts bounds the compiler's lines in a verdict.
const maxFacts = 6

// escapes returns what the compiler says of allocations inside the functions.
func (r *reach) escapes(ctx context.Context, functions []string) ([]string, error) {
	if !r.asked {
		r.asked = true
		var err error
		if r.facts, err = oracle.Escapes(ctx, r.t.Chain, r.t.Package.Dir, r.t.Tags); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fault.Errorf(fault.Code, "%s: %w", r.t.Package.Path, err)
		}
	}
	var lines []string
	for _, fact := range r.facts {
		for _, name := range functions {
			if f, ok := r.funcs[name]; ok && fact.File == f.file && f.holds(fact.Line, fact.Col) && len(lines) < maxFacts {
				lines = append(lines, fact.String())
				break
			}
		}
	}
	return lines, nil
}
