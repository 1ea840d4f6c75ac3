package corpus

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
)

// Corpus is marked code: the functions of a folder.
type Corpus struct {
	Dir   string
	Funcs []*Func

	byFile map[string][]*Func
}

// Func is one declaration at the top of a file: a function, or a variable that is
// initialised by function literals.
type Func struct {
	File        string // relative to the folder, with slashes
	Name        string // "render", "(*conn).flush", "handlers"
	First, Last int    // its lines
	Marks       []Mark
	Skip        bool // not judged: reports in it are neither hits nor false
}

// Good says whether nothing may be reported in f.
func (f *Func) Good() bool {
	for _, m := range f.Marks {
		if m.Kind != Fine {
			return false
		}
	}
	return true
}

// Wants are the marks of f that ask for a report.
func (f *Func) Wants() (wants []Mark) {
	for _, m := range f.Marks {
		if m.Kind == Want {
			wants = append(wants, m)
		}
	}
	return wants
}

// Load reads the Go files below dir and their marks.
func Load(dir string) (*Corpus, error) {
	c := &Corpus{Dir: dir, byFile: make(map[string][]*Func)}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		return c.add(path)
	})
	if err != nil {
		return nil, err
	}
	if len(c.Funcs) == 0 {
		return nil, fmt.Errorf("no Go functions below %s", dir)
	}
	return c, nil
}

// add reads one file.
func (c *Corpus) add(path string) error {
	rel, err := filepath.Rel(c.Dir, path)
	if err != nil {
		return err
	}
	rel = filepath.ToSlash(rel)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	line := func(p token.Pos) int { return fset.Position(p).Line }
	for _, d := range file.Decls {
		f := &Func{File: rel, Name: declName(d), First: line(d.Pos()), Last: line(d.End())}
		c.Funcs = append(c.Funcs, f)
		c.byFile[rel] = append(c.byFile[rel], f)
	}
	bad := strings.HasPrefix(filepath.Base(path), "bad")
	for _, group := range file.Comments {
		for _, comment := range group.List {
			at := line(comment.Pos())
			mark, ok, err := parseMark(comment.Text, at)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", path, at, err)
			}
			if !ok {
				continue
			}
			f := c.At(rel, at)
			switch {
			case f == nil:
				return fmt.Errorf("%s:%d: a mark outside of all functions", path, at)
			case bad == (mark.Kind == Fine):
				return fmt.Errorf("%s:%d: a mark %q; files named bad have want and may, all others fine", path, at, mark.Kind)
			}
			f.Marks = append(f.Marks, mark)
		}
	}
	return nil
}

// At returns the function at a line of a file, or nil.
func (c *Corpus) At(file string, line int) *Func {
	for _, f := range c.byFile[file] {
		if f.First <= line && line <= f.Last {
			return f
		}
	}
	return nil
}

// Count returns the number of marks of a kind in functions that are judged.
func (c *Corpus) Count(kind Kind) (n int) {
	for _, f := range c.Funcs {
		for _, m := range f.Marks {
			if m.Kind == kind && !f.Skip {
				n++
			}
		}
	}
	return n
}

// declName names a declaration as a reader would.
func declName(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return FuncName(d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				return v.Names[0].Name
			}
		}
		return d.Tok.String()
	}
	return "?"
}

// FuncName returns the name of a function, with the type of its receiver.
func FuncName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t, star := d.Recv.List[0].Type, ""
	if s, ok := t.(*ast.StarExpr); ok {
		t, star = s.X, "*"
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return "(" + star + id.Name + ")." + d.Name.Name
	}
	return d.Name.Name
}
