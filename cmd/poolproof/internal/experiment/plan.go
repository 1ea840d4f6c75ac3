package experiment

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// plan makes the plan that answers the options' question: all kinds share what
// stands here, and differ in their comparisons.
func plan(ctx context.Context, bs *builds, o Options, file *study.File) (study.Plan, error) {
	binaries, err := bs.compile(ctx, o.Progress, nil)
	if err != nil {
		return study.Plan{}, err
	}
	t := bs.main()
	p := study.Plan{
		Schema: study.Schema, Kind: o.Kind, Study: file,
		Module: t.pkg.Module, Package: t.pkg.Path, Toolchain: t.toolchain(),
		Engine: bs.engine, EngineNote: bs.notes(), Program: program(),
		Env: environment(), Question: o.Question, Command: o.Question.Command(), Machine: machine(),
		Binaries: binaries, Budget: study.Duration(o.Budget), Seed: o.Seed,
	}
	switch {
	case bs.revised != nil:
		p.Revision, p.Dirty, p.Base = bs.revised.head.hash, bs.revised.dirty, bs.revised.base.hash
	case o.Path != "": // the built-in benchmarks have no history
		p.Revision, p.Dirty = bs.revision(ctx, o.Out)
	}
	if p.Rule, err = rule(o, file, bs.engine); err != nil {
		return p, err
	}
	if file != nil && file.Agree != "" {
		if p.Agreed, err = agree(ctx, bs, o, file.Agree); err != nil {
			return p, err
		}
	}
	if err := compare(ctx, bs, &p, o, file); err != nil {
		return p, err
	}
	leaveOutPaced(&p)
	if err := checkSafe(ctx, bs, &p, o); err != nil {
		return p, err
	}
	spend(&p, bs.once, o.Budget)
	return p, nil
}

// compare fills in the title and the comparisons of the question.
func compare(ctx context.Context, bs *builds, p *study.Plan, o Options, file *study.File) error {
	if err := compareAll(ctx, bs, p, o, file); err != nil {
		return err
	}
	noteFailures(bs, p)
	if file != nil {
		return checkReach(ctx, bs, p, o, file)
	}
	return nil
}

func compareAll(ctx context.Context, bs *builds, p *study.Plan, o Options, file *study.File) error {
	if o.Kind == study.KindStudy {
		p.Title = file.Title
		return compareArms(ctx, bs, p, o, file)
	}
	cells, err := cellsOf(o.Matrix)
	if err != nil {
		return err
	}
	if o.Kind == study.KindBase {
		return compareRevisions(ctx, bs, p, o, cells)
	}
	leaves, err := bs.list(ctx, mainBinary, pattern(o, file), o)
	if err != nil {
		return err
	}
	switch o.Kind {
	case study.KindVary:
		p.Title = fmt.Sprintf("%s of %s", o.Key, p.Package)
		return compareValues(p, o, leaves, cells)
	default:
		p.Title = "noise floor of this machine, by " + benchmarksOf(o, p.Package)
		compareSelf(p, leaves, cells)
		return nil
	}
}

// benchmarksOf names the benchmarks of an A/A run.
func benchmarksOf(o Options, pkg string) string {
	if o.Path == "" {
		return "the built-in benchmarks"
	}
	return "the benchmarks of " + pkg
}

// rule is the default rule with what the user and the study chose.
func rule(o Options, file *study.File, engine study.Engine) (study.Rule, error) {
	r := stat.DefaultRule()
	if o.Clock != "" {
		r.Clock = o.Clock
	}
	threshold := o.Threshold
	if threshold == 0 && file != nil && file.Threshold != "" {
		var err error
		if threshold, err = study.Threshold(file.Threshold); err != nil {
			return r, fault.Errorf(fault.Input, "%s: threshold: %w", file.Path, err)
		}
	}
	if threshold != 0 {
		r.Band = math.Log1p(threshold)
	}
	if !o.Layout || engine != study.EngineDuet || o.Kind == study.KindAA {
		r.PaddedLooks = nil
	}
	return r, nil
}

// cellsOf expands a matrix of the command line.
func cellsOf(matrix string) ([][]string, error) {
	cells, err := study.Cells(matrix)
	if err == nil {
		err = study.CheckNames(matrix)
	}
	if err != nil {
		return nil, fault.Option("matrix", "", "%w", err)
	}
	return cells, nil
}

// floorBenchmarks are those of the built-in ones that are made to be compared
// with themselves.
const floorBenchmarks = "^Benchmark(Loop|JSON|Long|Channel|Parallel)$"

// pattern selects the benchmarks that the question is about.
func pattern(o Options, file *study.File) string {
	switch {
	case o.Bench != "":
		return o.Bench
	case file != nil:
		return topLevel(file)
	case o.Kind == study.KindAA && o.Path == "":
		return floorBenchmarks
	default:
		return "."
	}
}

// topLevel is the pattern of the functions that a study's benchmarks are in.
func topLevel(file *study.File) string {
	var names []string
	seen := map[string]bool{}
	for _, b := range file.Benchmarks {
		name, _, _ := strings.Cut(b.Bench, "/")
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return "^(" + strings.Join(names, "|") + ")$"
}
