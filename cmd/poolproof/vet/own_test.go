package vet_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

var update = flag.Bool("update", false, "rewrite testdata/own.golden")

// own are the packages that a user of ours gets objects from.
var own = []string{"pool", "buffer", "buffer/adapt", "hotswap", "hotswap/poolswap", "mark", "pooltest"}

// promised are the facts that a caller of ours must be told, whatever else the code says of
// itself. The words are those of a fact; result and parameter 0 are the first, and
// a receiver is parameter 0.
var promised = []struct{ function, fact string }{
	{"pool.(*Pool).Get", "Getter{0}"},
	{"pool.(*Pool).Put", "Release{1}"},
	{"pool.(*Local).Get", "Getter{0}"},
	{"pool.(*Local).Put", "Release{1}"},
	{"buffer.(*Pool).Get", "Getter{0}"},
	{"buffer.(*Pool).Append", "Getter{0}"},
	{"buffer.(*Pool).Bytes", "Getter{0}"},
	{"buffer.(*Pool).Free", "Release{1}"},
	{"buffer.(*Pool).GetPtr", "Getter{0}"},
	{"buffer.(*Pool).PutPtr", "Release{1}"},
	{"buffer.(*Sized).Bytes", "Getter{0}"},
	{"buffer.(*Sized).Free", "Release{1}"},
	{"buffer.(*Sized).Get", "Getter{0}"},
	{"buffer.(*Sized).GetPtr", "Getter{0}"},
	{"buffer.(*Sized).PutPtr", "Release{1}"},
	{"buffer.(*Buffer).Release", "Release{0}"},
	{"buffer.(*Buffer).CopyAndRelease", "Release{0}"},
	{"buffer.(*Buffer).Take", "Release{0}"},
	{"buffer.(*Buffer).Share", "Release{0}"},
	{"buffer.(*Buffer).Bytes", "Returns[0]=always{0}"},
	{"buffer.(*Shared).Bytes", "Returns[0]=always{0}"},
	{"buffer.(*Shared).Retain", "Getter{0}"},
	{"buffer.(*Shared).Release", "Release{0}"}, // of this reference: each holder has one of its own
	{"buffer.(*Shared).Own", "Release{0}"},
	{"adapt.ArrowAllocator.Allocate", "Getter{0}"},
	{"adapt.ArrowAllocator.Free", "Release{1}"},
	{"adapt.GRPCPool.Get", "Getter{0}"},
	{"adapt.GRPCPool.Put", "Release{1}"},
	{"adapt.HTTPPool.Get", "Getter{0}"},
	{"adapt.HTTPPool.Put", "Release{1}"},
	{"poolswap.(*Container).Release", "Release{1}"},
	{"poolswap.(*Container).Update", "Release{1}"},
	{"poolswap.(*Pool).Release", "Release{1}"},
}

// What the analysis learns of our own packages is what their users are judged by:
// a function that ends ownership and is not seen to would hide their mistakes, and
// one that only looks as if it did would accuse them.
func TestFactsOfOurOwnPackages(t *testing.T) {
	graph := analyzeUses(t, vet.Facts)
	known := make(map[types.Object]string)
	for act := range graph.All() {
		for _, f := range act.AllObjectFacts() {
			if s, ok := f.Fact.(fmt.Stringer); ok && act.Analyzer == vet.Facts {
				known[f.Object] = s.String()
			}
		}
	}
	var text strings.Builder
	of := make(map[string]string)
	for _, act := range graph.Roots {
		if act.Package.Name == "uses" {
			continue
		}
		for _, fn := range exported(act.Package.Types) {
			name, fact := act.Package.Name+"."+shortName(fn), cmp.Or(ownership(known[fn]), "-")
			of[name] = fact
			fmt.Fprintf(&text, "%s: %s\n", name, fact)
		}
	}
	for _, p := range promised {
		if fact, found := of[p.function]; !found {
			t.Errorf("%s: there is no such function", p.function)
		} else if !strings.Contains(" "+fact+" ", " "+p.fact+" ") {
			t.Errorf("%s: its fact is %q, which has no %s", p.function, fact, p.fact)
		}
	}
	golden := filepath.Join("testdata", "own.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(text.String(), "\n")); d != "" {
		t.Errorf("what callers are told has changed (-was +is). If each line is right, run this test with -update.\n%s", d)
	}
}

