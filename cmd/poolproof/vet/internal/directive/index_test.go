package directive_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
)

// source is one file, analysed.
type source struct {
	*directive.Index
	fset *token.FileSet
	file *ast.File
	info *types.Info
}

// read indexes the directives of a file of package p.
func read(t *testing.T, text string) source {
	t.Helper()
	text = "package p\n" + text
	s := source{fset: token.NewFileSet(), info: &types.Info{Defs: map[*ast.Ident]types.Object{}}}
	var err error
	if s.file, err = parser.ParseFile(s.fset, "p.go", text, parser.ParseComments); err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	if _, err := conf.Check("p", s.fset, []*ast.File{s.file}, s.info); err != nil {
		t.Fatal(err)
	}
	s.Index = directive.Of(&analysis.Pass{
		Fset: s.fset, Files: []*ast.File{s.file}, TypesInfo: s.info,
		ReadFile: func(string) ([]byte, error) { return []byte(text), nil },
	})
	return s
}

// at is the first place of a line that holds the words.
func (s source) at(t *testing.T, words string) token.Pos {
	t.Helper()
	var pos token.Pos
	ast.Inspect(s.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == words && pos == 0 {
			pos = id.Pos()
		}
		return true
	})
	if pos == 0 {
		t.Fatalf("there is no %s", words)
	}
	return pos
}

// ignored lists the identifiers a, b, c... on whose lines the code is ignored.
func (s source) ignored(t *testing.T, code string, names ...string) (got []string) {
	t.Helper()
	for _, name := range names {
		if _, ok := s.Ignored(s.at(t, name), code); ok {
			got = append(got, name)
		}
	}
	return got
}

func (s source) problems() (got []string) {
	for _, p := range s.Problems() {
		got = append(got, fmt.Sprintf("%d: %s; %s", s.fset.Position(p.Pos).Line-1, p.Message, p.Remedy))
	}
	return got
}

func TestAnIgnoreCoversItsLineOrTheNext(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string // of a, b and c
	}{
		"behind code: that line alone":        {"var a int\nvar b int //poolproof:ignore PV005 why\nvar c int", []string{"b"}},
		"alone: the line below":               {"var a int\n//poolproof:ignore PV005 why\nvar b int\nvar c int", []string{"b"}},
		"two of them above one line":          {"var a int\n//poolproof:ignore PV005 why\n//poolproof:ignore PV001 why\nvar b int\nvar c int", []string{"b"}},
		"above other words":                   {"var a int\n//poolproof:ignore PV005 why\n// b is lost.\nvar b int\nvar c int", []string{"b"}},
		"by name, in any case":                {"var a int\nvar b int //poolproof:ignore Leak-Path why\nvar c int", []string{"b"}},
		"one of several checks":               {"var a int\nvar b int //poolproof:ignore PV001,PV005 why\nvar c int", []string{"b"}},
		"another check":                       {"var a int\nvar b int //poolproof:ignore PV001 why\nvar c int", nil},
		"without a reason it is not honoured": {"var a int\nvar b int //poolproof:ignore PV005\nvar c int", nil},
		"with a space it is prose":            {"var a int\nvar b int // poolproof:ignore PV005 why\nvar c int", nil},
		"nolint of poolproof":                 {"var a int\nvar b int //nolint:gocritic,poolproof // why\nvar c int", []string{"b"}},
		"nolint of all":                       {"var a int\nvar b int //nolint\nvar c int", []string{"b"}},
		"nolint of somebody else":             {"var a int\nvar b int //nolint:gocritic\nvar c int", nil},
		"no nolint but a word":                {"var a int\nvar b int //nolinting is bad\nvar c int", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, test.text)
			if diff := cmp.Diff(test.want, s.ignored(t, "PV005", "a", "b", "c")); diff != "" {
				t.Errorf("ignored (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnIgnoreCoversAllLinesOfASimpleStatement(t *testing.T) {
	s := read(t, `
func f(one, two, three, four, five func() int) {
	//poolproof:ignore PV005 why
	_ = max(
		one(),
		two(),
	)
	_ = three()
	//poolproof:ignore PV005 why
	if four() > 0 {
		_ = five()
	}
	//poolproof:ignore PV005 why
	_ = func() int {
		return six
	}
}

const six = 6
`)
	for words, want := range map[string]bool{"one()": true, "two()": true, "three()": false, "four()": true, "five()": false, "six\n": false} {
		if _, got := s.Ignored(s.call(t, words), "PV005"); got != want {
			t.Errorf("%s ignored: %v, want %v", words, got, want)
		}
	}
}

// call is where the words stand, which are a call or a last word.
func (s source) call(t *testing.T, words string) token.Pos {
	t.Helper()
	f := s.fset.File(s.file.Pos())
	var pos token.Pos
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name+"()" == words {
				pos = n.Pos()
			}
		case *ast.ReturnStmt:
			if id, ok := n.Results[0].(*ast.Ident); ok && id.Name+"\n" == words {
				pos = n.Pos()
			}
		}
		return true
	})
	if pos == 0 {
		t.Fatalf("there is no %q in %s", words, f.Name())
	}
	return pos
}

