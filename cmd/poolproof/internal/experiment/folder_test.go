package experiment

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAnEarlierRunIsSetAside(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, previous, "page.txt"), "the run before that")
	put(t, filepath.Join(dir, planFile), "plan")
	put(t, filepath.Join(dir, recordsFile), "records")
	put(t, filepath.Join(dir, "mine.txt"), "mine")
	if err := fresh(dir, ask.Show{Pages: []ask.Page{{Name: "page.txt"}}}); err != nil {
		t.Fatal(err)
	}
	if got := content(t, filepath.Join(dir, previous, recordsFile)); got != "records" {
		t.Errorf("previous records: %q", got)
	}
	if got := content(t, filepath.Join(dir, "mine.txt")); got != "mine" {
		t.Errorf("the user's file: %q", got)
	}
	for _, gone := range []string{planFile, recordsFile, filepath.Join(previous, "page.txt")} {
		if build.Exists(filepath.Join(dir, gone)) {
			t.Errorf("%s is still there", gone)
		}
	}
}

func TestAFolderWithoutARunIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "VERDICT.md"), "written by hand")
	if err := fresh(dir, ask.Show{}); err != nil {
		t.Fatal(err)
	}
	if got := content(t, filepath.Join(dir, "VERDICT.md")); got != "written by hand" {
		t.Errorf("VERDICT.md: %q", got)
	}
}

func TestGitPassesOverTheDefaultFolderOnly(t *testing.T) {
	dir := t.TempDir()
	if err := fresh(filepath.Join(dir, ask.Results, "name"), ask.Show{}); err != nil {
		t.Fatal(err)
	}
	if got := content(t, filepath.Join(dir, ask.Results, ".gitignore")); got != "*\n" {
		t.Errorf(".gitignore: %q", got)
	}
	if err := fresh(filepath.Join(dir, "mine", "name"), ask.Show{}); err != nil {
		t.Fatal(err)
	}
	if build.Exists(filepath.Join(dir, "mine", ".gitignore")) {
		t.Error("a .gitignore in the user's folder")
	}
}

func TestAFolderBelowAFileCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "")
	if err := fresh(filepath.Join(file, "out"), ask.Show{}); fault.KindOf(err) != fault.Input {
		t.Errorf("error %v, want the kind Input", err)
	}
}
