package vet

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// GaveUpCategory is the category of the diagnostics of GaveUp.
const GaveUpCategory = "gave-up"

// GaveUp reports the functions that were analysed only in part, because the rest
// would have taken more steps than the budget allows. It is not one of [Analyzers],
// because its diagnostics are about the analysis, not about the code.
var GaveUp = &analysis.Analyzer{
	Name:     "gaveup",
	Doc:      "report functions that are too large to be analysed completely",
	Requires: []*analysis.Analyzer{Facts},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, g := range pass.ResultOf[Facts].(*events.Events).GaveUp {
			pass.Report(analysis.Diagnostic{
				Pos:      g.Pos,
				Category: GaveUpCategory,
				Message:  fmt.Sprintf("%s is too large: a part of it was not analysed", g.Func),
			})
		}
		return nil, nil
	},
}
