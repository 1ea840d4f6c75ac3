package vet

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// GaveUpCategory is the category of the diagnostics of GaveUp.
const GaveUpCategory = "gave-up"

// FailedCategory is the category of the diagnostics of GaveUp that are about an imported
// package on which the analysis failed. Their message begins with its import path.
const FailedCategory = "failed"

// GaveUp reports the functions that were analysed only in part, because the rest
// would have taken more steps than the budget allows, and the imported packages on
// which the analysis failed. It is not one of [Analyzers], because its diagnostics are
// about the analysis, not about the code.
var GaveUp = &analysis.Analyzer{
	Name:     "gaveup",
	Doc:      "report functions that are too large to be analysed completely",
	Requires: []*analysis.Analyzer{Facts},
	Run: func(pass *analysis.Pass) (any, error) {
		ev := pass.ResultOf[Facts].(*events.Events)
		for _, f := range ev.Failures {
			pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Name.Pos(), Category: FailedCategory, Message: f.Package + ": " + f.Reason})
		}
		for _, g := range ev.GaveUp {
			pass.Report(analysis.Diagnostic{
				Pos:      g.Pos,
				Category: GaveUpCategory,
				Message:  fmt.Sprintf("%s is too large: a part of it was not analysed", g.Func),
			})
		}
		return nil, nil
	},
}
