package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
)

const summing = `package p

// Sum adds.
func Sum(n int) (sum int) {
	xs := make([]int, n)
	for i := range xs {
		sum += xs[i] + i
	}
	return sum
}
`

func TestAVariantIsWrittenIntoTheTree(t *testing.T) {
	o, file := pooledModule(t)
	o.Site, o.Progress = "p.go:5@240", progress.Quiet()
	if err := os.WriteFile(file, []byte(summing), 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := PutIn(t.Context(), o, "p.go:5 hoist", t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no such variant now") {
		t.Error(err)
	}
	names, err := PutIn(t.Context(), o, "p.go:5 stack", t.TempDir())
	if err != nil || !slices.Equal(names, []string{file}) {
		t.Fatalf("%q, %v", names, err)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "var xsArray [45]int") {
		t.Errorf("%v\n%s", err, text)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// A change that does not compile leaves no trace, nor does a file that it adds.
func TestWhatDoesNotCompileIsNotWritten(t *testing.T) {
	o, file := pooledModule(t)
	o.Patch, o.Progress = filepath.Join(t.TempDir(), "p.diff"), progress.Quiet()
	diff := "--- a/p.go\n+++ b/p.go\n@@ -1,3 +1,3 @@\n package p\n \n-import \"sync\"\n+import \"nosuch\"\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+package p\n"
	if err := os.WriteFile(o.Patch, []byte(diff), 0o666); err != nil {
		t.Fatal(err)
	}
	if names, err := PutIn(t.Context(), o, "p.diff patch", t.TempDir()); err == nil || names != nil {
		t.Errorf("%q, %v", names, err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != pooled {
		t.Errorf("%v\n%s", err, text)
	}
	if Exists(filepath.Join(filepath.Dir(file), "new.go")) {
		t.Error("a new file stays")
	}
}

func TestPlacesAreFilesLinesAndSizes(t *testing.T) {
	o, file := pooledModule(t)
	target, err := Find(t.Context(), o.Path, "", t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := target.site("p.go:7:12@240+observed")
	if err != nil || s.File != file || s.Line != 7 || s.Column != 12 || s.Size() != 240 || !s.Observed {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = target.site(file + ":3"); err != nil || s.Line != 3 || s.Size() != 0 || s.Observed {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []string{"p.go", "p.go:x", "p.go:0", "p.go:3@", "p.go:3@-1", "p.go:3:4:5", "nosuch.go:3", ":3"} {
		if s, err := target.site(bad); err == nil {
			t.Errorf("%q: %+v", bad, s)
		}
	}
}
