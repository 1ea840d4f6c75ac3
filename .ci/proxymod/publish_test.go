package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func names(t *testing.T, file string) []string {
	t.Helper()
	r, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []string
	for _, f := range r.File {
		all = append(all, f.Name)
	}
	slices.Sort(all)
	return all
}

func TestAModuleIsPublishedWithoutTheModulesBelowIt(t *testing.T) {
	root := tree(t, map[string]string{
		"go.mod":            "module example.com/Top\n",
		"a.go":              "package top\n",
		"sub/b.go":          "package sub\n",
		"cmd/tool/go.mod":   "module example.com/Top/cmd/tool\n",
		"cmd/tool/main.go":  "package main\n",
		"cmd/other/go.mod":  "module example.com/Top/cmd/other\n",
		"cmd/other/main.go": "package main\n",
	})
	out := t.TempDir()
	for _, folder := range []string{".", "cmd/tool"} {
		if _, err := publish(root, folder, "v0.0.1", out); err != nil {
			t.Fatal(err)
		}
	}

	top := filepath.Join(out, "example.com", "!top", "@v")
	tool := filepath.Join(out, "example.com", "!top", "cmd", "tool", "@v")
	for file, want := range map[string][]string{
		filepath.Join(top, "v0.0.1.zip"): {
			"example.com/Top@v0.0.1/a.go", "example.com/Top@v0.0.1/go.mod", "example.com/Top@v0.0.1/sub/b.go",
		},
		filepath.Join(tool, "v0.0.1.zip"): {
			"example.com/Top/cmd/tool@v0.0.1/go.mod", "example.com/Top/cmd/tool@v0.0.1/main.go",
		},
	} {
		if got := names(t, file); !slices.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", file, got, want)
		}
	}
	for file, want := range map[string]string{
		"list":        "v0.0.1\n",
		"v0.0.1.mod":  "module example.com/Top\n",
		"v0.0.1.info": `"Version":"v0.0.1"`,
	} {
		if got, err := os.ReadFile(filepath.Join(top, file)); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s is %q, %v; want %q in it", file, got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "example.com", "!top", "cmd", "other")); err == nil {
		t.Error("a module that nobody named was published")
	}
}

func TestWhatCouldNotBeInstalledIsRefused(t *testing.T) {
	for _, test := range []struct {
		name, mod, version, want string
	}{
		{"a path that is not where the module lies", "module example.com/top/tool\n", "v0.0.1", "for example.com/top/cmd/tool"},
		{"a replaced module", "module example.com/top/cmd/tool\n\nrequire example.com/top v0.0.1\n\nreplace example.com/top => ../..\n", "v0.0.1", "replaces example.com/top"},
		{"no version", "module example.com/top/cmd/tool\n", "latest", "no version"},
		{"half a version", "module example.com/top/cmd/tool\n", "v1.2", "no version"},
		{"no module line", "go 1.26\n", "v0.0.1", "no module line"},
		{"a broken go.mod", "modul\n", "v0.0.1", "unknown directive"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, map[string]string{"go.mod": "module example.com/top\n", "cmd/tool/go.mod": test.mod})
			_, err := publish(root, "cmd/tool", test.version, t.TempDir())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestAVersionIsPublishedOnce(t *testing.T) {
	root := tree(t, map[string]string{"go.mod": "module example.com/top\n"})
	out := t.TempDir()
	if _, err := publish(root, ".", "v0.0.1", out); err != nil {
		t.Fatal(err)
	}
	if _, err := publish(root, ".", "v0.0.1", out); err == nil || !strings.Contains(err.Error(), "published once") {
		t.Errorf("error %v, want that it was published already", err)
	}
}
