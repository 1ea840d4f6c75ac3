package api

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the files of testdata")

// root is the folder of the repository.
const root = "../.."

// public lists the packages whose names users write: those outside of internal in
// these folders, without commands and examples.
func public(t *testing.T) (folders []string) {
	t.Helper()
	for _, top := range []string{"pool", "buffer", "hotswap", "mark", "pooltest", "poolvar", "metrics", "systems", "cmd/poolproof/vet"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(p string, d os.DirEntry, err error) error {
			switch {
			case err != nil || !d.IsDir():
				return err
			case slices.Contains([]string{"internal", "testdata", "cmd", "examples"}, d.Name()):
				return filepath.SkipDir
			}
			sources, err := filepath.Glob(filepath.Join(p, "*.go"))
			sources = slices.DeleteFunc(sources, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
			if folder, _ := filepath.Rel(root, p); len(sources) > 0 {
				folders = append(folders, filepath.ToSlash(folder))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folders
}

func TestTheExportedNamesAreThoseOfTheFiles(t *testing.T) {
	const golden = "testdata"
	old, err := filepath.Glob(filepath.Join(golden, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	folders := public(t)
	if len(folders) < 20 {
		t.Fatalf("only %d public packages were found", len(folders))
	}
	for _, folder := range folders {
		file := filepath.Join(golden, strings.ReplaceAll(folder, "/", ".")+".txt")
		old = slices.DeleteFunc(old, func(name string) bool { return name == file })
		lines := names(t, folder)
		if *update {
			if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("a new public package: %v", err)
			continue
		}
		want := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		for _, line := range lines {
			if !slices.Contains(want, line) {
				t.Errorf("new in %s: %s", folder, line)
			}
		}
		for _, line := range want {
			if !slices.Contains(lines, line) {
				t.Errorf("gone from %s: %s", folder, line)
			}
		}
	}
	for _, file := range old {
		if *update {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s is of a package that is gone", file)
	}
	if t.Failed() {
		t.Log("if each line is meant: go test ./internal/api -update")
	}
}

// names returns a line for each exported name of the package in folder, sorted.
func names(t *testing.T, folder string) (lines []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no source, %v", folder, err)
	}
	l := &lister{t: t}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		for _, d := range file.Decls {
			l.declaration(d)
		}
	}
	slices.Sort(l.lines)
	return slices.Compact(l.lines) // files of opposite build tags have the same names
}

// lister writes the lines of a package.
type lister struct {
	t     *testing.T
	lines []string
}

func (l *lister) add(parts ...string) {
	l.lines = append(l.lines, strings.Join(parts, " "))
}

func (l *lister) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && !ast.IsExported(receiver(d)) {
			return
		}
		d.Body, d.Doc = nil, nil
		l.add(l.print(d))
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				l.typeOf(spec)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					l.add(d.Tok.String(), name.Name)
				}
			}
		}
	}
}

// receiver returns the name of the type that d is a method of.
func receiver(d *ast.FuncDecl) string {
	e := d.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// typeOf adds a type, and a line for each field of a struct.
func (l *lister) typeOf(spec *ast.TypeSpec) {
	spec.Doc, spec.Comment = nil, nil
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		l.add("type", l.print(spec))
		return
	}
	l.add("type", spec.Name.Name, "struct")
	for _, field := range s.Fields.List {
		for _, name := range field.Names {
			if name.IsExported() {
				l.add("type", spec.Name.Name, "struct,", name.Name, l.print(field.Type))
			}
		}
	}
}

// print returns node in one line.
func (l *lister) print(node any) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), node); err != nil {
		l.t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
