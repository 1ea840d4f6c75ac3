package experiment

import (
	"context"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Bench is a built package whose benchmarks are compared again and again, each
// time as if it were the first: what a campaign needs.
type Bench struct {
	bs    *builds
	o     Options
	base  study.Plan
	plain string // file name of the test binary without instruments
}

// Open builds the package that the options name. Its files lie in scratch,
// which must outlive the Bench.
func Open(ctx context.Context, o Options, scratch string) (*Bench, error) {
	t, err := find(ctx, o.Path, o.Tags, scratch, scratch)
	if err != nil {
		return nil, err
	}
	bs := newBuilds(t)
	binaries, err := bs.compile(ctx, o.Progress, nil)
	if err != nil {
		return nil, err
	}
	if bs.engine != study.EngineDuet {
		return nil, exitcode.Errorf(exitcode.Usage, "a campaign needs the duet: %s", bs.note)
	}
	b := &Bench{bs: bs, o: o, plain: filepath.Join(scratch, "plain.test")}
	b.base = study.Plan{
		Schema: study.Schema, Kind: o.Kind, Module: t.pkg.Module, Package: t.pkg.Path, Toolchain: t.toolchain(),
		Engine: bs.engine, Env: environment(), Machine: machine(), Binaries: binaries,
	}
	plain := duet.Build{Toolchain: t.chain, Package: t.pkg, Output: b.plain, Scratch: scratch, Engine: study.EnginePairs}
	if _, err := plain.Compile(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

// Silence ends the Bench's own progress reports.
func (b *Bench) Silence() { b.o.Progress = progress.Quiet() }

// Base is the part of the plan that all comparisons share.
func (b *Bench) Base() study.Plan { return b.base }

// Compare measures one comparison within the budget, its records kept in the
// file named log, and returns the result of the rule that the budget gives. A
// log that holds launches already is gone on with.
func (b *Bench) Compare(ctx context.Context, c study.Comparison, budget time.Duration, seed uint64, log string) (study.Result, error) {
	p := b.base
	p.Comparisons, p.Budget, p.Seed = []study.Comparison{c}, study.Duration(budget), seed
	var err error
	if p.Rule, err = rule(b.o, nil, p.Engine); err != nil {
		return study.Result{}, err
	}
	o := b.o
	o.Budget = budget
	f, records, _, err := study.OpenLog(log)
	if err != nil {
		return study.Result{}, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	defer f.Close()
	r, err := newRun(b.bs, o, p, f, records)
	if err != nil {
		return study.Result{}, err
	}
	if err := r.measure(ctx); err != nil {
		return study.Result{}, err
	}
	return r.results[0], nil
}

// Plain runs one benchmark in one process of the binary without instruments,
// count times, as go test does, and returns the nanoseconds per operation of
// each run.
func (b *Bench) Plain(ctx context.Context, leaf string, cell []string, benchtime time.Duration, count int) ([]float64, error) {
	return duet.Plain(ctx, duet.Program{Binary: b.plain, Dir: b.bs.main().pkg.Dir, Env: cell}, leaf, benchtime, count, b.o.Timeout+time.Duration(count)*3*benchtime)
}

// Leaves returns the full names of the benchmarks that match the pattern.
func (b *Bench) Leaves(ctx context.Context, pattern string) ([]string, error) {
	leaves, err := b.bs.list(ctx, mainBinary, pattern, b.o)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, l := range leaves {
		names = append(names, l.Name)
	}
	return names, nil
}
