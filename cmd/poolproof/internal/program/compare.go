package program

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// File is program.json: what was measured, and what it means.
type File struct {
	Title    string                  `json:"title"`
	Base     string                  `json:"base"` // commits
	Head     string                  `json:"head"`
	Dirty    bool                    `json:"dirty,omitempty"`
	Command  []string                `json:"command"`
	Load     []string                `json:"load,omitempty"`
	Layouts  int                     `json:"layouts"` // builds of each side, of which launches take one after the other
	Band     float64                 `json:"band"`    // log ratio
	Launches [][2]map[string]float64 `json:"launches"`
	Spent    study.Duration          `json:"spent"`
	Result   stat.ProgramResult      `json:"result"`
	Machine  string                  `json:"machine,omitempty"`
}

// DefaultThreshold is practical equality of whole programs. Their layout moves them by more than it
// does a loop that is measured alone, and few layouts are built.
const DefaultThreshold = 0.05

// layouts is how many builds of each side there are: the same source, its functions in another
// order. Launches take them in turn, so that the layout is part of the spread between launches.
const layouts = 4

// rule is that of the benchmarks, with one look at a time and no later ones than fit a budget of hours.
func (q *Question) rule() stat.ProgramRule {
	r := stat.DefaultRule()
	r.Band = math.Log1p(cmp.Or(q.Threshold, DefaultThreshold))
	time := cpu
	if len(q.Load) == 0 {
		time = wall
	}
	return stat.ProgramRule{Rule: r, Time: []string{time}, Memory: rss, Silent: collector, Higher: HigherIsBetter}
}

// Compare builds both revisions and runs them in turn, until the rule has decided or the budget is
// spent. When ctx ends, what was measured is judged and returned with the context's error.
func (q *Question) Compare(ctx context.Context, say progress.Reporter) (File, error) {
	tmp, remove, err := scratch.Make()
	if err != nil {
		return File{}, err
	}
	defer remove()
	bs, err := build.FindRevisions(ctx, ask.Options{Question: q.Question, Program: true, Progress: say}, filepath.Join(tmp, "trees"), tmp, tmp, nil)
	if err != nil {
		return File{}, err
	}
	defer bs.Close()
	r := bs.Revised
	f := File{Title: fmt.Sprintf("%s against %s, of %s", r.Head, r.Base, bs.Main().Package.Path), Base: r.Base.Hash, Head: r.Head.Hash, Dirty: r.Dirty, Command: q.Cmd, Load: q.Load}
	targets := [2]*build.Target{bs.Target(build.BaseBinary), bs.Main()}
	var binaries [2][]string
	for side, t := range targets {
		say.Step("building " + t.String())
		if binaries[side], err = buildProgram(ctx, t, tmp, side); err != nil {
			return f, err
		}
	}
	f.Layouts = min(len(binaries[0]), len(binaries[1]))
	rule := q.rule()
	f.Band = rule.Rule.Band
	coin := rand.New(rand.NewPCG(q.Seed, 1))
	started := time.Now()
	var longest time.Duration
	for {
		begun := time.Now()
		say.Measure(time.Since(started), q.Budget, fmt.Sprintf("launch %d", len(f.Launches)+1))
		var launch [2]map[string]float64
		first, side := coin.IntN(2), 0
		for _, side = range []int{first, 1 - first} {
			if launch[side], err = q.one(ctx, binaries[side][len(f.Launches)%f.Layouts]); err != nil {
				break
			}
		}
		if err != nil {
			if ctx.Err() != nil {
				err = ctx.Err()
				break
			}
			return f, fmt.Errorf("%s: %w", [2]string{"the base", "the head"}[side], err)
		}
		f.Launches = append(f.Launches, launch)
		f.Result = stat.Program(rule, f.Launches)
		longest = max(longest, time.Since(begun))
		if !f.Result.Open || time.Since(started)+longest > q.Budget {
			break
		}
	}
	f.Spent = study.Duration(time.Since(started))
	return f, err
}

// buildProgram builds the layouts of one side. The first is as the go command builds it.
func buildProgram(ctx context.Context, t *build.Target, dir string, side int) ([]string, error) {
	if t.Package.Name != "main" {
		return nil, fault.Errorf(fault.Input, "%s is package %s: -cmd needs one that go build makes a program of", t.Package.Path, t.Package.Name)
	}
	var names []string
	for k := range layouts {
		name := filepath.Join(dir, fmt.Sprintf("program%d-%d", side, k))
		args := []string{"build", "-o", name}
		if k > 0 {
			args = append(args, "-ldflags=-randlayout="+strconv.Itoa(k))
		}
		_, err := t.Go(ctx, t.Package.Dir, args, ".")
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && k > 0:
			return names, nil // a linker that has no such flag
		case err != nil:
			return nil, fault.Errorf(fault.Code, "%s does not build:\n%w", t, err)
		}
		names = append(names, name)
	}
	return names, nil
}

// Write keeps the file in a folder, which it makes.
func (f File) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return study.WriteFile(filepath.Join(dir, "program.json"), func(w io.Writer) error { return study.Encode(w, f) })
}
