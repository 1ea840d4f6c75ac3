package plan

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/cover"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/unpool"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// comparePools compares, in each benchmark that gets from a pool, the package without
// that pool with the package as it is.
func comparePools(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options, leaves []duet.Leaf, cells [][]string) error {
	o.Progress.Step("counting how the benchmarks of " + p.Package + " use pools")
	used, tested, err := countPools(ctx, bs, o, leaves)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for i, u := range bs.Unpooled {
		reached := slices.ContainsFunc(used, func(by []use) bool { return by[i].gets > 0 })
		if u.Pool.Trouble == "" && reached {
			for _, id := range u.Forms {
				wanted[id] = bs.Absent[id] == ""
			}
		}
	}
	made, err := bs.Compile(ctx, o.Progress, func(id string) bool { return wanted[id] })
	if err != nil {
		return err
	}
	p.Binaries = append(p.Binaries, made...)
	tests, err := testWithout(ctx, bs, o, made)
	if err != nil {
		return err
	}
	p.Tested = tests.note
	alone := map[string]bool{}
	for k, l := range leaves {
		if slices.ContainsFunc(used[k], func(by use) bool { return by.gets > 0 }) {
			if alone[l.Name], err = isolated(ctx, bs, o.Timeout, l.Name, poolShare); err != nil {
				return err
			}
		}
	}
	for i, u := range bs.Unpooled {
		listed := study.ListedPool{ID: u.Pool.ID, Name: u.Pool.Name, Package: u.Pool.Package, Holds: u.Pool.Holds, Trouble: u.Pool.Trouble, PlainOnly: u.Pool.PlainOnly, Remark: u.Pool.Remark}
		first := foremost(leaves, alone, func(k int) float64 { return used[k][i].gets })
		for k, l := range leaves {
			if l.Skipped || used[k][i].gets <= 0 {
				continue
			}
			listed.Reached++
			for _, form := range []unpool.Form{unpool.Plain, unpool.Written} {
				id, ok := u.Forms[form]
				if !ok {
					continue
				}
				for _, cell := range cells {
					c := poolComparison(u, form, l.Name, used[k][i], alone[l.Name], cell)
					switch {
					case bs.Absent[id] != "":
						c.Skipped = bs.Absent[id]
					case tests.broken[id] != "":
						c.Invalid = tests.broken[id]
						c.BaselineBench = study.Bench{Binary: id, Leaf: l.Name}
					default:
						c.BaselineBench = study.Bench{Binary: id, Leaf: l.Name}
					}
					c.Pool.Asking = tests.asking[id]
					c.Late = k != first
					p.Comparisons = append(p.Comparisons, c)
				}
			}
		}
		if listed.Reached == 0 && tested[i] {
			listed.FromTest = p.Question.Path
		}
		p.Pools = append(p.Pools, listed)
	}
	if len(p.Comparisons) == 0 {
		return build.Nothing{Err: unreached(p)}
	}
	return writePatches(bs, p, o.Out)
}

// foremost is the benchmark that is asked about a pool before any benchmark is asked about a
// second pool: the one that gets most, of those whose work is more than the pool; -1 if
// none gets.
func foremost(leaves []duet.Leaf, alone map[string]bool, gets func(int) float64) int {
	first := -1
	for k, l := range leaves {
		switch {
		case l.Skipped || gets(k) <= 0:
		case first < 0, !alone[l.Name] && alone[leaves[first].Name], alone[l.Name] == alone[leaves[first].Name] && gets(k) > gets(first):
			first = k
		}
	}
	return first
}

// poolComparison compares one form of the package without a pool.
func poolComparison(u build.Unpooled, form unpool.Form, leaf string, by use, alone bool, cell []string) study.Comparison {
	arm, baseline := u.Pool.Name+" vs New", "New in each Get"
	if form == unpool.Written {
		arm, baseline = u.Pool.Name+" vs written", "written without it"
	}
	return study.Comparison{
		ID: id(leaf, u.Pool.ID+" "+string(form), cell), Benchmark: leaf, Cell: cell,
		Arm: arm, Baseline: baseline,
		CandidateBench: study.Bench{Binary: build.MainBinary, Leaf: leaf},
		Isolated:       alone,
		Pool:           &study.PoolUse{ID: u.Pool.ID, Name: u.Pool.Name, Form: string(form), Gets: by.gets, Hits: by.hits},
	}
}

// unreached says that no benchmark gets from a pool, and of each pool why it is not
// taken out, if that is it.
func unreached(p *study.Plan) error {
	var all []string
	for _, pool := range p.Pools {
		text := pool.Name + " (" + pool.ID + ")"
		if pool.Trouble != "" {
			text += ", which cannot be taken out: " + pool.Trouble
		} else if pool.FromTest != "" {
			text += ", which its tests get from: add -from-test ."
		}
		all = append(all, text)
	}
	return fault.Errorf(fault.Input, "no benchmark of %s gets from a pool that can be taken out; the pools: %s", p.Package, strings.Join(all, "; "))
}

// use is how an operation of a benchmark uses a pool.
type use struct {
	gets, hits float64 // hits: the share that found an object; negative: not known
}

