// Package plan makes the plan of a question: which sides are compared, by which
// rule, and which of the comparisons can be measured at all. An arm that misuses
// a pool, fails, or does not run the code that it is about is found here, before
// anything is timed.
package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Make makes the plan that answers the options' question: all kinds share what
// stands here, and differ in their comparisons.
func Make(ctx context.Context, bs *build.Set, o ask.Options, file *study.File) (study.Plan, error) {
	t := bs.Main()
	wanted := func(id string) bool { return id == t.ID } // what a benchmark reaches is known later
	if o.Kind != study.KindUnpool && o.Kind != study.KindSite {
		wanted = nil
	}
	binaries, err := bs.Compile(ctx, o.Progress, wanted)
	if err != nil {
		return study.Plan{}, err
	}
	p := study.Plan{
		Schema: study.Schema, Kind: o.Kind, Study: file,
		Module: t.Package.Module, Package: t.Package.Path, Toolchain: t.Toolchain(),
		Engine: bs.Engine, EngineNote: bs.Notes(), Program: program(),
		Env: Environment(), Question: o.Question, Command: o.Question.Command(), Machine: Machine(), Shard: o.Shard,
		Binaries: binaries, Budget: study.Duration(o.Budget), Seed: o.Seed,
	}
	switch {
	case bs.Revised != nil:
		p.Revision, p.Dirty, p.Base = bs.Revised.Head.Hash, bs.Revised.Dirty, bs.Revised.Base.Hash
	case o.Path != "": // the built-in benchmarks have no history
		p.Revision, p.Dirty = bs.Revision(ctx, o.Out)
	}
	if p.Rule, err = RuleOf(o, file, bs.Engine); err != nil {
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
	if err := buildCells(ctx, bs, &p, o); err != nil {
		return p, err
	}
	if left := o.Left().Round(time.Second); left < o.Budget {
		o.Budget, p.Budget = left, study.Duration(left)
	}
	Spend(&p, bs.Once, o.Budget)
	return p, nil
}

// compare fills in the title and the comparisons of the question.
func compare(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options, file *study.File) error {
	if err := compareAll(ctx, bs, p, o, file); err != nil {
		return err
	}
	noteFailures(bs, p)
	if file != nil {
		return checkReach(ctx, bs, p, o, file)
	}
	return nil
}

func compareAll(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options, file *study.File) error {
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
	leaves, err := bs.List(ctx, build.MainBinary, pattern(o, file), o)
	if none := new(build.Nothing); (o.Kind == study.KindUnpool || o.Kind == study.KindSite) && errors.As(err, none) && o.FromTest == "" {
		return build.Nothing{Err: fault.Errorf(fault.Input, "%w; -from-test . runs its tests in their place", err)}
	}
	if err != nil {
		return err
	}
	switch o.Kind {
	case study.KindVary:
		p.Title = fmt.Sprintf("%s of %s", o.Key, p.Package)
		return compareValues(p, o, leaves, cells)
	case study.KindUnpool:
		what := "benchmarks"
		if o.FromTest != "" {
			what = "repeated tests"
		}
		p.Title = fmt.Sprintf("the pools that the %s of %s can reach", what, p.Package)
		return comparePools(ctx, bs, p, o, leaves, cells)
	case study.KindSite:
		p.Title = "reuse in " + p.Package
		if o.Patch != "" {
			p.Title = o.Patch + " in " + p.Package
		}
		return compareVariants(ctx, bs, p, o, leaves, cells)
	default:
		p.Title = "noise floor of this machine, by " + benchmarksOf(o, p.Package)
		compareSelf(p, leaves, cells)
		return nil
	}
}

// benchmarksOf names the benchmarks of an A/A run.
func benchmarksOf(o ask.Options, pkg string) string {
	if o.Path == "" {
		return "the built-in benchmarks"
	}
	return "the benchmarks of " + pkg
}

// RuleOf is the default rule with what the user and the study chose.
func RuleOf(o ask.Options, file *study.File, engine study.Engine) (study.Rule, error) {
	r := stat.DefaultRule()
	if o.Clock != "" {
		r.Clock = o.Clock
	}
	r.BytesShare, r.AllocsShare = o.Bytes, o.Allocs
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
	r.OverBuilds = o.Builds && len(r.PaddedLooks) > 0
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

// noteFailures notes which comparisons have a side that fails, and which benchmarks fail
// that belong to none.
func noteFailures(bs *build.Set, p *study.Plan) {
	blamed := map[study.Bench]bool{}
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		for _, s := range []struct {
			name string
			study.Bench
		}{{"candidate", c.CandidateBench}, {"baseline", c.BaselineBench}} { // the baseline is the user's to repair first
			if text := failed(bs, s.Bench); text != "" {
				c.Failed = &study.Failure{Side: s.name, Binary: s.Binary, Benchmark: s.Leaf, Text: text}
				blamed[s.Bench] = true
			}
		}
	}
	for _, t := range bs.Targets {
		for _, l := range bs.Leaves[t.ID] {
			if s := (study.Bench{Binary: t.ID, Leaf: l.Name}); l.Failed != "" && !blamed[s] {
				p.Failed = append(p.Failed, study.Failure{Binary: t.ID, Benchmark: l.Name, Text: l.Failed})
			}
		}
	}
}

// failed says why a benchmark cannot be measured; "" if it can.
func failed(bs *build.Set, s study.Bench) string {
	for _, l := range bs.Leaves[s.Binary] {
		if l.Name == s.Leaf {
			return l.Failed
		}
	}
	return ""
}

// floorBenchmarks are those of the built-in ones that are made to be compared
// with themselves.
const floorBenchmarks = "^Benchmark(Loop|JSON|Long|Channel|Parallel)$"

// pattern selects the benchmarks that the question is about.
func pattern(o ask.Options, file *study.File) string {
	switch {
	case o.Bench != "":
		return o.Bench
	case o.FromTest != "":
		return "^" + build.FromTest
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