func TestIgnoredSaysByWhichDirective(t *testing.T) {
	s := read(t, "//poolproof:ignore PV001 one\n//poolproof:ignore PV005 two\nvar a int")
	got, ok := s.Ignored(s.at(t, "a"), "PV005")
	if !ok || got != s.Ignores()[1].Pos {
		t.Errorf("ignored by the directive at %v (%v), want the second", s.fset.Position(got), ok)
	}
	if reason := s.Ignores()[1].Reason; reason != "two" {
		t.Errorf("reason %q, want two", reason)
	}
}

func TestADropCoversItsLineOrTheNext(t *testing.T) {
	s := read(t, "var a int\n//poolproof:drop too large to keep\nvar b int\nvar c int //poolproof:drop\nvar d int")
	for name, want := range map[string]bool{"a": false, "b": true, "c": true, "d": false} {
		if got := s.Drop(s.at(t, name)); got != want {
			t.Errorf("drop at %s: %v, want %v", name, got, want)
		}
	}
}

func TestOwnershipIsKeptByFunction(t *testing.T) {
	s := read(t, `
type T struct{}

// Free gives t back.
//
//poolproof:owns t
func (t *T) Free() {}

//poolproof:owns a, b
//poolproof:borrows c
func two(a, b, c []byte) {}

type hold struct {
	value *T
	inner struct{ next *hold }
}

//poolproof:owns h.value, h.inner.next.value
func (h *hold) end() {}

//poolproof:owns h.value on success
//poolproof:owns t on success
func publish(t *T, h *hold) (int, error) { return 0, nil }

type Sink interface {
	//poolproof:owns p
	Put(p *T)
	Look(p *T) //poolproof:borrows p
}
`)
	got := map[string][]string{}
	for _, obj := range s.info.Defs {
		if fn, ok := obj.(*types.Func); ok {
			for _, o := range s.Owns(fn) {
				got[fn.Name()] = append(got[fn.Name()], "owns "+words(o))
			}
			for _, o := range s.Borrows(fn) {
				got[fn.Name()] = append(got[fn.Name()], "borrows "+words(o))
			}
		}
	}
	want := map[string][]string{
		"Free": {"owns t"}, "two": {"owns a", "owns b", "borrows c"}, "Put": {"owns p"}, "Look": {"borrows p"},
		"end":     {"owns h.value", "owns h.inner.next.value"},
		"publish": {"owns h.value if result 1 says so", "owns t if result 1 says so"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := s.problems(); len(got) > 0 {
		t.Errorf("problems: %q", got)
	}
}

func words(o directive.Owned) string {
	text := o.Param
	for _, field := range o.Fields {
		text += "." + field.Name()
	}
	if o.Told >= 0 {
		text += fmt.Sprintf(" if result %d says so", o.Told)
	}
	return text
}

func TestMistakesAreReported(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"an unknown word":            {"//poolproof:skip PV001 why\nvar a int", []string{"1: there is no directive //poolproof:skip; write ignore, gives, owns, borrows, lends, readonly or drop"}},
		"a space":                    {"var a int // poolproof:drop", []string{"1: a comment with a space before poolproof: is prose; write //poolproof:drop"}},
		"no check":                   {"//poolproof:ignore\nvar a int", []string{"1: //poolproof:ignore names no check; write //poolproof:ignore PV005 and the reason"}},
		"no reason":                  {"//poolproof:ignore PV005\nvar a int", []string{"1: //poolproof:ignore PV005 gives no reason and is not honoured; write why this is right"}},
		"no such check":              {"//poolproof:ignore PV999 why\nvar a int", []string{"1: //poolproof:ignore PV999: there is no check of that name; write one of PV000 directive, "}},
		"a mistaken name":            {"//poolproof:ignore leak-paths why\nvar a int", []string{"1: //poolproof:ignore leak-paths: there is no check of that name; write one of PV000 directive, "}},
		"for poolproof test":         {"//poolproof:ignore that it panics is what is tested\nvar a int", nil},
		"owns without a function":    {"//poolproof:owns p\nvar p int", []string{"1: //poolproof:owns belongs directly above a function, or a method of an interface; move it there"}},
		"owns inside a function":     {"func f(p int) {\n\t//poolproof:owns p\n\t_ = p\n}", []string{"2: //poolproof:owns belongs directly above a function, or a method of an interface; move it there"}},
		"owns apart from a function": {"//poolproof:owns p\n\nfunc f(p int) {}", []string{"1: //poolproof:owns belongs directly above a function, or a method of an interface; move it there"}},
		"owns nothing":               {"//poolproof:owns\nfunc f(p, q int) {}", []string{"1: //poolproof:owns names no parameter; name one of p, q"}},
		"no such parameter":          {"//poolproof:borrows x\nfunc f(int) {}", []string{"1: //poolproof:borrows x: f has no such parameter; give the parameter a name"}},
		"no such field":              {"type t struct{ a, b int }\n//poolproof:owns p.c\nfunc f(p *t) {}", []string{"2: //poolproof:owns p.c: there is no field c; name one that there is"}},
		"a field of no struct":       {"//poolproof:owns p.c\nfunc f(p *int) {}", []string{"1: //poolproof:owns p.c: there is no field c; name one that there is"}},
		"a field is borrowed":        {"type t struct{ a, b int }\n//poolproof:borrows p.a\nfunc f(p *t) {}", []string{"2: //poolproof:borrows p.a: it is about a whole parameter; write //poolproof:borrows p"}},
		"nothing tells of success":   {"//poolproof:owns p on success\nfunc f(p *int) int { return 0 }", []string{"1: //poolproof:owns on success: f has no result that is an error or a bool; leave out on success"}},
		"lends what is no function":  {"//poolproof:lends p\nfunc f(p int) {}", []string{"1: //poolproof:lends p: p is no function; name a parameter that is one"}},
		"lends nothing":              {"//poolproof:lends\nfunc f(p func()) {}", []string{"1: //poolproof:lends names no parameter; name one of p"}},
		"gives one result":           {"//poolproof:gives x\nfunc f() (x *int) { return }", []string{"1: //poolproof:gives x: it is about all results; write //poolproof:gives"}},
		"gives without a function":   {"//poolproof:gives\nvar p int", []string{"1: //poolproof:gives belongs directly above a function, or a method of an interface; move it there"}},
		"no such argument":           {"//poolproof:readonly p.y\nfunc f(p func(x int)) {}", []string{"1: //poolproof:readonly p.y: p has no argument y; name one that it has"}},
		"owned and borrowed":         {"//poolproof:owns p\n//poolproof:borrows p\nfunc f(p int) {}", []string{"2: //poolproof:borrows p: another directive says already whether f owns or borrows it; remove one of the two"}},
		"prose about the tool":       {"// poolproof: memory reuse for Go.\n// poolproof:ignored is no word.\nvar a int", nil},
		"text in a string":           {"var a = `\n//poolproof:ignore\n`", nil},
		"a block comment":            {"/*poolproof:ignore*/ var a int", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, test.text).problems()
			if len(got) != len(test.want) {
				t.Fatalf("problems %q, want %q", got, test.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], test.want[i]) {
					t.Errorf("problem %q, want %q", got[i], test.want[i])
				}
			}
		})
	}
}
