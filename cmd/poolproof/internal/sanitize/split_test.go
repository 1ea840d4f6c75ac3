package sanitize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
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

func TestPackagesAreTestedInTheirModule(t *testing.T) {
	dir := tree(t, map[string]string{
		"go.mod": "module m\n", "a/a.go": "package a\n", "b/b.go": "package b\n",
		"other/go.mod": "module other\n", "other/x/x.go": "package x\n",
	})
	other := filepath.Join(dir, "other")
	for name, test := range map[string]struct {
		packages []string
		want     []part
	}{
		"none":                    {nil, []part{{dir: dir}}},
		"in one module":           {[]string{"./a", "./b/..."}, []part{{dir, []string{"./a", "./b/..."}}}},
		"import paths":            {[]string{"fmt", "m/a", "all"}, []part{{dir, []string{"fmt", "m/a", "all"}}}},
		"in another module":       {[]string{"./other"}, []part{{other, []string{"."}}}},
		"below another module":    {[]string{"./other/x", "./other/..."}, []part{{other, []string{"./x", "./..."}}}},
		"in both":                 {[]string{"./a", "./other/x", "./b"}, []part{{dir, []string{"./a", "./b"}}, {other, []string{"./x"}}}},
		"by an absolute path":     {[]string{filepath.Join(dir, "other", "x")}, []part{{other, []string{"./x"}}}},
		"a file":                  {[]string{"./other/x/x.go"}, []part{{dir, []string{"./other/x/x.go"}}}},
		"a pattern in the middle": {[]string{"./.../x"}, []part{{dir, []string{"./.../x"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := split(dir, test.packages)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.want, got, cmp.AllowUnexported(part{})); d != "" {
				t.Error(d)
			}
		})
	}
	for _, pkg := range []string{"./nowhere", "./nowhere/...", "../nowhere"} {
		if _, err := split(dir, []string{pkg}); exitcode.Of(err) != exitcode.Usage || !strings.Contains(err.Error(), pkg+": no such folder") {
			t.Errorf("%s: %v", pkg, err)
		}
	}
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
