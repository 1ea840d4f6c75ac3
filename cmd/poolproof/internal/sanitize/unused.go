package sanitize

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// unused notes directives that are about nothing any more, and returns the
// entries of the baseline that are. All tests of the packages have run. What stands
// in a test of theirs is about nothing then; of what stands in other code that is
// known only if no package with tests was left out.
func (l *ledger) unused(ctx context.Context) []*finding.Entry {
	all := sync.OnceValue(func() bool { return !slices.ContainsFunc(l.plans, func(p *plan) bool { return !p.whole(ctx) }) })
	file := func(name string) bool {
		in := slices.ContainsFunc(l.plans, func(p *plan) bool { return p.packages.tested[filepath.Dir(name)] != "" })
		return in && (strings.HasSuffix(name, "_test.go") || all())
	}
	function := func(name string) bool {
		return l.tested[finding.PackageOf(name)] && (finding.IsTestFunction(name) || all())
	}
	for _, d := range finding.Unused(l.directives, file) {
		l.result.note("%s: poolproof:ignore suppressed nothing: remove it", d)
	}
	gone := l.baseline.Unused(function)
	if !l.options.UpdateBaseline { // else it does so itself
		for _, e := range gone {
			l.result.note("%s: this entry matches no finding: remove it", l.baseline.At(e))
		}
	}
	return gone
}

// whole reports whether all packages with tests of the main modules are tested.
func (p *plan) whole(ctx context.Context) bool {
	args := []string{"list", "-e", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "-tags=" + p.asked.tags(), "--"}
	for module := range p.packages.mains {
		args = append(args, module+"/...")
	}
	if len(p.packages.mains) == 0 {
		return false
	}
	out, err := p.toolchain.Go(ctx, p.dir, args...)
	return err == nil && !slices.ContainsFunc(strings.Fields(string(out)), func(path string) bool { return !p.packages.paths[path] })
}

// partial reports whether a run cannot tell what is unused.
func (p *plan) partial(seen *observation) bool {
	return slices.ContainsFunc([]string{"run", "skip", "short", "list", "c", "n", "failfast", "fuzz"}, p.asked.has) || p.options.Mode != Exact || len(p.asked.line.Binary) > 0 ||
		slices.ContainsFunc(seen.packages, func(q gotest.Package) bool {
			return q.Stopped || q.State.Unbuilt()
		})
}
