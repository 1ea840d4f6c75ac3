package variant

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/poolcalls"
)

// Variants are the packages that Write wrote.
type Variants struct {
	*corpus.Corpus
	// Changed counts the functions that were changed, by the name of the
	// transformation.
	Changed map[string]int
}

// Write changes the corpus in dir in all ways and writes the packages into the
// module that it makes in out: one folder for each way, and in it one for each
// package. Functions that a way does not apply to are there too, and not judged.
func Write(ctx context.Context, dir, out string) (*Variants, error) {
	if old, err := os.ReadDir(out); err == nil && len(old) > 0 {
		return nil, fmt.Errorf("the folder %s for the variants is not empty; name another one", out)
	}
	marks, err := corpus.Load(dir)
	if err != nil {
		return nil, err
	}
	cfg := &packages.Config{
		Context: ctx,
		Mode:    packages.LoadSyntax | packages.NeedModule,
		Dir:     dir,
		Env:     append(os.Environ(), "GOWORK=off"),
	}
	pkgs, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, err
	}
	w := &writer{dir: dir, out: out, marks: marks, known: make(map[string]*types.Package), applied: make(map[string]Expect), changed: make(map[string]int)}
	if err := w.shared(pkgs); err != nil {
		return nil, err
	}
	for _, t := range Transforms() {
		for _, p := range pkgs {
			if strings.HasPrefix(p.PkgPath, libPath) {
				continue
			}
			if err := w.write(t, p); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", t.Name, p.PkgPath, err)
			}
		}
	}
	return w.judge()
}

// writer writes variants.
type writer struct {
	dir, out string
	marks    *corpus.Corpus
	known    map[string]*types.Package // what variants may import
	index    *poolcalls.Index
	applied  map[string]Expect // by file and function
	changed  map[string]int
}

func key(file, fn string) string { return file + " " + fn }

// shared writes what all variants use, and collects the types of all packages.
func (w *writer) shared(pkgs []*packages.Package) error {
	var failed []error
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			failed = append(failed, e)
		}
		w.known[p.PkgPath] = p.Types
	})
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("the corpus does not build: %w", err)
	}
	if err := os.CopyFS(filepath.Join(w.out, "lib"), os.DirFS(filepath.Join(w.dir, "lib"))); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(w.dir, "go.mod"))
	if err != nil {
		return err
	}
	if err := w.file("go.mod", mod); err != nil {
		return err
	}
	w.index = poolcalls.New()
	for _, p := range pkgs {
		if strings.HasPrefix(p.PkgPath, libPath) {
			w.index.Add(p.Syntax, p.TypesInfo)
		}
	}
	if err := w.library(FarPath, []byte(farSource)); err != nil {
		return err
	}
	for _, p := range pkgs {
		if forwards(p.PkgPath) && strings.HasPrefix(p.PkgPath, libPath) {
			if err := w.library(relayPath+strings.TrimPrefix(p.PkgPath, libPath), forwarder(p)); err != nil {
				return err
			}
		}
	}
	return nil
}

// library writes one package that variants import.
func (w *writer) library(path string, src []byte) error {
	pkg, errs := w.check(path, map[string][]byte{"a.go": src}, []string{"a.go"})
	if len(errs) > 0 {
		return fmt.Errorf("%s: %w\n%s", path, errs[0], src)
	}
	w.known[path] = pkg
	name := strings.TrimPrefix(path, "example.org/corpus/")
	return w.file(name+"/"+name[strings.LastIndexByte(name, '/')+1:]+".go", src)
}

func (w *writer) file(name string, content []byte) error {
	path := filepath.Join(w.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o666)
}

// candidate is a function that a transformation applies to.
type candidate struct {
	file   string
	fn     *ast.FuncDecl
	change Change
}

// write applies one transformation to all functions of a package that it fits,
// and writes the package if there is one. What does not compile then is left
// alone: a transformation cannot know all of Go's rules.
func (w *writer) write(t Transform, p *packages.Package) error {
	index := poolcalls.New()
	for name, at := range w.index.Puts {
		index.Puts[name] = at
	}
	for name := range w.index.Gets {
		index.Gets[name] = true
	}
	index.Add(p.Syntax, p.TypesInfo)
	sources, names, err := Sources(p)
	if err != nil {
		return err
	}
	var all []candidate
	for _, s := range Sites(p, sources, index) {
		name := s.Name()
		if !w.fits(t, p, name, s.Fn) {
			continue
		}
		s.N = len(all)
		if c, ok := t.Apply(s); ok {
			all = append(all, candidate{name, s.Fn, c})
		}
	}
	folder := t.Name + "/" + w.rel(p)
	for len(all) > 0 {
		texts, files, err := assemble(p.Name, sources, names, all)
		if err != nil {
			return err
		}
		errs := w.settle("example.org/corpus/"+folder, texts, files)
		if len(errs) == 0 {
			return w.keep(t, folder, texts, all)
		}
		rest := blame(texts, errs, all)
		if len(rest) == len(all) {
			return fmt.Errorf("what it made does not compile, and no function is to blame: %w", errs[0])
		}
		all = rest
	}
	return nil
}

// rel is the path of a package within the corpus.
func (w *writer) rel(p *packages.Package) string {
	return strings.TrimPrefix(p.PkgPath, "example.org/corpus/")
}

