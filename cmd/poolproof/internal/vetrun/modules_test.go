package vetrun

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// makeTree makes files, and returns the folder that they are in.
func makeTree(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, file := range files {
		name := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		text := "package p\n"
		if filepath.Base(name) == "go.mod" {
			text = "module example.com/" + filepath.Base(filepath.Dir(name)) + "\n\ngo 1.25\n"
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestArgumentsGoToTheModuleTheyLieIn(t *testing.T) {
	root := makeTree(t, "one/go.mod", "one/sub/p.go", "one/nested/go.mod", "one/testdata/go.mod", "two/go.mod", "two/sub/p.go", "free/p.go", "one/vendor/x/go.mod", "one/.hidden/go.mod")
	type run struct {
		Dir      string
		Patterns []string
	}
	for name, test := range map[string]struct {
		from string
		args []string
		want []run
	}{
		"nothing: the package here":              {"one/sub", nil, []run{{"one/sub", []string{"."}}}},
		"a folder of this module":                {"one", []string{"sub"}, []run{{"one", []string{"./sub"}}}},
		"all of this module":                     {"one", []string{"./..."}, []run{{"one", []string{"./..."}}}},
		"upwards":                                {"one/sub", []string{"..", "../..."}, []run{{"one/sub", []string{"./..", "./../..."}}}},
		"import paths and files as they are":     {"one", []string{"example.com/x/...", "std", "./sub/p.go"}, []run{{"one", []string{"example.com/x/...", "std", "./sub/p.go"}}}},
		"other modules":                          {"one", []string{"../two/sub", ".", "../two/..."}, []run{{"two", []string{"./sub", "./..."}}, {"one", []string{"."}}}},
		"a nested module":                        {"one", []string{"./nested"}, []run{{"one/nested", []string{"."}}}},
		"a pattern of folders":                   {"one", []string{"./s.../x"}, []run{{"one", []string{"./s.../x"}}}},
		"outside of modules: all that lie below": {"", []string{"./..."}, []run{{"one", []string{"./..."}}, {"one/nested", []string{"./..."}}, {"two", []string{"./..."}}}},
		"no module at all":                       {"free", []string{"."}, []run{{"free", []string{"."}}}},
	} {
		t.Run(name, func(t *testing.T) {
			from := filepath.Join(root, filepath.FromSlash(test.from))
			groups, err := group(t.Context(), from, test.args)
			if err != nil {
				t.Fatal(err)
			}
			var got []run
			for _, g := range groups {
				got = append(got, run{relative(root, g.dir), g.patterns})
			}
			want := test.want
			for i := range want {
				if want[i].Dir == "" {
					want[i].Dir = "."
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	for _, bad := range []string{"./nowhere", "../nowhere/...", filepath.Join(root, "nowhere")} {
		if _, err := group(t.Context(), root, []string{bad}); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
