// Package copied is PV019: a pool that is copied. The analysis is that of go vet,
// copylocks, of which it reports what concerns pools.
package copied

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/copylock"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
)

// Check is the check.
var Check = newCheck()

func newCheck() check.Check {
	c := check.New(check.Check{
		Code: "PV019",
		Name: "pool-copied",
		Doc:  "a pool is copied, alone or as part of a struct",
		Tier: check.Error,
	}, run)
	c.Analyzer.Requires = append(c.Analyzer.Requires, copylock.Analyzer.Requires...)
	return c
}

func run(p *check.Pass) {
	sub := *p.Pass
	sub.Analyzer = copylock.Analyzer
	sub.Report = func(d analysis.Diagnostic) {
		if holdsPool(p, d) {
			p.Report(check.Report{
				Pos: d.Pos, End: d.End,
				Message: sentence(d.Message) + ": both copies hand out the same objects", Remedy: "use a pointer",
			})
		}
	}
	_, _ = copylock.Analyzer.Run(&sub) // it has no result, and no errors
}

// holdsPool reports whether what is copied holds a pool: copylocks names the
// first lock that it finds, and a struct may have both.
func holdsPool(p *check.Pass, d analysis.Diagnostic) bool {
	found := false
	if file := p.File(d.Pos); file != nil {
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || found {
				return false
			}
			if e, ok := n.(ast.Expr); ok && e.Pos() == d.Pos && (!d.End.IsValid() || e.End() == d.End) {
				t := p.TypesInfo.TypeOf(e)
				found = t != nil && pooldecl.Contains(t)
			}
			return !found
		})
	}
	return found
}

// sentence makes "assignment copies a pool to x" of "assignment copies lock
// value to x: T contains sync.Pool".
func sentence(message string) string {
	message, _, _ = strings.Cut(message, ": ")
	return strings.NewReplacer("lock value", "a pool", "lock", "a pool").Replace(message)
}
