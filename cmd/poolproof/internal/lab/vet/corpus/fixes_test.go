package corpus_test

import (
	"context"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

// Every fix that there is, applied to all code of ours that is wrong: the corpus,
// and what the checks are tested with. What comes out builds, nothing that had a
// fix is found there any more, and nothing new but for audits.
func TestFixedCorpusBuildsAndIsClean(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses some dozens of packages, twice")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(corpus.Folder())); err != nil {
		t.Fatal(err)
	}
	copyCases(t, filepath.Join("..", "..", "..", "..", "vet", "internal", "checks"), filepath.Join(dir, "checks"))
	tool, err := corpus.Build(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	before := vetJSON(t, tool, dir)
	fixable := make(map[string]int)
	for _, f := range before {
		if len(f.Fixes) > 0 {
			fixable[f.Code]++
		}
	}
	for _, code := range []string{"PV001", "PV002", "PV003", "PV007", "PV013", "PV015"} {
		if fixable[code] == 0 {
			t.Errorf("no finding of %s has a fix", code)
		}
	}
	t.Logf("findings with a fix: %v", fixable)
	if _, words, code := execute(t, dir, tool.Bin, "vet", "-fix", "-tier", "audit", "./..."); code != 1 {
		t.Fatalf("poolproof vet -fix ends with %d, want 1 for what has no fix:\n%s", code, words)
	}
	if _, words, code := execute(t, dir, "go", "build", "./..."); code != 0 {
		t.Errorf("what was fixed does not build:\n%s", words)
	}
	known := make(map[place]int)
	for _, f := range before {
		known[place{f.File, f.Code}]++
	}
	for _, f := range vetJSON(t, tool, dir) {
		known[place{f.File, f.Code}]--
		switch {
		case len(f.Fixes) > 0:
			t.Errorf("%s:%d: %s still has a fix: %s", f.File, f.Line, f.Code, f.Message)
		case known[place{f.File, f.Code}] < 0 && f.Tier != "audit": // a wrong type hid some of these
			t.Errorf("%s:%d: %s came with a fix: %s", f.File, f.Line, f.Code, f.Message)
		}
	}
}

// place is where findings are counted: lines move when something is fixed.
type place struct{ file, code string }

type finding struct {
	Code, Tier, File, Message string
	Line                      int
	Fixes                     []json.RawMessage
}

// vetJSON returns what is found in a module.
func vetJSON(t *testing.T, tool corpus.Tool, dir string) []finding {
	t.Helper()
	out, words, code := execute(t, dir, tool.Bin, "vet", "-json", "-tier", "audit", "./...")
	if code != 1 {
		t.Fatalf("poolproof vet -json ends with %d, want 1:\n%s", code, words)
	}
	var result struct{ Findings []finding }
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	return result.Findings
}

// execute returns what a command prints on standard output and error, and its exit code.
func execute(t *testing.T, dir, name string, args ...string) (stdout, stderr []byte, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return out, failed.Stderr, failed.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, nil, 0
}

// copyCases copies the packages that the checks are tested with, whose names are
// their import paths, to folders of a module where they can be built: those that
// import nothing of each other.
func copyCases(t *testing.T, vet, to string) {
	t.Helper()
	cases, err := filepath.Glob(filepath.Join(vet, "*", "testdata", "src", "*"))
	if err != nil || len(cases) == 0 {
		t.Fatal(cases, err)
	}
	for _, from := range cases {
		if importsCases(t, from) {
			continue
		}
		check := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(from))))
		if err := os.CopyFS(filepath.Join(to, check, filepath.Base(from)), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
}

// importsCases reports whether a package imports one that lies beside it.
func importsCases(t *testing.T, dir string) (imports bool) {
	t.Helper()
	beside, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			imports = imports || slices.ContainsFunc(beside, func(d os.DirEntry) bool { return spec.Path.Value == strconv.Quote(d.Name()) })
		}
	}
	return imports
}
