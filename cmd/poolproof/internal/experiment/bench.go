package experiment

import (
	"context"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/run"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Bench is a built package whose benchmarks are compared again and again, each
// time as if it were the first: what a campaign needs.
type Bench struct {
	bs    *build.Set
	o     ask.Options
	base  study.Plan
	plain string // file name of the test binary without instruments
}

// Open builds the package that the options name. Its files lie in scratch,
// which must outlive the Bench.
func Open(ctx context.Context, o ask.Options, scratch string) (*Bench, error) {
	t, err := build.Find(ctx, o.Path, o.Tags, scratch, scratch)
	if err != nil {
		return nil, err
	}
	bs := build.NewSet(t)
	binaries, err := bs.Compile(ctx, o.Progress, nil)
	if err != nil {
		return nil, err
	}
	if bs.Engine != study.EngineDuet {
		return nil, fault.Errorf(fault.Tools, "a campaign needs the duet: %s", bs.Note)
	}
	b := &Bench{bs: bs, o: o, plain: filepath.Join(scratch, "plain.test")}
	b.base = study.Plan{
		Schema: study.Schema, Kind: o.Kind, Module: t.Package.Module, Package: t.Package.Path, Toolchain: t.Toolchain(),
		Engine: bs.Engine, Env: plan.Environment(), Machine: plan.Machine(), Binaries: binaries,
	}
	plain := duet.Build{Toolchain: t.Chain, Package: t.Package, Output: b.plain, Scratch: scratch, Engine: study.EnginePairs}
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
	if p.Rule, err = plan.RuleOf(b.o, nil, p.Engine); err != nil {
		return study.Result{}, err
	}
	o := b.o
	o.Budget = budget
	f, records, _, err := study.OpenLog(log)
	if err != nil {
		return study.Result{}, err
	}
	defer f.Close()
	r, err := run.New(b.bs, o, p, f, records)
	if err != nil {
		return study.Result{}, err
	}
	if err := r.Measure(ctx); err != nil {
		return study.Result{}, err
	}
	return r.Results[0], nil
}

// Plain runs one benchmark in one process of the binary without instruments,
// count times, as go test does, and returns the nanoseconds per operation of
// each run.
func (b *Bench) Plain(ctx context.Context, leaf string, cell []string, benchtime time.Duration, count int) ([]float64, error) {
	return duet.Plain(ctx, duet.Program{Binary: b.plain, Dir: b.bs.Main().Package.Dir, Env: cell}, leaf, benchtime, count, b.o.Timeout+time.Duration(count)*3*benchtime)
}

// Leaves returns the full names of the benchmarks that match the pattern.
func (b *Bench) Leaves(ctx context.Context, pattern string) ([]string, error) {
	leaves, err := b.bs.List(ctx, build.MainBinary, pattern, b.o)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, l := range leaves {
		if !l.Skipped {
			names = append(names, l.Name)
		}
	}
	return names, nil
}
