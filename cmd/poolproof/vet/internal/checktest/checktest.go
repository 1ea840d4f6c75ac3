// Package checktest runs a check over the packages in its testdata folder, whose
// comments say what must be found: // want "words". What has no such comment must
// stay silent.
package checktest

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

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
	if c.Fix {
		analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), c.Analyzer, packages...)
		return
	}
	analysistest.Run(t, analysistest.TestData(), c.Analyzer, packages...)
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
