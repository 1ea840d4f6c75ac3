package sanitize

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// tree writes files into a folder of the test.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheFolderIsDirAndMinusC(t *testing.T) {
	dir := tree(t, map[string]string{"a/b/x": ""})
	line := gotest.Line{Flags: []gotest.Flag{{Name: "C", Value: "b"}, {Name: "v", Value: "true"}}}
	got, err := workDir(Options{Dir: filepath.Join(dir, "a")}, &line)
	if err != nil || got != filepath.Join(dir, "a", "b") || len(line.Flags) != 1 {
		t.Errorf("%s, %v, flags left: %v", got, err, line.Flags)
	}
	if _, err := workDir(Options{Dir: filepath.Join(dir, "nowhere")}, &line); err == nil {
		t.Error("no error for a folder that is not there")
	}
}
