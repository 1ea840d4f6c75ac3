package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// plan makes the plan that answers the options' question about the target:
// all kinds share what stands here, and differ in their comparisons.
func plan(ctx context.Context, t *target, o Options, file *study.File) (study.Plan, error) {
	o.Progress.Step("building " + t.pkg.Path + " with " + t.chain.Version)
	bin, err := t.build(ctx, 0)
	if err != nil {
		return study.Plan{}, err
	}
	p := study.Plan{
		Schema: study.Schema, Kind: o.Kind, Study: file,
		Module: t.pkg.Module, Package: t.pkg.Path,
		Toolchain: fmt.Sprintf("%s %s/%s", t.chain.Version, t.chain.OS, t.chain.Arch),
		Engine:    t.engine, EngineNote: strings.Join(append(t.chain.Notes, notEmpty(t.note)...), "; "),
		Env: environment(), Command: o.Command, Machine: machine(),
		Binaries: []study.Binary{bin}, Budget: study.Duration(o.Budget), Seed: o.Seed,
	}
	if o.Path != "" { // the built-in benchmarks have no history
		p.Revision, p.Dirty = t.revision(ctx, o.Out)
	}
	if p.Rule, err = rule(o, file, t.engine); err != nil {
		return p, err
	}
	cells, err := cellsOf(o, file)
	if err != nil {
		return p, err
	}
	leaves, err := t.leaves(ctx, o, file)
	if err != nil {
		return p, err
	}
	switch o.Kind {
	case study.KindStudy:
		p.Title = file.Title
		err = t.compareArms(ctx, &p, o, file, leaves, cells)
	case study.KindVary:
		p.Title = fmt.Sprintf("%s of %s", o.Key, t.pkg.Path)
		err = compareValues(&p, o, leaves, cells)
	case study.KindAA:
		p.Title = "noise floor of this machine, by " + benchmarksOf(o, t)
		compareSelf(&p, leaves, cells)
	}
	if err != nil {
		return p, err
	}
	p.Floors = knownFloors(p)
	spend(&p, leaves, o.Budget)
	if n := measured(p); n > 0 && o.Budget/time.Duration(n) >= ExtendedShare {
		p.Rule = stat.ExtendedLooks(p.Rule)
	}
	return p, nil
}

// benchmarksOf names the benchmarks of an A/A run.
func benchmarksOf(o Options, t *target) string {
	if o.Path == "" {
		return "the built-in benchmarks"
	}
	return "the benchmarks of " + t.pkg.Path
}

func notEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
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
			return r, exitcode.Errorf(exitcode.Usage, "%s: threshold: %w", file.Path, err)
		}
	}
	if threshold != 0 {
		// The span in which the layout of the binary is asked keeps its
		// proportion to the band.
		r.Band = math.Log1p(threshold)
		r.LayoutLow, r.LayoutHigh = math.Log1p(threshold), math.Log1p(2*threshold)
	}
	if !o.Layout || engine != study.EngineDuet || o.Kind == study.KindAA {
		r.LayoutKinds = 0
	}
	return r, nil
}

func cellsOf(o Options, file *study.File) ([][]string, error) {
	matrix, where := o.Matrix, "-matrix"
	if matrix == "" && file != nil {
		matrix, where = file.Matrix, file.Path+": matrix"
	}
	cells, err := study.Cells(matrix)
	if err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "%s: %w", where, err)
	}
	if len(cells) == 0 {
		cells = [][]string{nil}
	}
	return cells, nil
}

// floorBenchmarks are those of the built-in ones that are made to be compared
// with themselves.
const floorBenchmarks = "^Benchmark(Loop|JSON|Long|Channel|Parallel)$"

// leaves lists the benchmarks that the question is about. One that fails is
// the user's fault and ends the plan.
func (t *target) leaves(ctx context.Context, o Options, file *study.File) ([]duet.Leaf, error) {
	pattern := o.Bench
	switch {
	case pattern != "":
	case file != nil:
		pattern = topLevel(file)
	case o.Path == "":
		pattern = floorBenchmarks
	default:
		pattern = "."
	}
	list := duet.Leaves
	if t.engine == study.EnginePairs {
		list = duet.LeavesPlain
	}
	leaves, failures, err := list(ctx, t.side("test", nil), pattern, o.Timeout)
	var broken *duet.BenchError
	switch {
	case errors.As(err, &broken) && strings.Contains(broken.Text, "invalid regexp"):
		return nil, exitcode.Errorf(exitcode.Usage, "-bench %s is no regular expression: %s", pattern, broken.Text)
	case errors.As(err, &broken):
		return nil, exitcode.Errorf(exitcode.Build, "%s: %s", t.pkg.Path, broken.Text)
	case err != nil:
		return nil, err
	case len(failures) > 0:
		return nil, exitcode.Errorf(exitcode.Build, "%s: %s", t.pkg.Path, failures[0])
	case len(leaves) == 0:
		return nil, exitcode.Errorf(exitcode.Usage, "%s: no benchmark matches -bench %s (or all of them skip themselves)", t.pkg.Path, pattern)
	}
	return leaves, nil
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
