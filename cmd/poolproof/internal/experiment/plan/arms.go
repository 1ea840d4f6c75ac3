package plan

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// split takes the KEY=value part out of a benchmark name. ok is false where
// there is none.
func split(leaf, key string) (rest, value string, ok bool) {
	parts := strings.Split(leaf, "/")
	for i, part := range parts[1:] {
		if v, found := strings.CutPrefix(part, key+"="); found {
			return strings.Join(slices.Delete(parts, i+1, i+2), "/"), v, true
		}
	}
	return leaf, "", false
}

// compareValues compares, on each benchmark with a KEY=value part, every value
// with the baseline.
func compareValues(p *study.Plan, o ask.Options, leaves []duet.Leaf, cells [][]string) error {
	type group struct {
		bench  string
		values []string
		leaf   map[string]string
		skips  map[string]bool
	}
	var groups []*group
	byName := map[string]*group{}
	keys := map[string]bool{}
	for _, l := range leaves {
		for _, part := range strings.Split(l.Name, "/")[1:] {
			if k, _, ok := strings.Cut(part, "="); ok {
				keys[k] = true
			}
		}
		rest, value, ok := split(l.Name, o.Key)
		if !ok {
			continue
		}
		g := byName[rest]
		if g == nil {
			g = &group{bench: rest, leaf: map[string]string{}, skips: map[string]bool{}}
			byName[rest] = g
			groups = append(groups, g)
		}
		if g.leaf[value] == "" {
			g.values = append(g.values, value)
		}
		g.leaf[value], g.skips[value] = l.Name, l.Skipped
	}
	if len(groups) == 0 {
		return missingKey(o.Key, keys)
	}
	single := true
	for _, g := range groups {
		base := o.Baseline
		if base == "" {
			base = g.values[0]
		}
		if g.leaf[base] == "" {
			return fault.Option("baseline", base, "%s has no %s=%s; it has %s", g.bench, o.Key, base, strings.Join(g.values, ", "))
		}
		for _, v := range g.values {
			if v == base {
				continue
			}
			single = false
			for _, cell := range cells {
				c := study.Comparison{
					ID: id(g.bench, v, cell), Benchmark: g.bench, Arm: v, Baseline: base, Cell: cell,
					BaselineBench: study.Bench{Binary: build.MainBinary, Leaf: g.leaf[base]}, CandidateBench: study.Bench{Binary: build.MainBinary, Leaf: g.leaf[v]},
				}
				switch {
				case g.skips[base]:
					c.BaselineBench, c.Skipped = study.Bench{}, g.leaf[base]+" skips itself"
				case g.skips[v]:
					c.CandidateBench, c.Skipped = study.Bench{}, g.leaf[v]+" skips itself"
				}
				p.Comparisons = append(p.Comparisons, c)
			}
		}
	}
	if single {
		return build.Nothing{Err: fault.Errorf(fault.Input, "each matching benchmark has only one value of %s, so there is nothing to compare; add a sub-benchmark with another value", o.Key)}
	}
	return nil
}

// ErrNoKey is the error of a package whose benchmarks have no variants to compare:
// its revisions can be, or each benchmark with itself.
var ErrNoKey = errors.New("no matching benchmark has a KEY=value part in its name")

// missingKey is the error for a key that no benchmark has. keys are those that
// they have.
func missingKey(key string, keys map[string]bool) error {
	if len(keys) == 0 {
		return build.Nothing{Err: fault.Option("vary", key, "%w; name the sub-benchmarks so, for example b.Run(\"%s=new\", ...)", ErrNoKey, key)}
	}
	return build.Nothing{Err: fault.Option("vary", key, "no matching benchmark has that key; the keys are: %s", strings.Join(slices.Sorted(maps.Keys(keys)), ", "))}
}

// compareSelf compares every benchmark with itself.
func compareSelf(p *study.Plan, leaves []duet.Leaf, cells [][]string) {
	for _, cell := range cells {
		for _, l := range leaves {
			c := study.Comparison{ID: id(l.Name, "itself", cell), Benchmark: l.Name, Arm: "itself", Baseline: "itself", Cell: cell}
			if side := (study.Bench{Binary: build.MainBinary, Leaf: l.Name}); l.Skipped {
				c.Skipped = "it skips itself"
			} else {
				c.BaselineBench, c.CandidateBench = side, side
			}
			p.Comparisons = append(p.Comparisons, c)
		}
	}
}

// id names a comparison: the same question gets the same name in every run.
func id(bench, arm string, cell []string) string {
	s := bench + "/" + arm
	if len(cell) > 0 {
		s += " " + strings.Join(cell, " ")
	}
	return s
}

// armLeaf returns the leaf of a study's benchmark and arm.
func armLeaf(leaves []duet.Leaf, key, bench, arm string) (duet.Leaf, bool) {
	for _, l := range leaves {
		if rest, value, ok := split(l.Name, key); ok && rest == bench && value == arm {
			return l, true
		}
	}
	return duet.Leaf{}, false
}

// missingArm is the error for an arm that no benchmark has.
func missingArm(file *study.File, b study.Benchmark, arm, binary string) error {
	where := "the package"
	if binary != build.MainBinary {
		where = "the binary " + binary
	}
	return fault.Errorf(fault.Input, "%s: benchmark %q: %s has no %s with %s=%s; write it, or list the arm under skip",
		file.Path, b.Name, where, b.Bench, file.Key, arm)
}
