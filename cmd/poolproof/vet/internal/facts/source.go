package facts

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
)

// skipped are packages in which nothing is learned: pools themselves, and what
// no pool is used in.
var skipped = []string{"sync", "unsafe", "runtime", "internal/runtime", "internal/race", "internal/sync", "internal/abi"}

// Skipped says whether nothing is learned in a package.
func Skipped(path string) bool {
	return slices.ContainsFunc(skipped, func(s string) bool { return path == s || strings.HasPrefix(path, s+"/") && s != "sync" })
}

// source is buildssa for the packages in which something is learned: the runtime
// alone is as large as what many programs import of the standard library besides.
var source = &analysis.Analyzer{
	Name:       "poolproofssa",
	Doc:        "build the SSA form of packages that are not skipped",
	Requires:   buildssa.Analyzer.Requires,
	ResultType: buildssa.Analyzer.ResultType,
	Run: func(pass *analysis.Pass) (any, error) {
		if Skipped(pass.Pkg.Path()) {
			return new(buildssa.SSA), nil
		}
		return buildssa.Analyzer.Run(pass)
	},
}
