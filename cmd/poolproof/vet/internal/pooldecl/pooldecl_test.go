package pooldecl_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
)

// Package sync is read once.
var (
	fset   = token.NewFileSet()
	source = importer.ForCompiler(fset, "source", nil)
)

// describe says of each pool of a package what is known of it: "p: unset",
// "p: New *T", "p: New nil", "p: New ?" (any type), "p: New" (no body), "p: shared".
func describe(t *testing.T, text string) (all []string) {
	t.Helper()
	file, err := parser.ParseFile(fset, "p.go", "package p\nimport \"sync\"\nvar _ sync.Mutex\n"+text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: source}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	for v, d := range pooldecl.Of(&analysis.Pass{Fset: fset, Files: []*ast.File{file}, TypesInfo: info}) {
		words := []string{v.Name() + ":"}
		if d.Unset() {
			words = append(words, "unset")
		}
		for _, n := range d.News {
			words = append(words, "New")
			for _, ret := range n.Returns {
				switch {
				case ret.Nil:
					words = append(words, "nil")
				case ret.Type == nil:
					words = append(words, "?")
				default:
					words = append(words, types.TypeString(ret.Type, types.RelativeTo(pkg)))
				}
			}
		}
		if d.Shared {
			words = append(words, "shared")
		}
		all = append(all, fmt.Sprint(strings.Join(words, " ")))
	}
	slices.Sort(all)
	return all
}

