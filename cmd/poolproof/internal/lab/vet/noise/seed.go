package noise

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

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/poolcalls"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/variant"
)

// Seed is one defect that was put into a module.
type Seed struct {
	Way         string // the name of the transformation
	File        string // relative to the module
	Func        string
	First, Last int // lines of the function; seeding leaves lines where they are
	Wants       []string

	edits []edit.Edit
}

// Found says whether a report is about the seed: of a code that fits, in its
// function, and not made before.
func (s Seed) Found(before, after []corpus.Report) (corpus.Report, bool) {
	old := make(map[corpus.Report]bool)
	for _, r := range before {
		r.Message, r.Col = "", 0
		old[r] = true
	}
	for _, r := range after {
		plain := r
		plain.Message, plain.Col = "", 0
		if r.File == s.File && s.First <= r.Line && r.Line <= s.Last && slices.Contains(s.Wants, r.Code) && !old[plain] {
			return r, true
		}
	}
	return corpus.Report{}, false
}

// Seeds looks for all places in a tree where a defect can be put that is one for
// certain.
func Seeds(ctx context.Context, t Tree) ([]Seed, error) {
	pkgs, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode:    packages.LoadSyntax,
		Dir:     t.Dir,
		Env:     append(os.Environ(), "GOWORK=off"),
	}, t.Patterns...)
	if err != nil {
		return nil, err
	}
	index := poolcalls.New()
	for range 2 { // wrappers of wrappers
		for _, p := range pkgs {
			if p.TypesInfo != nil {
				index.Add(p.Syntax, p.TypesInfo)
			}
		}
	}
	var all []Seed
	for _, p := range pkgs {
		if len(p.Errors) > 0 || p.TypesInfo == nil {
			continue // it is not analysed either
		}
		seeds, err := seedsOf(t, p, index)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, err)
		}
		all = append(all, seeds...)
	}
	return all, nil
}

func seedsOf(t Tree, p *packages.Package, index *poolcalls.Index) (all []Seed, err error) {
	sources, names, err := variant.Sources(p)
	if err != nil {
		return nil, nil // files that a tool made, as cgo does
	}
	imports := variant.Imports(p)
	for _, s := range variant.Sites(p, sources, index) {
		for _, tr := range variant.Seeds() {
			c, ok := tr.Apply(s)
			if !ok {
				continue
			}
			name := s.Name()
			text, err := edit.Apply(s.Src, c.Edits)
			if err != nil {
				return nil, err
			}
			changed := maps.Clone(sources)
			changed[name] = text
			if _, errs := variant.Check(p.PkgPath, imports, changed, names); len(errs) > 0 {
				continue // such a program does not run
			}
			rel, err := filepath.Rel(t.Dir, s.Fset.PositionFor(s.Fn.Pos(), false).Filename)
			if err != nil {
				return nil, err
			}
			first, last := s.Lines()
			all = append(all, Seed{
				Way: tr.Name, File: filepath.ToSlash(rel), Func: corpus.FuncName(s.Fn),
				First: first, Last: last, Wants: c.Expect.Wants, edits: c.Edits,
			})
		}
	}
	return all, nil
}

// Recall is how many seeds of one way were found in a module.
type Recall struct {
	Module Module
	Way    string
	Found  int
	Missed []Seed
}

// MeasureSeeds puts the seeds of one way after the other into the tree and
// analyses it. Before is what was reported without them.
func MeasureSeeds(ctx context.Context, tool corpus.Tool, t Tree, seeds []Seed, before []corpus.Report) (all []Recall, err error) {
	for _, tr := range variant.Seeds() {
		r := Recall{Module: t.Module, Way: tr.Name}
		var mine []Seed
		for _, s := range seeds {
			if s.Way == tr.Name {
				mine = append(mine, s)
			}
		}
		if len(mine) == 0 {
			continue
		}
		after, err := analyseSeeded(ctx, tool, t, mine)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", t.Name, tr.Name, err)
		}
		for _, s := range mine {
			if _, ok := s.Found(before, after); ok {
				r.Found++
			} else {
				r.Missed = append(r.Missed, s)
			}
		}
		all = append(all, r)
	}
	return all, nil
}

// analyseSeeded analyses the tree with seeds in it, and takes them out again. It
// changes the files where they are, so that for the go command it is the module
// of which it has all packages that do not change.
func analyseSeeded(ctx context.Context, tool corpus.Tool, t Tree, seeds []Seed) (reports []corpus.Report, err error) {
	edits := make(map[string][]edit.Edit)
	folders := make(map[string]bool)
	for _, s := range seeds {
		edits[s.File] = append(edits[s.File], s.edits...)
		folders["./"+path.Dir(s.File)] = true
	}
	original := make(map[string][]byte)
	defer func() {
		for name, src := range original {
			err = errors.Join(err, os.WriteFile(name, src, 0o666))
		}
	}()
	for file, list := range edits {
		name := filepath.Join(t.Dir, filepath.FromSlash(file))
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text, err := edit.Apply(src, list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		original[name] = src
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return nil, err
		}
	}
	run, err := tool.Vet(ctx, t.Dir, slices.Sorted(maps.Keys(folders))...)
	if err == nil && len(run.Failures) > 0 {
		err = fmt.Errorf("packages with seeds were not analysed: %s", strings.Join(run.Failures, "\n"))
	}
	return run.Reports, err
}
