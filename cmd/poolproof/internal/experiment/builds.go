package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// builds is what the binaries of a plan are built from. All of them are
// measured by one engine: a duet needs two sides that can play it.
type builds struct {
	targets []*target // the package that the question names first
	engine  study.Engine
	note    string                 // why the engine is not the duet
	arms    map[[2]string]string   // IDs of plain binaries, by an arm's module and tags
	absent  map[string]string      // why a plain binary is not there, by ID
	revised *revisions             // KindBase: the two revisions
	leaves  map[string][]duet.Leaf // what the plain binaries hold, by ID
}

// newBuilds begins with the package that the question names.
func newBuilds(main *target) *builds {
	bs := &builds{
		targets: []*target{main}, engine: study.EngineDuet, arms: map[[2]string]string{{}: main.id},
		absent: map[string]string{}, leaves: map[string][]duet.Leaf{},
	}
	if bs.note = onlyPairs(); bs.note != "" {
		bs.engine = study.EnginePairs
	}
	return bs
}

// main is the target of the package that the question names.
func (bs *builds) main() *target { return bs.targets[0] }

// target returns the target of a plain binary.
func (bs *builds) target(id string) *target {
	for _, t := range bs.targets {
		if t.id == id {
			return t
		}
	}
	return nil
}

// program is the process of a build in a cell.
func (bs *builds) program(plain string, layout int, cell []string) duet.Program {
	t := bs.target(plain)
	return duet.Program{Binary: t.binary(layoutID(plain, layout)), Dir: t.pkg.Dir, Env: cell}
}

// close takes back what was made beside the files of the run.
func (bs *builds) close() {
	if bs.revised != nil {
		bs.revised.end()
	}
}

// compile builds every plain binary. Where one toolchain cannot be
// instrumented all fall back to process pairs. What cannot be built and is
// optional is left out; wanted, if not nil, says which binaries a plan has.
func (bs *builds) compile(ctx context.Context, say progress.Reporter, wanted func(id string) bool) ([]study.Binary, error) {
	var built []study.Binary
	for _, t := range bs.targets {
		if bs.absent[t.id] != "" || wanted != nil && !wanted(t.id) {
			continue
		}
		say.Step("building " + t.String() + " with " + t.chain.Version)
		b, err := t.build(ctx, 0, bs.engine)
		if errors.Is(err, overlay.ErrAnchor) {
			bs.engine, bs.note = study.EnginePairs, err.Error()
			return bs.compile(ctx, say, wanted)
		}
		if err == nil && t.optional != "" {
			err = bs.starts(ctx, t)
		}
		if err != nil {
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case bs.leaveOut(t.id, t.optional, err):
				continue
			case t != bs.main():
				err = exitcode.Errorf(exitcode.Of(err), "%s: %w", t.id, err)
			}
			return nil, err
		}
		built = append(built, bs.describe(t, b))
	}
	return built, nil
}

// starts reports why a binary that has been built cannot run: a library that it
// was linked with may not be there.
func (bs *builds) starts(ctx context.Context, t *target) error {
	stdout, stderr, err := duet.Exec(ctx, bs.program(t.id, 0, nil), startTime, "-test.list=^$")
	if err != nil && ctx.Err() == nil {
		return exitcode.Errorf(exitcode.Build, "%s\n%w", strings.TrimSpace(stdout+"\n"+stderr), err)
	}
	return err
}

// startTime is more than a binary needs to list none of its tests.
const startTime = time.Minute

// describe adds what sets a binary apart from the main one.
func (bs *builds) describe(t *target, b study.Binary) study.Binary {
	if main := bs.main(); t != main {
		if t.pkg.Module != main.pkg.Module {
			b.Module = t.pkg.Module
		}
		if chain := t.toolchain(); chain != main.toolchain() {
			b.Toolchain = chain
		}
	}
	return b
}

// leaveOut notes that a binary is not there, if what the user is told then is
// known: it is empty where the binary is not optional.
func (bs *builds) leaveOut(id, optional string, err error) bool {
	if optional == "" {
		return false
	}
	bs.absent[id] = fmt.Sprintf("%s (%s)", strings.TrimRight(strings.TrimSpace(optional), "."), tellingLine(err))
	return true
}

