package sanitize

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
)

// unused notes directives that are about nothing any more, and returns the
// entries of the baseline that are. All tests of the packages have run. What stands
// in a test of theirs is about nothing then; of what stands in other code that is
// known only if no package with tests was left out.
func (g *gathered) unused(ctx context.Context, o Options) []*finding.Entry {
	whole := false
	asked := false
	all := func() bool {
		if !asked {
			asked, whole = true, !slices.ContainsFunc(g.units, func(u *unit) bool { return !u.whole(ctx) })
		}
		return whole
	}
	file := func(name string) bool {
		in := slices.ContainsFunc(g.units, func(u *unit) bool { return u.packages.tested[filepath.Dir(name)] != "" })
		return in && (strings.HasSuffix(name, "_test.go") || all())
	}
	function := func(name string) bool {
		return g.tested[finding.PackageOf(name)] && (finding.IsTestFunction(name) || all())
	}
	for _, d := range finding.Unused(g.directives, file) {
		g.result.note("%s: poolproof:ignore suppressed nothing: remove it", d)
	}
	if g.baseline == nil {
		return nil
	}
	gone := g.baseline.Unused(function)
	if !o.UpdateBaseline { // else it does so itself
		for _, e := range gone {
			g.result.note("%s: this entry matches no finding: remove it", g.baseline.At(e))
		}
	}
	return gone
}

// whole reports whether all packages with tests of the main modules are tested.
func (u *unit) whole(ctx context.Context) bool {
	args := []string{"list", "-e", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "-tags=" + u.asked.tags(u.options.Tags), "--"}
	for module := range u.packages.mains {
		args = append(args, module+"/...")
	}
	if len(u.packages.mains) == 0 {
		return false
	}
	out, err := u.toolchain.Go(ctx, u.dir, args...)
	if err != nil {
		return false
	}
	for _, path := range strings.Fields(string(out)) {
		if !u.packages.paths[path] {
			return false
		}
	}
	return true
}
