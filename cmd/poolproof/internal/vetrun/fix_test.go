package vetrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEditsAreApplied(t *testing.T) {
	for name, test := range map[string]struct {
		before string
		edits  []Edit
		want   string
	}{
		"in whatever order they come":          {"package p\n\nvar a, b = 1, 2\n", []Edit{{Start: 25, End: 26, New: "4"}, {Start: 22, End: 23, New: "3"}}, "package p\n\nvar a, b = 3, 4\n"},
		"what was formatted stays so":          {"package p\n\nvar a = 1\n", []Edit{{Start: 11, End: 20, New: "func f( ) {\nreturn\n}"}}, "package p\n\nfunc f() {\n\treturn\n}\n"},
		"what was not formatted is left as is": {"package p\n\nvar  a = 1\n", []Edit{{Start: 20, End: 21, New: " 2"}}, "package p\n\nvar  a =  2\n"},
		"an insertion":                         {"package p\n", []Edit{{Start: 10, End: 10, New: "\nvar a int\n"}}, "package p\n\nvar a int\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := apply([]byte(test.before), test.edits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestEditsThatDoNotFitAreRefused(t *testing.T) {
	for name, edits := range map[string][]Edit{
		"beyond the end":           {{Start: 5, End: 99}},
		"the end before the start": {{Start: 5, End: 4}},
		"over each other":          {{Start: 1, End: 5}, {Start: 3, End: 6}},
		"before the start":         {{Start: -1, End: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := apply([]byte("package p\n"), edits); err == nil {
				t.Errorf("gives %q", got)
			}
		})
	}
	if _, err := apply([]byte("package p\n"), []Edit{{Start: 0, End: 7, New: "("}}); err == nil {
		t.Error("what does not parse any more is written")
	}
}

// fixable is a result with findings in a file of a package of its own.
func fixable(t *testing.T, text string, edits ...[]Edit) (*Result, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &Result{own: map[string]bool{filepath.Dir(file): true}}
	for _, some := range edits {
		for i := range some {
			some[i].File = file
		}
		r.Findings = append(r.Findings, Finding{Fixes: []SuggestedFix{{Edits: some}}})
	}
	return r, file
}

func TestFixesThatTouchEachOtherWait(t *testing.T) {
	const text = "package p\n\nvar a, b = 1, 2\n"
	for name, test := range map[string]struct {
		edits [][]Edit
		fixes int
		want  string
	}{
		"apart":                        {[][]Edit{{{Start: 22, End: 23, New: "3"}}, {{Start: 25, End: 26, New: "4"}}}, 2, "var a, b = 3, 4\n"},
		"over each other":              {[][]Edit{{{Start: 22, End: 26, New: "3, 4"}}, {{Start: 25, End: 26, New: "5"}}}, 1, "var a, b = 3, 4\n"},
		"at one place":                 {[][]Edit{{{Start: 22, End: 22, New: "3+"}}, {{Start: 22, End: 22, New: "4+"}}}, 1, "var a, b = 3 + 1, 2\n"},
		"a fix is whole or not at all": {[][]Edit{{{Start: 22, End: 23, New: "3"}}, {{Start: 15, End: 16, New: "x"}, {Start: 22, End: 23, New: "4"}}}, 1, "var a, b = 3, 2\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r, file := fixable(t, text, test.edits...)
			changed, n, err := r.fixes()
			if err != nil {
				t.Fatal(err)
			}
			if n != test.fixes {
				t.Errorf("%d fixes, want %d", n, test.fixes)
			}
			if got := strings.TrimPrefix(string(changed[file].after), "package p\n\n"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestFilesOfOthersAreLeftAlone(t *testing.T) {
	r, _ := fixable(t, "package p\n", []Edit{{Start: 8, End: 9, New: "q"}})
	r.own = nil
	if changed, n, err := r.fixes(); err != nil || n != 0 || len(changed) != 0 {
		t.Errorf("%d fixes of %v (%v)", n, changed, err)
	}
}

func TestAPatchNamesFilesAsAsked(t *testing.T) {
	r, _ := fixable(t, "package p\n\nvar a = 1\n", []Edit{{Start: 19, End: 20, New: "2"}})
	got, err := r.Diff(func(string) string { return "dir/p.go" })
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"--- a/dir/p.go\n", "+++ b/dir/p.go\n", "-var a = 1\n", "+var a = 2\n"} {
		if !strings.Contains(string(got), line) {
			t.Errorf("%q is not in\n%s", line, got)
		}
	}
}

func TestAFileKeepsItsMode(t *testing.T) {
	_, file := fixable(t, "package p\n")
	if err := write(file, []byte("package q\n")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}