// fits says whether t says what becomes of the verdict on fn.
func (w *writer) fits(t Transform, p *packages.Package, file string, fn *ast.FuncDecl) bool {
	f := w.marks.At(w.rel(p)+"/"+file, p.Fset.Position(fn.Name.Pos()).Line)
	if f == nil || len(f.Marks) == 0 || strings.Contains(fn.Doc.Text(), "poolproof:") || directives(fn) {
		return false
	}
	wrong := !f.Good()
	switch t.Name {
	case "deferput":
		if !wrong {
			return false
		}
	case "delete", "duplicate", "hoistdefer", "hoistdirect", "returnmemory":
		if wrong {
			return false
		}
	}
	for _, m := range f.Marks {
		for _, c := range m.Codes {
			if t.Codes != nil && !slices.Contains(t.Codes, c) {
				return false
			}
		}
	}
	return !wrong || len(f.Wants()) > 0
}

// directives says whether the comment of fn has one: comments of that form are
// not part of its text.
func directives(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//poolproof:")
	})
}

// assemble applies all changes to the sources of a package.
func assemble(pkg string, sources map[string][]byte, names []string, all []candidate) (map[string][]byte, []string, error) {
	edits := make(map[string][]edit.Edit)
	var helpers []*Helper
	for _, c := range all {
		for _, e := range c.change.Edits {
			// Two functions may ask for one change, of an import.
			if e.Start == e.End || !slices.Contains(edits[c.file], e) {
				edits[c.file] = append(edits[c.file], e)
			}
		}
		if c.change.Helper != nil {
			helpers = append(helpers, c.change.Helper)
		}
	}
	texts := make(map[string][]byte)
	for name, src := range sources {
		text, err := edit.Apply(src, edits[name])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		texts[name] = text
	}
	if len(helpers) > 0 {
		const name = "helpers.go"
		texts[name] = source(pkg, helpers)
		names = append(slices.Clone(names), name)
	}
	return texts, names, nil
}

// check type-checks a package of the variants' module.
func (w *writer) check(path string, texts map[string][]byte, names []string) (*types.Package, []types.Error) {
	return Check(path, importer(w.known), texts, names)
}

// settle type-checks a package, once more if a file does not need an import any
// longer, which is then imported for nothing.
func (w *writer) settle(path string, texts map[string][]byte, names []string) []types.Error {
	_, errs := w.check(path, texts, names)
	edits := make(map[string][]edit.Edit)
	for _, e := range errs {
		if strings.Contains(e.Msg, "imported and not used") {
			at := e.Fset.Position(e.Pos)
			edits[at.Filename] = append(edits[at.Filename], edit.Edit{Start: at.Offset, End: at.Offset, New: "_ "})
		}
	}
	if len(edits) == 0 {
		return errs
	}
	for name, list := range edits {
		text, err := edit.Apply(texts[name], list)
		if err != nil {
			return errs
		}
		texts[name] = text
	}
	_, errs = w.check(path, texts, names)
	return errs
}

// blame returns the candidates without those in which there is an error. An
// error in a helper is blamed on the functions that the name of the helper's
// declaration stands for.
func blame(texts map[string][]byte, errs []types.Error, all []candidate) (rest []candidate) {
	guilty := make(map[int]bool)
	for _, e := range errs {
		if !e.Pos.IsValid() {
			return nil
		}
		at := e.Fset.Position(e.Pos)
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, at.Filename, texts[at.Filename], parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		name := ""
		for _, d := range f.Decls {
			if fset.Position(d.Pos()).Line <= at.Line && at.Line <= fset.Position(d.End()).Line {
				if fn, ok := d.(*ast.FuncDecl); ok {
					name = corpus.FuncName(fn)
				}
			}
		}
		for i, c := range all {
			mine := corpus.FuncName(c.fn) == name && c.file == at.Filename
			if h := c.change.Helper; h != nil && at.Filename == "helpers.go" {
				mine = strings.Contains(h.Decls.String(), "func "+name+"(")
			}
			guilty[i] = guilty[i] || mine
		}
	}
	for i, c := range all {
		if !guilty[i] {
			rest = append(rest, c)
		}
	}
	return rest
}

// keep writes a package that compiles.
func (w *writer) keep(t Transform, folder string, texts map[string][]byte, all []candidate) error {
	for name, text := range texts {
		if err := w.file(folder+"/"+name, text); err != nil {
			return err
		}
	}
	for _, c := range all {
		w.applied[key(folder+"/"+c.file, corpus.FuncName(c.fn))] = c.change.Expect
		w.changed[t.Name]++
	}
	return nil
}

// judge loads what was written and says what is expected of each function.
func (w *writer) judge() (*Variants, error) {
	c, err := corpus.Load(w.out)
	if err != nil {
		return nil, err
	}
	for _, f := range c.Funcs {
		expect, ok := w.applied[key(f.File, f.Name)]
		switch {
		case !ok:
			f.Skip = true
		case expect.Silent:
			f.Marks = []corpus.Mark{{Kind: corpus.Fine, Codes: []string{"PV001"}, Reason: "made right"}}
		case expect.Wants != nil:
			f.Marks = []corpus.Mark{
				{Kind: corpus.Want, Codes: expect.Wants},
				{Kind: corpus.May, Codes: flow},
			}
		}
	}
	return &Variants{Corpus: c, Changed: w.changed}, nil
}