// private are the parts of a fact that name fields by their numbers: they change
// with each field that a struct gets.
var private = regexp.MustCompile(` ?(Detach\{[^}]*\}|Field\d[^A-Z]*)`)

// ownership returns the part of a fact on the objects of its callers.
func ownership(fact string) string { return strings.TrimSpace(private.ReplaceAllString(fact, "")) }

// want is how a line says what is reported there.
var want = regexp.MustCompile(`// want (PV\d{3})$`)

func TestMistakesWithOurOwnPackagesAreFound(t *testing.T) {
	var wanted, found []string
	for _, act := range analyzeUses(t, vet.Analyzers()...).Roots {
		p := act.Package
		if p.Name != "uses" {
			continue
		}
		if wanted == nil {
			for _, group := range p.Syntax[0].Comments {
				for _, c := range group.List {
					if m := want.FindStringSubmatch(c.Text); m != nil {
						wanted = append(wanted, fmt.Sprintf("%d %s", p.Fset.Position(c.Pos()).Line, m[1]))
					}
				}
			}
		}
		for _, d := range act.Diagnostics {
			code, _, _ := strings.Cut(d.Category, "/")
			found = append(found, fmt.Sprintf("%d %s", p.Fset.Position(d.Pos).Line, code))
		}
	}
	slices.Sort(wanted)
	slices.Sort(found)
	if d := gocmp.Diff(wanted, found); d != "" {
		t.Errorf("lines and codes of testdata/own/uses.go (-want +found):\n%s", d)
	}
}

// analyzeUses runs analyzers over our own packages and one that uses them, in a
// module of its own.
func analyzeUses(t *testing.T, analyzers ...*analysis.Analyzer) *checker.Graph {
	t.Helper()
	if testing.Short() {
		t.Skip("analyses what the library imports of the standard library")
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "pool", "pool.go")); err != nil {
		t.Skip("the library is not beside the command")
	}
	dir := t.TempDir()
	const library = "github.com/poolproof/poolproof"
	module := fmt.Sprintf("module example.com/uses\n\ngo 1.25.0\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", library, library, root)
	source, err := os.ReadFile(filepath.Join("testdata", "own", "uses.go"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"go.mod": []byte(module), "uses.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	conf := &packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}
	patterns := []string{"."}
	for _, p := range own {
		patterns = append(patterns, library+"/"+p)
	}
	list, err := packages.Load(conf, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(list) > 0 {
		t.Fatal("the library, or what uses it, does not compile")
	}
	graph, err := checker.Analyze(analyzers, list, nil)
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

// exported returns the functions and methods that another package can name, by
// their names.
func exported(p *types.Package) (list []*types.Func) {
	for _, name := range p.Scope().Names() {
		switch obj := p.Scope().Lookup(name).(type) {
		case *types.Func:
			if obj.Exported() {
				list = append(list, obj)
			}
		case *types.TypeName:
			named, ok := obj.Type().(*types.Named)
			if !ok || !obj.Exported() {
				continue
			}
			for m := range named.Methods() {
				if m.Exported() {
					list = append(list, m)
				}
			}
		}
	}
	return list
}

// shortName is "New", "(*Buffer).Release" or "HTTPPool.Put".
func shortName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	t, star := recv.Type(), ""
	if p, ok := t.(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	name := t.(*types.Named).Obj().Name()
	if star != "" {
		name = "(" + star + name + ")"
	}
	return name + "." + fn.Name()
}