func TestHowPoolsAreMade(t *testing.T) {
	const types = "type T struct{}\n"
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"a literal with New":               {"var p = sync.Pool{New: func() any { return new(T) }}", []string{"p: New *T"}},
		"the address of one":               {"var p = &sync.Pool{New: func() any { return T{} }}", []string{"p: New T"}},
		"a zero value":                     {"var p sync.Pool", []string{"p: unset"}},
		"a literal without New":            {"var p = sync.Pool{}", []string{"p: unset"}},
		"New is set later":                 {"var p sync.Pool\nfunc init() { p.New = func() any { return new(T) } }", []string{"p: New *T"}},
		"New may return nil":               {"var p = sync.Pool{New: func() any { if cond() { return nil }; return new(T) }}\nfunc cond() bool", []string{"p: New nil *T"}},
		"New returns any":                  {"var p = sync.Pool{New: func() any { var x any = 1; return x }}", []string{"p: New ?"}},
		"New is a function here":           {"var p = sync.Pool{New: mk}\nfunc mk() any { return new(T) }", []string{"p: New *T"}},
		"New is a function value":          {"var mk func() any\nvar p = sync.Pool{New: mk}", []string{"p: New"}},
		"a function inside New is another": {"var p = sync.Pool{New: func() any { f := func() int { return 1 }; _ = f; return new(T) }}", []string{"p: New *T"}},
		"New is a method":                  {"type S struct{ p sync.Pool }\nfunc (s *S) mk() any { return new(T) }\nfunc mkS() *S { s := new(S); s.p.New = s.mk; return s }", []string{"p: New *T"}},
		"a field by key":                   {"type S struct{ p sync.Pool }\nvar s = S{p: sync.Pool{New: func() any { return new(T) }}}", []string{"p: New *T"}},
		"a field by place":                 {"type S struct{ p *sync.Pool }\nvar s = &S{&sync.Pool{New: func() any { return new(T) }}}", []string{"p: New *T"}},
		"a field that nobody sets":         {"type S struct{ p sync.Pool }\nfunc (s *S) get() any { return s.p.Get() }", []string{"p: unset"}},
		"a field of a generic type":        {"type S[E any] struct{ p sync.Pool }\nfunc mkS[E any]() *S[E] { s := &S[E]{}; s.p.New = func() any { return new(T) }; return s }", []string{"p: New *T"}},
		"an array of them":                 {"var p = [2]sync.Pool{{New: func() any { return new(T) }}, {}}", []string{"p: New *T"}},
		"a map of them":                    {"var p = map[int]*sync.Pool{1: {New: func() any { return new(T) }}}", []string{"p: New *T"}},
		"elements are set":                 {"var p [2]sync.Pool\nfunc init() { for i := range p { p[i].New = func() any { return new(T) } } }", []string{"p: New *T"}},
		"a slice that is made":             {"func f() { p := make([]sync.Pool, 3); p[1].Get() }", []string{"p: unset"}},
		"a local one":                      {"func f() { var p sync.Pool; p.Put(p.Get()) }", []string{"p: unset"}},
		"a parameter":                      {"func f(p *sync.Pool) { p.Get() }", []string{"p: shared"}},
		"a receiver's field is none":       {"type S struct{ p sync.Pool }\nfunc (s S) f() {}", []string{"p: unset"}},
		"its address is passed on":         {"var p sync.Pool\nfunc f(*sync.Pool)\nfunc g() { f(&p) }", []string{"p: shared"}},
		"it comes from a parameter":        {"type S struct{ p *sync.Pool }\nfunc f(q *sync.Pool) *S { return &S{p: q} }", []string{"p: shared", "q: shared"}},
		"it comes from one, by place":      {"type S struct{ p *sync.Pool }\nfunc f(q *sync.Pool) *S { return &S{q} }", []string{"p: shared", "q: shared"}},
		"it is assigned from elsewhere":    {"type S struct{ p *sync.Pool }\nfunc other() *sync.Pool\nfunc f(s *S) { s.p = other() }", []string{"p: shared"}},
		"another name for it":              {"var p sync.Pool\nfunc f() { q := &p; q.New = func() any { return new(T) } }", []string{"p: shared", "q: New *T shared"}},
		"an exported one":                  {"var P sync.Pool", []string{"P: shared"}},
		"an embedded one":                  {"type s struct{ sync.Pool }", []string{"Pool: shared"}},
		"a function makes it":              {"var p = mk()\nfunc mk() *sync.Pool { q := &sync.Pool{}; q.New = func() any { return new(T) }; return q }", []string{"p: shared", "q: New *T shared"}},
		"a function makes two":             {"var p, q = mk()\nfunc mk() (*sync.Pool, *sync.Pool)", []string{"p: shared", "q: shared"}},
		"a function makes a list":          {"var p = mk(3)\nfunc mk(n int) []sync.Pool { q := make([]sync.Pool, n); for i := range q { q[i].New = func() any { return new(T) } }; return q }", []string{"p: shared", "q: New *T shared"}},
		"a function returns a literal":     {"var p = mk()\nfunc mk() *sync.Pool { return &sync.Pool{} }", []string{"p: unset"}},
		"a function returns a new one":     {"var p = mk()\nfunc mk() *sync.Pool { return new(sync.Pool) }", []string{"p: unset"}},
		"one with New":                     {"var p = mk()\nfunc mk() *sync.Pool { return &sync.Pool{New: func() any { return new(T) }} }", []string{"p: New *T"}},
		"a method returns one":             {"var p = T{}.mk()\nfunc (T) mk() *sync.Pool { return &sync.Pool{New: func() any { return T{} }} }", []string{"p: New T"}},
		"a list of what a function makes":  {"var p = []*sync.Pool{other(), other()}\nfunc other() *sync.Pool", []string{"p: shared"}},
		"a map of what a function makes":   {"var p = map[int]*sync.Pool{1: other()}\nfunc other() *sync.Pool", []string{"p: shared"}},
		"a field with such a list":         {"type S struct{ p [1]*sync.Pool }\nvar s = S{p: [1]*sync.Pool{other()}}\nfunc other() *sync.Pool", []string{"p: shared"}},
		"a list of literals of a function": {"var p = []*sync.Pool{mk()}\nfunc mk() *sync.Pool { return &sync.Pool{New: func() any { return new(T) }} }", []string{"p: New *T"}},
		"a function may set New":           {"var p = mk()\nfunc mk() *sync.Pool { if cond() { return nil }; return &sync.Pool{} }\nfunc cond() bool", []string{"p: shared"}},
		"compared with nil":                {"type S struct{ p *sync.Pool }\nfunc (s *S) f() { if s.p != nil { s.p.Get() }; s.p = &sync.Pool{New: func() any { return new(T) }} }", []string{"p: New *T"}},
		"ranged over by value":             {"var p []*sync.Pool\nfunc f() { for _, q := range p { q.New = nil } }", []string{"p: shared", "q: New"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, describe(t, types+test.text)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
