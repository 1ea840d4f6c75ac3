package bymodule_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/bymodule"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
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

var (
	strict = bymodule.Command{}
	loose  = bymodule.Command{Bare: true, Below: true}
)

type runs = []bymodule.Run

func TestArgumentsGoToTheModuleTheyLieIn(t *testing.T) {
	root := makeTree(t, "one/go.mod", "one/sub/p.go", "one/nested/go.mod", "one/testdata/go.mod", "two/go.mod", "two/sub/p.go", "free/p.go", "one/vendor/x/go.mod", "one/.hidden/go.mod")
	both := []bymodule.Command{strict, loose}
	for name, test := range map[string]struct {
		commands []bymodule.Command
		from     string
		args     []string
		want     runs // folders as seen from root
	}{
		"nothing":                                {both, "one/sub", nil, runs{{"one/sub", nil}}},
		"the package here":                       {both, "one/sub", []string{"."}, runs{{"one/sub", []string{"."}}}},
		"a folder of this module":                {both, "one", []string{"./sub"}, runs{{"one", []string{"./sub"}}}},
		"all of this module":                     {both, "one", []string{"./..."}, runs{{"one", []string{"./..."}}}},
		"upwards":                                {both, "one/sub", []string{"..", "../..."}, runs{{"one/sub", []string{"./..", "./../..."}}}},
		"import paths and files as they are":     {both, "one", []string{"example.com/x/...", "std", "./sub/p.go", "..."}, runs{{"one", []string{"example.com/x/...", "std", "./sub/p.go", "..."}}}},
		"a file that is not there":               {both, "one", []string{"./sub/x.go"}, runs{{"one", []string{"./sub/x.go"}}}},
		"other modules":                          {both, "one", []string{"../two/sub", ".", "../two/..."}, runs{{"two", []string{"./sub", "./..."}}, {"one", []string{"."}}}},
		"a nested module":                        {both, "one", []string{"./nested"}, runs{{"one/nested", []string{"."}}}},
		"by an absolute path":                    {both, "one", []string{filepath.Join(root, "two", "sub"), filepath.Join(root, "one", "sub")}, runs{{"two", []string{"./sub"}}, {"one", []string{"./sub"}}}},
		"a pattern of folders":                   {both, "one", []string{"./s.../x", "./.../x/..."}, runs{{"one", []string{"./s.../x", "./.../x/..."}}}},
		"no module at all":                       {both, "free", []string{"."}, runs{{"free", []string{"."}}}},
		"a bare name is a folder":                {both[1:], "one", []string{"sub", "sub/...", "strings"}, runs{{"one", []string{"./sub", "./sub/...", "strings"}}}},
		"a bare name is an import path":          {both[:1], "one", []string{"sub", "sub/..."}, runs{{"one", []string{"sub", "sub/..."}}}},
		"outside of modules: all that lie below": {both[1:], ".", []string{"./..."}, runs{{"one", []string{"./..."}}, {"one/nested", []string{"./..."}}, {"two", []string{"./..."}}}},
		"outside of modules: none below":         {both[1:], ".", []string{"./free/..."}, runs{{".", []string{"./free/..."}}}},
		"outside of modules: as it is":           {both[:1], ".", []string{"./..."}, runs{{".", []string{"./..."}}}},
	} {
		for _, command := range test.commands {
			t.Run(fmt.Sprintf("%+v: %s", command, name), func(t *testing.T) {
				got, err := command.Runs(filepath.Join(root, filepath.FromSlash(test.from)), test.args)
				if err != nil {
					t.Fatal(err)
				}
				want := make(runs, len(test.want))
				for i, r := range test.want {
					want[i] = bymodule.Run{Dir: filepath.Join(root, filepath.FromSlash(r.Dir)), Patterns: r.Patterns}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

func TestAFolderThatIsNotThereIsAMistakeOfTheUsers(t *testing.T) {
	root := makeTree(t, "go.mod", "file")
	for _, command := range []bymodule.Command{strict, loose} {
		for _, bad := range []string{"./nowhere", "./nowhere/...", "../nowhere", "./file", filepath.Join(root, "nowhere")} {
			_, err := command.Runs(root, []string{bad})
			if fault.KindOf(err) != fault.Input || !strings.Contains(err.Error(), bad+": no such folder") {
				t.Errorf("%s: %v", bad, err)
			}
		}
	}
}
