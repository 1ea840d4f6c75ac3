package plan

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/cover"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// leaveOutUnchanged skips the comparisons whose operations run nothing that differs
// between the revisions, counted by coverage. What coverage cannot tell is measured.
func leaveOutUnchanged(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options, leaves []duet.Leaf) error {
	c := bs.Changed
	if c == nil || c.All != "" {
		return nil
	}
	o.Progress.Step("finding the benchmarks that run what differs")
	d, err := differing(c, bs.Main().Package.Dir)
	if err != nil || d.allTests {
		return err
	}
	var counts *coverage
	if len(c.Packages) > 0 {
		counts, err = newCoverage(ctx, bs.Main(), o.Timeout, leaves, slices.Sorted(maps.Keys(c.Packages))...)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // as where coverage breaks a build
			return nil
		}
	}
	reached := map[string]bool{}
	for i := range p.Comparisons {
		q := &p.Comparisons[i]
		if q.Skipped != "" || !q.Complete() {
			continue
		}
		leaf := q.CandidateBench.Leaf
		runs, ok := reached[leaf]
		if !ok {
			if runs, err = d.runs(ctx, counts, leaf); err != nil {
				return err
			}
			reached[leaf] = runs
		}
		if !runs {
			// Without a side it is not measured however much room there is.
			q.Skipped, q.BaselineBench = "it runs no code that differs from "+q.Baseline, study.Bench{}
		}
	}
	if !slices.ContainsFunc(p.Comparisons, func(q study.Comparison) bool { return q.Skipped == "" }) {
		return build.Nothing{Err: fault.Errorf(fault.Input, "no benchmark runs code that differs from %s", bs.Revised.Base.Label)}
	}
	return nil
}

// differences are the lines that a benchmark must run to count as changed.
type differences struct {
	allTests   bool                  // every benchmark of the package counts
	benchmarks map[string]bool       // top-level benchmarks whose own source differs
	whole      map[string]bool       // packages whose every line counts
	lines      map[string][]git.Hunk // by the name in a coverage profile
}

