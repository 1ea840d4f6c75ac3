package sanitize

import (
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/fields"
)

// The runtime names a type by its package; an import path may end in a version.
func TestATypeIsNamedAsTheRuntimeNamesIt(t *testing.T) {
	dir := tree(t, map[string]string{"a/a.go": "package ants\n", "b/b.go": "not Go\n"})
	p := &plan{packages: &packages{scan: []fields.Package{
		{Path: "example.com/ants/v2", Files: []string{filepath.Join(dir, "a", "a.go")}},
		{Path: "example.com/b", Files: []string{filepath.Join(dir, "b", "b.go")}},
		{Path: "example.com/empty"},
	}}}
	for name, want := range map[string]string{
		"example.com/ants/v2.T": "ants.T",
		"example.com/b.T":       "b.T",
		"example.com/empty.T":   "empty.T",
		"example.com/other.T":   "other.T",
	} {
		if got := p.typeName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
