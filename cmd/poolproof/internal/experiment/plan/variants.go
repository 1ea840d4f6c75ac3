package plan

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/unpool"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// compareVariants compares the package with each variant of it, in the benchmarks that run
// the code which the variant changes, or a dozen of them. What is not safe, or removes nothing, is not timed.
func compareVariants(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options, leaves []duet.Leaf, cells [][]string) error {
	o.Progress.Step("counting which benchmarks of " + p.Package + " run the code")
	l := &ladder{bs: bs, o: o, asIs: map[string]time.Duration{}}
	var reached [][]string
	var counting error
	counted := make(chan struct{})
	go func() { // nothing is timed, so that builds may run beside it
		defer close(counted)
		reached, counting = reachedBy(ctx, bs, o, leaves)
	}()
	made, err := l.prepare(ctx)
	if <-counted; counting != nil {
		return counting
	}
	if err != nil {
		return err
	}
	var all []*build.Reused
	wanted := map[string]bool{}
	for i, r := range bs.Reused {
		r.Reached = len(reached[i])
		reached[i] = inTurn(reached[i], mostLeaves)
		if r.None == "" && bs.Absent[r.Binary] == "" && len(reached[i]) > 0 {
			all, wanted[r.Binary] = append(all, r), true
		}
	}
	if len(all) == 0 {
		return build.Nothing{Err: noBenchmark(bs, p)}
	}
	p.Binaries = append(p.Binaries, slices.DeleteFunc(made, func(b study.Binary) bool { return !wanted[b.ID] })...)
	if err := l.before(ctx, all); err != nil {
		return err
	}
	if err := l.climb(ctx, all, l.first()); err != nil {
		return err
	}
	alone, gains, err := weigh(ctx, bs, o, leaves, reached)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(r *build.Reused) bool { // of what removes nothing, no more need be known
		return untested(r) || o.Patch == "" && len(gains[r.Binary]) > 0
	})
	if err := l.climb(ctx, all, l.others(len(all))); err != nil {
		return err
	}
	p.Tested = strings.Join(l.notes, "; ")
	if err := listVariants(bs, p, o.Out); err != nil {
		return err
	}
	for _, last := range []bool{false, true} { // what decides comes first
		for i, r := range bs.Reused {
			for _, leaf := range reached[i] {
				if alone[leaf] != last || r.None != "" {
					continue
				}
				for _, cell := range cells {
					p.Comparisons = append(p.Comparisons, variantComparison(bs, r, leaf, cell, alone[leaf], gains[r.Binary][leaf]))
				}
			}
		}
	}
	return nil
}

// mostLeaves is how many benchmarks a variant is measured in: of more, none would be measured
// well.
const mostLeaves = 12

// inTurn is at most so many benchmarks: the first of each function, then the second of each.
func inTurn(leaves []string, most int) []string {
	if len(leaves) <= most {
		return leaves
	}
	return study.InTurn(leaves, func(l string) string { return l })[:most]
}

// listVariants lists the variants in the plan, and writes a diff of each that can be built.
func listVariants(bs *build.Set, p *study.Plan, out string) (err error) {
	for _, r := range bs.Reused {
		r.Unbuilt = bs.Absent[r.Binary]
		if r.None == "" && r.Unbuilt == "" {
			if r.Patch, r.Apply, err = writePatch(bs, out, r.ID, r.Diff); err != nil {
				return err
			}
		}
		p.Variants = append(p.Variants, r.ListedVariant)
	}
	return nil
}

// untested reports whether there was no time for the tests of a variant.
func untested(r *build.Reused) bool {
	return slices.Contains(r.Left, "tests") || slices.Contains(r.Left, "poison")
}

// variantComparison compares a variant with the package as it is.
func variantComparison(bs *build.Set, r *build.Reused, leaf string, cell []string, alone bool, nothing string) study.Comparison {
	c := study.Comparison{
		ID: id(leaf, r.ID, cell), Benchmark: leaf, Cell: cell, Arm: r.ID, Baseline: "as it is",
		BaselineBench: study.Bench{Binary: build.MainBinary, Leaf: leaf}, CandidateBench: study.Bench{Binary: r.Binary, Leaf: leaf},
		Isolated: alone, Variant: r.ID, Unsafe: r.Unsafe,
	}
	switch {
	case bs.Absent[r.Binary] != "":
		c.Skipped, c.CandidateBench = bs.Absent[r.Binary], study.Bench{}
	case untested(r) && r.Unsafe == "":
		c.Skipped, c.CandidateBench = "the budget left no time for its tests", study.Bench{}
	case r.Unsafe == "":
		c.Invalid = nothing
	}
	return c
}

