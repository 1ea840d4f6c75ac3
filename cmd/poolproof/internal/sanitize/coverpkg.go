package sanitize

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// coverpkg is the value of -coverpkg without the packages that our overlay
// changes: the go command instruments the files of covered packages as they lie
// on disk, and the compiler would miss the hooks. changed is false where the value
// can stay as it is.
func (p *plan) coverpkg(ctx context.Context) (value string, changed bool, err error) {
	ours := p.overlaid()
	var kept []string
	for _, pattern := range strings.Split(p.asked.get("coverpkg"), ",") {
		pattern = strings.TrimSpace(pattern)
		if !slices.ContainsFunc(ours, func(pkg string) bool { return matches(pattern, pkg) }) {
			kept = append(kept, pattern)
			continue
		}
		changed = true
		out, err := p.toolchain.Go(ctx, p.dir, "list", "-e", "-tags="+p.asked.tags(), "--", pattern)
		if err != nil {
			return "", false, fault.Option("coverpkg", "", "%w", err)
		}
		for _, pkg := range strings.Fields(string(out)) {
			if !slices.Contains(ours, pkg) {
				kept = append(kept, pkg)
			}
		}
	}
	if changed {
		p.note("-coverpkg: %s are not covered, because they contain the hooks of the sanitizer", strings.Join(ours, ", "))
	}
	return strings.Join(kept, ","), changed, nil
}

// overlaid are the packages of the toolchain that our overlay changes.
func (p *plan) overlaid() []string {
	var all []string
	src := filepath.Join(p.toolchain.Root, "src")
	for file := range p.overlay.Replace {
		if pkg, err := filepath.Rel(src, filepath.Dir(file)); err == nil {
			all = append(all, filepath.ToSlash(pkg))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// matches reports whether a package pattern of the go command matches a package
// of the standard library.
func matches(pattern, pkg string) bool {
	if pattern == "all" || pattern == "std" || strings.TrimSuffix(pattern, "/...") == pkg {
		return true
	}
	re := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, ".*") + "$"
	ok, err := regexp.MatchString(re, pkg)
	return err == nil && ok
}
