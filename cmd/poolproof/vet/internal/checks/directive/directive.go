// Package directive is PV000: mistakes in //poolproof: comments, and ignores that
// ignore nothing. A suppression that is not needed any more hides the next bug on
// its line.
package directive

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
)

// New makes the check. It runs after all others, whose results say which
// directives were of use.
func New(others []check.Check) check.Check {
	var analyzers []*analysis.Analyzer
	for _, c := range others {
		analyzers = append(analyzers, c.Analyzer)
	}
	c := check.New(check.Check{
		Code: "PV000",
		Name: "directive",
		Doc:  "a //poolproof: comment is wrong, or ignores nothing",
		Tier: check.Warning,
	}, func(p *check.Pass) { run(p, analyzers) })
	c.Analyzer.Requires = append(c.Analyzer.Requires, analyzers...)
	return c
}

func run(p *check.Pass, others []*analysis.Analyzer) {
	index := directive.Of(p.Pass)
	for _, problem := range index.Problems() {
		p.Report(check.Report{Pos: problem.Pos, End: problem.End, Message: problem.Message, Remedy: problem.Remedy})
	}
	for _, ig := range index.Ignores() {
		if judged(p, ig) && !used(p, others, ig) {
			p.Report(check.Report{Pos: ig.Pos, End: ig.End, Message: "this directive ignores nothing: there is no such finding here", Remedy: "remove it, or move it to the line of the finding"})
		}
	}
}

// judged reports whether the checks that ran say all about the directive.
func judged(p *check.Pass, ig *directive.Ignore) bool {
	optional := func(code string) bool {
		return code == "PV000" || code == "PV020" && len(p.Events.Options.RequireDefer) == 0
	}
	return !ig.NoLint && !slices.ContainsFunc(ig.Codes, optional)
}

// used reports whether a check has let itself be told by the directive.
func used(p *check.Pass, others []*analysis.Analyzer, ig *directive.Ignore) bool {
	return slices.ContainsFunc(others, func(a *analysis.Analyzer) bool {
		return slices.Contains(p.ResultOf[a].(*check.Result).Ignored, ig.Pos)
	})
}
