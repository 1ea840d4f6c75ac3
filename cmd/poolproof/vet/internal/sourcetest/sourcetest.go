// Package sourcetest analyses source that a test writes down beside what it
// expects: in some milliseconds, for only the packages of the test are analysed.
// What they import of the standard library is known by its types alone, but for
// sync.Pool, which the analysis knows by itself. The tests of the checks, and the
// corpus, are about the rest.
package sourcetest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
)

// Load type-checks a txtar archive of packages, those that others import first.
// The file "lib.go" is the package example.com/lib, and "lib_test.go" after it is
// of the same package. A source without files is the package example.com/p, whose
// first line need not be written.
func Load(t *testing.T, source string) []*packages.Package {
	t.Helper()
	archive := txtar.Parse([]byte(source))
	if len(archive.Files) == 0 {
		if !strings.Contains(source, "package p") {
			source = "package p;" + source
		}
		archive.Files = []txtar.File{{Name: "p.go", Data: []byte(source)}}
	}
	dir := t.TempDir()
	l := &loader{fset: token.NewFileSet(), done: make(map[string]*packages.Package)}
	var list []*packages.Package
	for _, f := range archive.Files {
		name := filepath.Join(dir, f.Name) // some analyzers read it
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(l.fset, name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		path := "example.com/" + strings.TrimSuffix(strings.TrimSuffix(f.Name, ".go"), "_test")
		files := []*ast.File{file}
		if n := len(list); n > 0 && list[n-1].PkgPath == path {
			files = append(list[n-1].Syntax, file)
			list = list[:n-1]
		}
		list = append(list, l.check(t, path, files))
	}
	return list
}

type loader struct {
	fset *token.FileSet
	done map[string]*packages.Package
}

// Import returns a package of the test, or one of the standard library.
func (l *loader) Import(path string) (*types.Package, error) {
	if p := l.done[path]; p != nil {
		return p.Types, nil
	}
	std.Lock()
	defer std.Unlock()
	if std.importer == nil {
		std.importer = importer.ForCompiler(token.NewFileSet(), "gc", nil)
	}
	return std.importer.Import(path)
}

// std remembers the standard library from test to test.
var std struct {
	sync.Mutex
	importer types.Importer
}

func (l *loader) check(t *testing.T, path string, files []*ast.File) *packages.Package {
	t.Helper()
	p := &packages.Package{ID: path, PkgPath: path, Name: files[0].Name.Name, Imports: make(map[string]*packages.Package)}
	if err := Check(p, path, l.fset, files, l.Import); err != nil {
		t.Fatal(err)
	}
	for _, imported := range p.Types.Imports() {
		if own := l.done[imported.Path()]; own != nil {
			p.Imports[imported.Path()] = own
		}
	}
	l.done[path] = p
	return p
}

// Analyze runs analyzers over the packages of a source.
func Analyze(t *testing.T, source string, analyzers ...*analysis.Analyzer) *checker.Graph {
	t.Helper()
	graph, err := checker.Analyze(analyzers, Load(t, source), &checker.Options{Sequential: true})
	if err != nil {
		t.Fatal(err)
	}
	for act := range graph.All() {
		if act.Err != nil {
			t.Fatalf("%s: %v", act, act.Err)
		}
	}
	return graph
}

// want is how a line of the source says what is found there: "// want PV001",
// with its tier where that is to be looked at, "// want PV001/warning".
var want = regexp.MustCompile(`// want((?: PV\d{3}(?:/[a-z]+)?)+)$`)

// Run compares what checks report, of the tier that is set, with what the source
// says.
func Run(t *testing.T, source string, checks ...check.Check) {
	t.Helper()
	var analyzers []*analysis.Analyzer
	for _, c := range checks {
		analyzers = append(analyzers, c.Analyzer)
	}
	graph := Analyze(t, source, analyzers...)
	wanted, text := make(map[place][]string), make(map[place]string)
	found := make(map[place][]string)
	for _, act := range graph.Roots {
		for _, file := range act.Package.Syntax {
			for _, group := range file.Comments {
				for _, c := range group.List {
					if m := want.FindStringSubmatch(c.Text); m != nil {
						wanted[at(act.Package.Fset, c.Pos())] = strings.Fields(m[1])
					}
				}
			}
		}
		for _, d := range act.Diagnostics {
			p := at(act.Package.Fset, d.Pos)
			found[p] = append(found[p], d.Category)
			text[p] += "\n\t" + d.Message
		}
	}
	places := slices.Collect(maps.Keys(wanted))
	for p := range found {
		if _, ok := wanted[p]; !ok {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.file, b.file), a.line-b.line) })
	for _, p := range places {
		if !same(wanted[p], found[p]) {
			t.Errorf("%s:%d: %v is reported, want %v: %s%s", p.file, p.line, found[p], wanted[p], lineOf(source, p), text[p])
		}
	}
}

type place struct {
	file string
	line int
}

func at(fset *token.FileSet, pos token.Pos) place {
	p := fset.Position(pos)
	return place{filepath.Base(p.Filename), p.Line}
}

// same reports whether categories are those that are wanted, in any order. One
// that is wanted without a tier may have any.
func same(wanted, found []string) bool {
	if len(wanted) != len(found) {
		return false
	}
	left := slices.Clone(found)
	for _, w := range wanted {
		i := slices.IndexFunc(left, func(f string) bool { return f == w || strings.HasPrefix(f, w+"/") })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// lineOf is a line of a file of a source.
func lineOf(source string, p place) string {
	text := source
	for _, f := range txtar.Parse([]byte(source)).Files {
		if f.Name == p.file {
			text = string(f.Data)
		}
	}
	lines := strings.Split(text, "\n")
	return strings.TrimSpace(lines[min(p.line, len(lines))-1])
}

// Facts returns what an analyzer has learned of the functions and types of a source, by
// "example.com/p.F" or "(*example.com/p.T).F". A fact of which nothing is to be said is
// not there.
func Facts(t *testing.T, source string, a *analysis.Analyzer) map[string]string {
	t.Helper()
	facts := make(map[string]string)
	for act := range Analyze(t, source, a).All() {
		for _, f := range act.AllObjectFacts() {
			name := f.Object.Name()
			if fn, ok := f.Object.(*types.Func); ok {
				name = fn.FullName()
			}
			if s, ok := f.Fact.(fmt.Stringer); ok && act.Analyzer == a {
				facts[name] = s.String()
			}
		}
	}
	return facts
}

// Functions returns the functions of the last package of a source in SSA form, by
// their names as seen from it: "F", "(*T).F", "F$1" for a literal in F.
func Functions(t *testing.T, source string) map[string]*ssa.Function {
	t.Helper()
	var last *checker.Action
	for _, act := range Analyze(t, source, buildssa.Analyzer).Roots {
		last = act
	}
	funcs := make(map[string]*ssa.Function)
	for _, f := range last.Result.(*buildssa.SSA).SrcFuncs {
		funcs[f.RelString(f.Pkg.Pkg)] = f
	}
	return funcs
}
