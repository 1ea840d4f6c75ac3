package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
	"github.com/poolproof/poolproof/systems/oas/internal/corpus"
)

// The go command builds the code for large documents and has nothing to say of
// it. Three are read, or all with OAS_CORPUS=all or OAS_CORPUS=large.
func TestLargeDocumentsPassVet(t *testing.T) {
	documents := corpus.LargeDocuments[:3]
	switch which := os.Getenv("OAS_CORPUS"); {
	case which == "all" || which == "large":
		documents = corpus.LargeDocuments
	case testing.Short():
		t.Skip("SKIPPED: large documents, in short mode")
	}
	clean, lines := 0, 0
	for _, l := range documents {
		source, err := l.Source()
		if err != nil {
			t.Skipf("SKIPPED: no large documents: %v", err)
		}
		d, err := oas.Parse(source)
		if l.Refused != "" {
			if err == nil || !strings.Contains(err.Error(), l.Refused) {
				t.Errorf("%s: the error is %v, want %q", l.Name, err, l.Refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		files, err := gen.Generate(d, gen.Options{})
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		n := 0
		for _, source := range files {
			n += strings.Count(string(source), "\n")
		}
		if vetted(t, l.Name, files) {
			clean, lines = clean+1, lines+n
			t.Logf("%s: %d lines are built and vetted", l.Name, n)
		}
	}
	t.Logf("%d of %d documents: %d lines", clean, len(documents), lines)
}

// vetted reports whether the go command builds the package, vets it without a
// word, and gofmt would not change it.
func vetted(t *testing.T, name string, files gen.Files) bool {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = []byte("module vetted\n\ngo 1.25\n")
	for name, source := range files {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"go", "build", "."}, {"go", "vet", "."}, {"gofmt", "-l", "."}} {
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %s: %v\n%.2000s", name, strings.Join(args, " "), err, out)
			return false
		}
	}
	return true
}