// countPools counts, for each benchmark, how it uses each pool. tested are those that the
// package's tests get from, if they were run for a pool of it that no benchmark reaches.
func countPools(ctx context.Context, bs *build.Set, o ask.Options, leaves []duet.Leaf) (all [][]use, tested []bool, err error) {
	packages := map[string]bool{bs.Main().Package.Path: true}
	for _, u := range bs.Unpooled {
		for _, at := range slices.Concat(u.Pool.Gets, u.Pool.Misses, u.Pool.Hits) {
			packages[strings.TrimSuffix(at.Package, "_test")] = true
		}
	}
	c, err := newCoverage(ctx, bs.Main(), o.Timeout, leaves, slices.Sorted(maps.Keys(packages))...)
	if err != nil {
		return nil, nil, err
	}
	all = make([][]use, len(leaves))
	for k, l := range leaves {
		all[k] = make([]use, len(bs.Unpooled))
		if l.Skipped || l.Failed != "" {
			continue
		}
		few, many, ops, err := c.twoRuns(ctx, l.Name)
		if broken := new(duet.BenchError); errors.As(err, &broken) {
			continue // it fails where it is measured, too
		}
		if err != nil {
			return nil, nil, err
		}
		for i, u := range bs.Unpooled {
			all[k][i] = useOf(u.Pool, few, many, ops)
		}
	}
	tested = make([]bool, len(bs.Unpooled))
	for i, u := range bs.Unpooled {
		if u.Pool.Package != bs.Main().Package.Path || slices.ContainsFunc(all, func(by []use) bool { return by[i].gets > 0 }) {
			continue
		}
		profiles, err := c.tests(ctx)
		if err != nil {
			return nil, nil, err
		}
		for i, u := range bs.Unpooled {
			tested[i] = slices.ContainsFunc(u.Pool.Gets, func(at unpool.Place) bool { n, _ := countAt(profiles, at); return n > 0 })
		}
		break
	}
	return all, tested, nil
}

// useOf is how an operation uses a pool, by the counts of two runs.
func useOf(pool *unpool.Pool, few, many []*cover.Profile, ops int) use {
	per := func(places []unpool.Place) (n float64, all bool) {
		all = len(places) > 0
		for _, at := range places {
			a, known := countAt(few, at)
			b, _ := countAt(many, at)
			n += float64(b-a) / float64(ops)
			all = all && known
		}
		return n, all
	}
	u := use{hits: -1}
	u.gets, _ = per(pool.Gets)
	if u.gets <= 0 {
		return u
	}
	if misses, known := per(pool.Misses); known {
		u.hits = 1 - max(0, min(1, misses/u.gets))
	} else if hits, known := per(pool.Hits); known {
		u.hits = max(0, min(1, hits/u.gets))
	}
	return u
}

// countAt is how often the block ran that a place is in or begins with.
func countAt(profiles []*cover.Profile, at unpool.Place) (n int, known bool) {
	name := path.Join(at.Package, filepath.Base(at.File))
	for _, p := range profiles {
		if p.FileName != name {
			continue
		}
		before := func(l1, c1, l2, c2 int) bool { return l1 < l2 || l1 == l2 && c1 <= c2 }
		best := -1
		for i, b := range p.Blocks { // in their order in the file
			switch {
			case before(b.StartLine, b.StartCol, at.Line, at.Column) && before(at.Line, at.Column, b.EndLine, b.EndCol):
				best = i // the last that holds it is the innermost
			case best < 0 && before(at.Line, at.Column, b.StartLine, b.StartCol) && before(b.StartLine, b.StartCol, at.EndLine, at.EndCol):
				return b.Count, true // the first of a body
			}
		}
		if best >= 0 {
			return p.Blocks[best].Count, true
		}
	}
	return 0, false
}

// writePatches writes the changes that take pools out as one would write it into the
// folder of the run, and notes them in the comparisons.
func writePatches(bs *build.Set, p *study.Plan, out string) error {
	for _, u := range bs.Unpooled {
		if !slices.ContainsFunc(p.Comparisons, func(c study.Comparison) bool { return c.Pool.ID == u.Pool.ID }) {
			continue
		}
		name, apply, err := writePatch(bs, out, "without-"+u.Pool.ID, u.Patch)
		if err != nil {
			return err
		}
		for i, c := range p.Comparisons {
			if c.Pool.ID == u.Pool.ID {
				p.Comparisons[i].Pool.Patch, p.Comparisons[i].Pool.Apply = name, apply
			}
		}
	}
	return nil
}

// writePatch writes a diff into the folder of the run, and returns its name and the command
// that applies it; nothing where there is no diff.
func writePatch(bs *build.Set, out, about, diff string) (name, apply string, err error) {
	if diff == "" {
		return "", "", nil
	}
	name = strings.Map(fileRune, about) + ".diff"
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", "", err
	}
	if err := os.WriteFile(filepath.Join(out, name), []byte(diff), 0o666); err != nil {
		return "", "", err
	}
	return name, applied(bs.Main().Package.Root, filepath.Join(out, name)), nil
}

// applied is the command that applies a diff of a module.
func applied(root, diff string) string {
	here, err := os.Getwd()
	if err == nil && here == root {
		return "git apply " + diff
	}
	if full, err := filepath.Abs(diff); err == nil {
		diff = full
	}
	if rel, err := filepath.Rel(here, root); err == nil && filepath.IsLocal(rel) {
		root = rel
	}
	return fmt.Sprintf("git -C %s apply %s", root, diff)
}

// fileRune keeps what every file system takes.
func fileRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
		return r
	}
	return '-'
}
