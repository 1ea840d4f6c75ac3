package api

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/api.txt")

// public are the packages whose names users write.
var public = []string{
	"pool", "buffer", "buffer/adapt", "hotswap", "hotswap/poolswap", "mark", "pooltest", "poolvar",
	"metrics", "metrics/prom", "metrics/otel",
}

// root is the folder of the library.
const root = "../.."

func TestTheExportedNamesAreThoseOfTheFile(t *testing.T) {
	var lines []string
	for _, folder := range public {
		lines = append(lines, names(t, folder)...)
	}
	got := strings.Join(lines, "\n") + "\n"
	golden := filepath.Join("testdata", "api.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		if !slices.Contains(want, line) {
			t.Errorf("new: %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(lines, line) {
			t.Errorf("gone: %s", line)
		}
	}
	if t.Failed() {
		t.Log("if each line is meant, run this test with -update")
	}
}

// TestEveryPublicPackageIsListed: a new folder outside of internal is one that users
// can import.
func TestEveryPublicPackageIsListed(t *testing.T) {
	for _, top := range []string{"pool", "buffer", "hotswap", "mark", "pooltest", "poolvar", "metrics"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(p string, d os.DirEntry, err error) error {
			switch {
			case err != nil || !d.IsDir():
				return err
			case d.Name() == "internal" || d.Name() == "testdata":
				return filepath.SkipDir
			}
			sources, err := filepath.Glob(filepath.Join(p, "*.go"))
			folder, _ := filepath.Rel(root, p)
			if folder = filepath.ToSlash(folder); len(sources) > 0 && !slices.Contains(public, folder) {
				t.Errorf("%s is not listed", folder)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// names returns a line for each exported name of the package in folder, sorted.
func names(t *testing.T, folder string) (lines []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no source, %v", folder, err)
	}
	l := &lister{t: t, prefix: path.Clean(folder) + ": "}
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
	t      *testing.T
	prefix string
	lines  []string
}

func (l *lister) add(parts ...string) {
	l.lines = append(l.lines, l.prefix+strings.Join(parts, " "))
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