// noBenchmark says that no benchmark runs the code, and how to get one.
func noBenchmark(bs *build.Set, p *study.Plan) error {
	r := bs.Reused[0]
	for _, other := range bs.Reused {
		if other.None == "" {
			r = other
			break
		}
	}
	if why := bs.Absent[r.Binary]; why != "" {
		return fault.Errorf(fault.Input, "%s: %s", r.Site, why)
	}
	return fault.Errorf(fault.Input, "no benchmark of %s runs the code of %s: write one that calls it as the program does, func BenchmarkX(b *testing.B) { for b.Loop() { ... } }, or add -from-test . to run its tests in place of benchmarks",
		p.Package, r.Site)
}

// reachedBy lists, for each variant, the benchmarks that run the code which it changes.
func reachedBy(ctx context.Context, bs *build.Set, o ask.Options, leaves []duet.Leaf) ([][]string, error) {
	paths := map[string]bool{bs.Main().Package.Path: true}
	for _, r := range bs.Reused {
		for _, at := range r.At {
			paths[at.Package] = true
		}
	}
	c, err := newCoverage(ctx, bs.Main(), o.Timeout, leaves, slices.Sorted(maps.Keys(paths))...)
	if err != nil {
		return nil, err
	}
	all := make([][]string, len(bs.Reused))
	for _, l := range leaves {
		if l.Skipped || l.Failed != "" {
			continue
		}
		few, many, _, err := c.twoRuns(ctx, l.Name)
		if broken := new(duet.BenchError); errors.As(err, &broken) {
			continue // it fails where it is measured, too
		}
		if err != nil {
			return nil, err
		}
		for i, r := range bs.Reused {
			if slices.ContainsFunc(r.At, func(at build.At) bool {
				place := unpool.Place{File: at.File, Package: at.Package, Line: at.Line, Column: 1, EndLine: at.Line, EndCol: 1 << 20}
				a, _ := countAt(few, place)
				b, _ := countAt(many, place)
				return b > a
			}) {
				all[i] = append(all[i], l.Name)
			}
		}
	}
	return all, nil
}

// weigh says which benchmarks are about little else than a site, and of each variant's binary
// that it removes nothing in a benchmark, and why that is known, if it does so in none. What it
// costs where it removes nothing has to be known, too, if it does elsewhere.
func weigh(ctx context.Context, bs *build.Set, o ask.Options, leaves []duet.Leaf, reached [][]string) (alone map[string]bool, nothing map[string]map[string]string, err error) {
	alone, nothing = map[string]bool{}, map[string]map[string]string{}
	rows := make([]struct {
		here  []*build.Reused
		alone bool
		why   []string // by variant
		err   error
	}, len(leaves))
	several := 0
	for k, l := range leaves {
		for i, r := range bs.Reused {
			if slices.Contains(reached[i], l.Name) && r.None == "" && r.Unsafe == "" && !untested(r) && bs.Absent[r.Binary] == "" {
				rows[k].here = append(rows[k].here, r)
			}
		}
		if len(rows[k].here) > 0 {
			several++
		}
	}
	if several == 0 {
		return alone, nothing, nil
	}
	o.Progress.Step("counting what " + benchmarks(several) + " of " + bs.Main().Package.Path + " allocate, before and after")
	build.Together(len(leaves), func(k int) {
		row, l := &rows[k], leaves[k]
		if len(row.here) == 0 {
			return
		}
		if o.Patch == "" {
			if row.alone, row.err = isolated(ctx, bs, o.Timeout, l.Name, siteShare(row.here)); row.err != nil {
				return
			}
		}
		before, err := countMemory(ctx, bs, o, build.MainBinary, l)
		for _, r := range row.here {
			after := memory{}
			if err == nil {
				after, err = countMemory(ctx, bs, o, r.Binary, l)
			}
			row.why = append(row.why, after.removesNothing(before))
		}
		row.err = err
	})
	for k, row := range rows {
		if row.err != nil {
			return nil, nil, row.err
		}
		leaf := leaves[k].Name
		alone[leaf] = row.alone
		for i, r := range row.here {
			if nothing[r.Binary] == nil {
				nothing[r.Binary] = map[string]string{}
			}
			nothing[r.Binary][leaf] = row.why[i]
		}
	}
	for _, why := range nothing {
		if slices.Contains(slices.Collect(maps.Values(why)), "") {
			clear(why)
		}
	}
	return alone, nothing, nil
}

// siteShare is the share of a benchmark's samples that are at the lines of sites.
func siteShare(all []*build.Reused) func(*profile.Profile) float64 {
	return func(p *profile.Profile) float64 {
		most := 0.0
		for _, r := range all {
			most = max(most, shareOf(p, func(_, _, file string, line int64) bool {
				return slices.ContainsFunc(r.At, func(at build.At) bool {
					return int64(at.Line) == line && filepath.Base(at.File) == filepath.Base(file) && strings.HasSuffix(filepath.ToSlash(file), tail(at.File))
				})
			}))
		}
		return most
	}
}

// tail is the last two parts of a file's name: the whole of it may be trimmed in a profile.
func tail(file string) string {
	return filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
}
