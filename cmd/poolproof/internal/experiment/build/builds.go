// Package build finds what a question is about, be it a package, two revisions of
// it, or the modules of a study's arms, and makes the test binaries.
package build

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Set holds the sources of the binaries of a plan. All of them are
// measured by one engine: a duet needs two sides that can play it.
type Set struct {
	Targets  []*Target // the package that the question names first
	Engine   study.Engine
	Note     string                 // why the engine is not the duet
	arms     map[[2]string]string   // IDs of plain binaries, by an arm's module and tags
	Absent   map[string]string      // why a plain binary is not there, by ID
	Revised  *revisions             // KindBase: the two revisions
	Changed  *Changed               // KindBase: what differs between them; nil: not asked
	Unpooled []Unpooled             // KindUnpool: the builds without a pool
	Reused   []*Reused              // KindSite: the variants
	Leaves   map[string][]duet.Leaf // what the plain binaries hold, by ID
}

// NewSet begins with the package that the question names.
func NewSet(main *Target) *Set {
	bs := &Set{
		Targets: []*Target{main}, Engine: study.EngineDuet, arms: map[[2]string]string{{}: main.ID},
		Absent: map[string]string{}, Leaves: map[string][]duet.Leaf{},
	}
	if bs.Note = onlyPairs(); bs.Note != "" {
		bs.Engine = study.EnginePairs
	}
	return bs
}

// Main is the target of the package that the question names.
func (bs *Set) Main() *Target { return bs.Targets[0] }

// Target returns the target of a plain binary.
func (bs *Set) Target(id string) *Target {
	for _, t := range bs.Targets {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// Program is the process of a build in a cell.
func (bs *Set) Program(plain string, layout int, cell []string) duet.Program {
	t := bs.Target(plain)
	_, env := study.Settings(cell)
	return duet.Program{Binary: t.binary(LayoutID(plain, layout)), Dir: t.Package.Dir, Env: env}
}

// Close takes back what was made beside the files of the run.
func (bs *Set) Close() {
	if bs.Revised != nil {
		bs.Revised.end()
	}
}

// Compile builds every plain binary. Where one toolchain cannot be
// instrumented all fall back to process pairs. What cannot be built and is
// optional is left out; wanted, if not nil, says which binaries a plan has.
func (bs *Set) Compile(ctx context.Context, say progress.Reporter, wanted func(id string) bool) ([]study.Binary, error) {
	var targets []*Target
	for _, t := range bs.Targets {
		if bs.Absent[t.ID] == "" && (wanted == nil || wanted(t.ID)) {
			targets = append(targets, t)
			say.Step("building " + t.String() + " with " + t.Chain.Version)
		}
	}
	made, errs := make([]study.Binary, len(targets)), make([]error, len(targets))
	Together(len(targets), func(i int) {
		t := targets[i]
		if made[i], errs[i] = t.Build(ctx, 0, bs.Engine); errs[i] == nil && t.optional != "" {
			errs[i] = bs.starts(ctx, t)
		}
	})
	var built []study.Binary
	for i, t := range targets {
		switch err := errs[i]; {
		case err == nil:
			built = append(built, bs.Describe(t, made[i]))
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, overlay.ErrAnchor) && t.settings:
			bs.leaveOut(t.ID, t.optional, err)
		case errors.Is(err, overlay.ErrAnchor):
			bs.Engine, bs.Note = study.EnginePairs, err.Error()
			return bs.Compile(ctx, say, wanted)
		case bs.leaveOut(t.ID, t.optional, err):
		case t != bs.Main():
			return nil, fmt.Errorf("%s: %w", t.ID, err)
		default:
			return nil, err
		}
	}
	return built, nil
}

// starts reports why a binary that has been built cannot run: a library that it
// was linked with may not be there.
func (bs *Set) starts(ctx context.Context, t *Target) error {
	stdout, stderr, err := duet.Exec(ctx, bs.Program(t.ID, 0, nil), startTime, "-test.list=^$")
	if err != nil && ctx.Err() == nil {
		return fault.Errorf(fault.Code, "%s\n%w", strings.TrimSpace(stdout+"\n"+stderr), err)
	}
	return err
}

// startTime is more than a binary needs to list none of its tests.
const startTime = time.Minute

// Describe adds what sets a binary apart from the main one.
func (bs *Set) Describe(t *Target, b study.Binary) study.Binary {
	if main := bs.Main(); t != main {
		if t.Package.Module != main.Package.Module {
			b.Module = t.Package.Module
		}
		if chain := t.Toolchain(); chain != main.Toolchain() {
			b.Toolchain = chain
		}
	}
	return b
}

// leaveOut notes that a binary is not there, if what the user is told then is
// known: it is empty where the binary is not optional.
func (bs *Set) leaveOut(id, optional string, err error) bool {
	if optional == "" {
		return false
	}
	bs.Absent[id] = fmt.Sprintf("%s (%s)", strings.TrimRight(strings.TrimSpace(optional), "."), tellingLine(err))
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

// Notes says what is unusual about the builds.
func (bs *Set) Notes() string {
	var all []string
	for _, t := range bs.Targets {
		if bs.Absent[t.ID] != "" {
			continue
		}
		for _, n := range t.Chain.Notes {
			if t != bs.Main() {
				n = t.ID + ": " + n
			}
			all = append(all, n)
		}
	}
	if bs.Note != "" {
		all = append(all, bs.Note)
	}
	return strings.Join(all, "; ")
}

// Together calls do with 0 to n-1, as many at once as there are processors, and
// returns when all calls have.
func Together(n int, do func(i int)) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	wg.Wait()
}
