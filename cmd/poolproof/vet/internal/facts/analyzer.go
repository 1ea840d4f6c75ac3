// Package facts is the one pass over the code that the checks of package vet
// share. It learns what each function does with pooled objects, keeps that as
// facts which cross packages, and turns each function into events.
package facts

import (
	"flag"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Analyzer makes the events of a package. Every check requires it. Its flags are
// the options of all checks.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	o := events.Options{Tier: events.Warning, Budget: defaultBudget}
	a := &analysis.Analyzer{
		Name:       "poolproof",
		Doc:        "learn what functions do with pooled objects\n\nThe checks of poolproof vet are built on this analyzer, which reports nothing itself.",
		URL:        "https://github.com/poolproof/poolproof/blob/main/docs/vet.md",
		Requires:   []*analysis.Analyzer{source},
		ResultType: reflect.TypeFor[*events.Events](),
		FactTypes:  []analysis.Fact{new(summary.Summary), new(summary.Borrowed), new(Failed)},
		Run:        func(pass *analysis.Pass) (any, error) { return guarded(pass, o) },
	}
	a.Flags.Var(&o.Tier, "tier", "report findings of this tier and above: error, warning or audit")
	a.Flags.BoolVar(&o.DropOnError, "drop-on-error", false, "a path that returns an error may lose the object (PV005)")
	a.Flags.Var(&checks{&o, nil}, "checks", "comma-separated `checks`: report only these (PV001,leak-path), or all but these (-PV008)")
	a.Flags.BoolVar(&o.Generated, "generated", false, "report findings in generated files too")
	a.Flags.BoolVar(&o.Explained, "explained", false, "report a finding too that another one explains")
	a.Flags.Var((*list)(&o.RequireDefer), "require-defer", "comma-separated `functions` whose result must be put by a deferred call")
	a.Flags.Var((*list)(&o.Without), "without", "comma-separated import `paths`: do not analyse these packages, on which the analysis ended before")
	a.Flags.IntVar(&o.Budget, "budget", o.Budget, "steps of analysis for each function")
	return a
}

// checks is the flag that selects checks.
type checks struct {
	options *events.Options
	names   list
}

var _ flag.Value = (*checks)(nil)

// String returns the names as they are given.
func (c *checks) String() string { return c.names.String() }

// Set replaces the selection. The error is an [*directive.UnknownError].
func (c *checks) Set(s string) error {
	var names list
	if err := names.Set(s); err != nil {
		return err
	}
	wanted, err := directive.Selection(names)
	if err != nil {
		return err
	}
	c.names, c.options.Checks = names, wanted
	return nil
}

// list is a flag of names with commas between.
type list []string

var _ flag.Value = (*list)(nil)

// String returns the names as they are given.
func (l *list) String() string { return strings.Join(*l, ",") }

// Set replaces the names.
func (l *list) Set(s string) error {
	*l = nil
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			*l = append(*l, name)
		}
	}
	return nil
}
