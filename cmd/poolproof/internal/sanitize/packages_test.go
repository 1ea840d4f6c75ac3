package sanitize

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

func TestWhatTheGoCommandKnowsOfABuild(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	dir := tree(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": "package m\n\nimport _ \"example.com/m/dep\"\n", "m_test.go": "package m\n",
		"x_test.go": "package m_test\n\nimport _ \"testing\"\n", "dep/dep.go": "package dep\n", "dep/dep_test.go": "package dep\n",
		"tagged.go": "//go:build poolproofmark\n\npackage m\n", "broken/broken.go": "package broken\n\nimport _ \"example.com/nowhere\"\n",
	})
	plan := &plan{part: part{dir: dir, cache: t.TempDir()}}
	plan.asked.line = gotest.Line{Packages: []string{".", "./broken"}}
	if err := plan.find(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := plan.packages
	if want := map[string]string{dir: "example.com/m", filepath.Join(dir, "broken"): "example.com/m/broken"}; !cmp.Equal(p.tested, want) {
		t.Errorf("tested: %v, want %v", p.tested, want)
	}
	files := map[string][]string{}
	for _, pkg := range p.scan {
		if pkg.Standard {
			continue // read for its types
		}
		for _, f := range slices.Concat(pkg.Files, pkg.Tests) {
			rel, err := filepath.Rel(dir, f)
			if err != nil {
				t.Fatal(err)
			}
			files[pkg.Path] = append(files[pkg.Path], filepath.ToSlash(rel))
		}
		slices.Sort(files[pkg.Path])
	}
	want := map[string][]string{
		"example.com/m": {"m.go", "m_test.go", "tagged.go"}, "example.com/m_test": {"x_test.go"},
		"example.com/m/dep": {"dep/dep.go"}, "example.com/m/broken": {"broken/broken.go"},
	}
	if d := cmp.Diff(want, files); d != "" {
		t.Errorf("the files to scan: %s", d)
	}
	if !p.sites.Std["testing"] || p.sites.Std["example.com/m"] {
		t.Error("the standard library is not told from the rest")
	}
	if got := p.sites.Dirs["example.com/m/dep"]; got != filepath.Join(dir, "dep") {
		t.Errorf("a trimmed name leads to %q", got)
	}
}

func TestTrimmedNamesOfDependencies(t *testing.T) {
	l := listed{ImportPath: "example.com/dep/sub"}
	l.Module = &struct {
		Path, Version string
		Main          bool
	}{"example.com/dep", "v1.2.3", false}
	if got := trimmed(l); got != "example.com/dep@v1.2.3/sub" {
		t.Error(got)
	}
	l.Module.Main = true
	if got := trimmed(l); got != "example.com/dep/sub" {
		t.Error(got)
	}
}
