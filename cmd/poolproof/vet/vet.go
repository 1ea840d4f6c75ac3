// Package vet finds wrong uses of pooled objects before the program runs: an
// object that is used, put or handed out after it was put, memory of it that
// outlives the put, objects that never come back, and pools that do not do what
// they are meant to.
//
// Each check is a go/analysis analyzer, for go vet, gopls-like drivers and
// golangci-lint. All of them read the events that one shared pass makes. That
// pass knows sync.Pool and nothing else: which functions get, put, keep or return
// pooled objects it infers from their code, and keeps as facts, so that wrappers
// are seen through in whatever package they are.
package vet

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
)

// Check is one check: its code and name, how sure it is, and its analyzer.
type Check = check.Check

// Tier says how sure a finding is, and so who wants to see it.
type Tier = check.Tier

// The tiers, the most certain first.
const (
	Error   = check.Error
	Warning = check.Warning
	Audit   = check.Audit
)

// Facts is the analyzer that all checks require. It reports nothing. Its flags
// are the options of all checks.
var Facts = facts.Analyzer

// Checks returns all checks by code.
func Checks() []Check {
	return slices.SortedFunc(slices.Values(all), func(a, b Check) int { return cmp.Compare(a.Code, b.Code) })
}

// Analyzers returns the analyzer of each check, by code.
func Analyzers() []*analysis.Analyzer {
	var analyzers []*analysis.Analyzer
	for _, c := range Checks() {
		analyzers = append(analyzers, c.Analyzer)
	}
	return analyzers
}