// differing makes lines of changes. A change of what no coverage counts, such as a type,
// makes all lines of its package count.
func differing(c *build.Changed, dir string) (*differences, error) {
	d := &differences{benchmarks: map[string]bool{}, whole: map[string]bool{}, lines: map[string][]git.Hunk{}}
	for name, change := range c.Tests {
		if err := d.test(filepath.Join(dir, name), change); err != nil {
			return nil, err
		}
	}
	for path, p := range c.Packages {
		d.whole[path] = p.Whole
		for name, change := range p.Files {
			if err := d.file(path, filepath.Join(p.Dir, name), change); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// declarations reads the declarations of a file.
func declarations(name string) (*token.FileSet, []ast.Decl, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, fault.Errorf(fault.Code, "%w", err)
	}
	return fset, f.Decls, nil
}

// test reads what differs in a test file of the package: other tests are nothing to a
// benchmark, what they share is.
func (d *differences) test(name string, change git.Change) error {
	if change.Gone {
		return nil // what used it is gone, or differs too
	}
	fset, decls, err := declarations(name)
	if err != nil {
		return err
	}
	for _, decl := range decls {
		if !touched(fset, decl, change) {
			continue
		}
		fd, ok := decl.(*ast.FuncDecl)
		switch {
		case ok && fd.Recv == nil && strings.HasPrefix(fd.Name.Name, "Benchmark"):
			d.benchmarks[fd.Name.Name] = true
		case ok && fd.Recv == nil && slices.ContainsFunc([]string{"Test", "Fuzz", "Example"}, func(p string) bool { return strings.HasPrefix(fd.Name.Name, p) }) && fd.Name.Name != "TestMain":
		case imports(decl):
		default:
			d.allTests = true
		}
	}
	return nil
}

// file reads what differs in a file of a package.
func (d *differences) file(pkg, name string, change git.Change) error {
	if change.Gone {
		d.whole[pkg] = true // a method that is gone may have changed what others do
		return nil
	}
	fset, decls, err := declarations(name)
	if err != nil {
		return err
	}
	key := pkg + "/" + filepath.Base(name)
	if change.New && len(change.Hunks) == 0 {
		change.Hunks = []git.Hunk{{First: 1, Last: fset.File(decls[0].Pos()).LineCount(), Code: true}}
	}
	for _, h := range change.Hunks {
		if !h.Code {
			continue
		}
		known := false
		for _, decl := range decls {
			first, last := fset.Position(decl.Pos()).Line, fset.Position(decl.End()).Line
			if !overlap(h, first, last) {
				continue
			}
			known = true
			fd, ok := decl.(*ast.FuncDecl)
			switch {
			case ok && fd.Body != nil:
				in := git.Hunk{First: max(h.First, first), Last: min(h.Last, last), Code: true}
				// A change of the head is one of the whole body, whose first block is run by each call.
				if body := fset.Position(fd.Body.Lbrace).Line; h.Last >= h.First && in.First <= body {
					in.First, in.Last = body, max(in.Last, body)
				}
				d.lines[key] = append(d.lines[key], in)
			case imports(decl), h.First <= first && h.Last >= last: // all of it is new: what uses it differs too
			default:
				d.whole[pkg] = true
			}
		}
		if !known && h.Last < h.First { // declarations that are gone
			d.whole[pkg] = true
		}
	}
	return nil
}

func imports(decl ast.Decl) bool {
	g, ok := decl.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// touched reports whether a change is in a declaration.
func touched(fset *token.FileSet, decl ast.Decl, change git.Change) bool {
	if change.New && len(change.Hunks) == 0 {
		return true
	}
	first, last := fset.Position(decl.Pos()).Line, fset.Position(decl.End()).Line
	return slices.ContainsFunc(change.Hunks, func(h git.Hunk) bool { return h.Code && overlap(h, first, last) })
}

// overlap reports whether a hunk is in the lines from first to last. Lines that are gone
// were in them if they were between two of them.
func overlap(h git.Hunk, first, last int) bool {
	if h.Last < h.First {
		return first <= h.Last && h.First <= last
	}
	return h.First <= last && first <= h.Last
}

// runs reports whether an operation of a benchmark runs what differs.
func (d *differences) runs(ctx context.Context, counts *coverage, leaf string) (bool, error) {
	top, _, _ := strings.Cut(leaf, "/")
	if d.benchmarks[top] {
		return true, nil
	}
	if counts == nil {
		return false, nil
	}
	few, many, _, err := counts.twoRuns(ctx, leaf)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if broken := new(duet.BenchError); errors.As(err, &broken) {
		return true, nil // whatever is wrong with it is seen when it is measured
	}
	if err != nil {
		return false, err
	}
	return d.in(few, many), nil
}

// in reports whether the second of two profiles counts more of what differs than the
// first.
func (d *differences) in(few, many []*cover.Profile) bool {
	before := map[string]*cover.Profile{}
	for _, p := range few {
		before[p.FileName] = p
	}
	for _, p := range many {
		i := strings.LastIndexByte(p.FileName, '/')
		if i < 0 {
			continue
		}
		hunks := d.lines[p.FileName]
		for k, b := range p.Blocks {
			was := 0
			if q := before[p.FileName]; q != nil && k < len(q.Blocks) {
				was = q.Blocks[k].Count
			}
			if b.Count > was && (d.whole[p.FileName[:i]] || slices.ContainsFunc(hunks, func(h git.Hunk) bool { return touches(h, b) })) {
				return true
			}
		}
	}
	return false
}

// touches reports whether a hunk changes a block.
func touches(h git.Hunk, b cover.ProfileBlock) bool {
	if h.Last < h.First {
		return b.StartLine <= h.First && h.Last <= b.EndLine
	}
	return overlap(h, b.StartLine, b.EndLine)
}