// tellingLine is the first line of an error of a build that says what is
// wrong: the go command may name packages, and what it downloads, above it.
func tellingLine(err error) string {
	first := ""
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		if first == "" {
			first = line
		}
		if line == "" || strings.HasPrefix(line, "#") || strings.HasSuffix(line, " does not compile:") ||
			strings.HasPrefix(line, "go: downloading ") || strings.HasPrefix(line, "go: finding ") {
			continue
		}
		return line
	}
	return first
}

// notes says what is unusual about the builds.
func (bs *builds) notes() string {
	var all []string
	for _, t := range bs.targets {
		if bs.absent[t.id] != "" {
			continue
		}
		for _, n := range t.chain.Notes {
			if t != bs.main() {
				n = t.id + ": " + n
			}
			all = append(all, n)
		}
	}
	if bs.note != "" {
		all = append(all, bs.note)
	}
	return strings.Join(all, "; ")
}

// list finds the benchmarks of a plain binary that match the pattern, those that
// fail included. The error names the first where all of them do.
func (bs *builds) list(ctx context.Context, id, pattern string, o Options) ([]duet.Leaf, error) {
	t, list := bs.target(id), duet.Leaves
	if bs.engine == study.EnginePairs {
		list = duet.LeavesPlain
	}
	leaves, err := list(ctx, bs.program(id, 0, nil), pattern, o.Timeout)
	var broken *duet.BenchError
	switch {
	case errors.As(err, &broken) && strings.Contains(broken.Text, "invalid regexp"):
		return nil, exitcode.Errorf(exitcode.Usage, "-bench %s is no regular expression: %s", pattern, broken.Text)
	case errors.As(err, &broken):
		return nil, exitcode.Errorf(exitcode.Build, "%s: %s", t, bs.reachable(id, broken.Text))
	case err != nil:
		return nil, err
	case len(leaves) == 0:
		return nil, exitcode.Errorf(exitcode.Usage, "%s: no benchmark matches -bench %s (or all of them skip themselves)", t, pattern)
	}
	for i := range leaves {
		leaves[i].Failed = bs.reachable(id, leaves[i].Failed)
	}
	if !slices.ContainsFunc(leaves, func(l duet.Leaf) bool { return l.Failed == "" }) {
		why := leaves[0].Failed
		if len(leaves) > 1 {
			why = fmt.Sprintf("all %d benchmarks that match fail; the first: %s", len(leaves), why)
		}
		return nil, exitcode.Errorf(exitcode.Build, "%s: %s", t, why)
	}
	bs.leaves[id] = leaves
	return leaves, nil
}

// fail notes which comparisons have a side that fails, and which benchmarks fail
// that belong to none.
func (bs *builds) fail(p *study.Plan) {
	blamed := map[study.Bench]bool{}
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		for _, s := range []struct {
			name string
			study.Bench
		}{{"candidate", c.CandidateBench}, {"baseline", c.BaselineBench}} { // the baseline is the user's to repair first
			if text := bs.failed(s.Bench); text != "" {
				c.Failed = &study.Failure{Side: s.name, Binary: s.Binary, Benchmark: s.Leaf, Text: text}
				blamed[s.Bench] = true
			}
		}
	}
	for _, t := range bs.targets {
		for _, l := range bs.leaves[t.id] {
			if s := (study.Bench{Binary: t.id, Leaf: l.Name}); l.Failed != "" && !blamed[s] {
				p.Failed = append(p.Failed, study.Failure{Binary: t.id, Benchmark: l.Name, Text: l.Failed})
			}
		}
	}
}

// failed says why a benchmark cannot be measured; "" if it can.
func (bs *builds) failed(s study.Bench) string {
	for _, l := range bs.leaves[s.Binary] {
		if l.Name == s.Leaf {
			return l.Failed
		}
	}
	return ""
}

// once returns how long a benchmark takes for one operation with its set-up;
// 0 if it is not known.
func (bs *builds) once(s study.Bench) time.Duration {
	for _, l := range bs.leaves[s.Binary] {
		if l.Name == s.Leaf {
			return l.Once
		}
	}
	return 0
}
