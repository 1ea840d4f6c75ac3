package checktest

import (
	"go/ast"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

func TestFindingsAreThoseThatAreWanted(t *testing.T) {
	for name, c := range map[string]struct {
		source   string
		problems []string
	}{
		"one":                    {"var bad int // want `bad`", nil},
		"none":                   {"var good int", nil},
		"two, in any order":      {"var bad, worse int // want `worse` \"it is bad\"", nil},
		"below":                  {"// want +2 `bad`\n\nvar bad int", nil},
		"behind another comment": {"var bad int // not good // want `bad`", nil},
		"a finding too many":     {"var bad int", []string{"p.go:1: not wanted: it is bad"}},
		"a finding twice":        {"var bad, worse int // want `it is`", []string{"p.go:1: not wanted: it is worse"}},
		"a want too many":        {"var good int // want `bad`", []string{"p.go:1: not found: bad"}},
		"a want twice":           {"var bad int // want `bad` `bad`", []string{"p.go:1: not found: bad"}},
		"other words":            {"var bad int // want `good`", []string{"p.go:1: not found: good", "p.go:1: not wanted: it is bad"}},
		"the next line":          {"var bad int\nvar good int // want `bad`", []string{"p.go:1: not wanted: it is bad", "p.go:2: not found: bad"}},
		"no quotes":              {"var bad int // want bad", []string{"p.go:1: a want that is none: // want bad", "p.go:1: not wanted: it is bad"}},
		"words behind it":        {"var good int // want `bad` here", []string{"p.go:1: a want that is none: // want `bad` here"}},
		"no expression":          {"var good int // want `(`", []string{"p.go:1: error parsing regexp: missing closing ): `(`"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := sourcetest.Load(t, c.source)[0]
			var found []analysis.Diagnostic
			ast.Inspect(p.Syntax[0], func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && (id.Name == "bad" || id.Name == "worse") {
					found = append(found, analysis.Diagnostic{Pos: id.Pos(), Message: "it is " + id.Name})
				}
				return true
			})
			if got := surprises(p, found); !slices.Equal(got, c.problems) {
				t.Errorf("%q, want %q", got, c.problems)
			}
		})
	}
}
