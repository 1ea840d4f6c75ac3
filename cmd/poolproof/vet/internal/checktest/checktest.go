// Package checktest runs a check over the packages in its testdata folder, whose
// comments say what must be found: // want "words". What has no such comment must
// stay silent. Each message must say what to do.
//
// It is package analysistest for one purpose, at a tenth of its cost: that one
// encodes every fact anew for every package that could see it. The tests of package
// facts are run by analysistest, so that facts are known to survive this.
package checktest

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
)

// Run analyses packages below testdata/src and reports all tiers. Fixes, if there
// are any, must make the files with .golden behind their names.
func Run(t *testing.T, c check.Check, packages ...string) {
	t.Helper()
	RunAt(t, check.Audit, c, packages...)
}

// RunAt is Run for the findings of a tier and above.
func RunAt(t *testing.T, tier check.Tier, c check.Check, packages ...string) {
	t.Helper()
	Set(t, "tier", tier.String())
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := load(dir, packages)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{c.Analyzer}, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Errorf("%s: %v", act, act.Err)
			continue
		}
		for _, problem := range surprises(act.Package, act.Diagnostics) {
			t.Error(problem)
		}
		for _, d := range act.Diagnostics {
			if d.Category != check.Category(c.Code, c.Tier) && d.Category != check.Category(c.Code, c.Else.Tier) {
				t.Errorf("%s: %s, of which -explain says %s", lineOf(act.Package.Fset.Position(d.Pos)), d.Category, c.Tiers())
			}
			if !HasRemedy(d.Message) {
				t.Errorf("%s: does not say what to do: %s", lineOf(act.Package.Fset.Position(d.Pos)), d.Message)
			}
		}
		if c.Fix {
			for _, problem := range misfixes(act.Package, act.Diagnostics) {
				t.Error(problem)
			}
		}
	}
}

// Set sets a flag that all checks share for the time of a test.
func Set(t *testing.T, name, value string) {
	t.Helper()
	f := facts.Analyzer.Flags.Lookup(name)
	before := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(before) })
}
