package vetrun

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPatchSaysWhichLinesAreNew(t *testing.T) {
	top := t.TempDir()
	file := func(name string) string { return filepath.Join(resolved(top), filepath.FromSlash(name)) }
	for name, test := range map[string]struct {
		patch string
		want  changes
	}{
		"lines that are added, changed and gone": {
			"diff --git a/p.go b/p.go\n--- a/p.go\n+++ b/p.go\n@@ -0,0 +1,2 @@\n+a\n+b\n@@ -7 +9 @@ func f() {\n-c\n+d\n@@ -20,2 +21,0 @@\n-e\n-f\n",
			changes{file("p.go"): {{1, 2}, {9, 9}}},
		},
		"a file that is gone": {
			"diff --git a/p.go b/p.go\ndeleted file mode 100644\n--- a/p.go\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n",
			changes{},
		},
		"a name that git quotes": {
			"diff --git \"a/a\\tb.go\" \"b/a\\tb.go\"\n--- \"a/a\\tb.go\"\n+++ \"b/a\\tb.go\"\n@@ -0,0 +1 @@\n+a\n",
			changes{file("a\tb.go"): {{1, 1}}},
		},
		"a name with a space": {
			"--- a/a b.go\t\n+++ b/a b.go\t\n@@ -0,0 +1 @@\n+a\n",
			changes{file("a b.go"): {{1, 1}}},
		},
		"lines that look like the head of a file": {
			"--- a/p.go\n+++ b/p.go\n@@ -3,1 +3,2 @@\n--- b/old.go\n+++ b/new.go\n+@@ -1,9 +1,9 @@\n@@ -8,0 +9,1 @@\n+x\n",
			changes{file("p.go"): {{3, 4}, {9, 9}}},
		},
		"a file without a newline at its end": {
			"--- a/p.go\n+++ b/p.go\n@@ -3 +3 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n--- a/q.go\n+++ b/q.go\n@@ -1 +1 @@\n-a\n+b\n",
			changes{file("p.go"): {{3, 3}}, file("q.go"): {{1, 1}}},
		},
		"a change of the mode alone": {
			"diff --git a/p.go b/p.go\nold mode 100644\nnew mode 100755\n",
			changes{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parsePatch(top, test.patch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(lineRange{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	for _, bad := range []string{"@@ -x +1 @@\n", "@@ -1,2 +y,3 @@\n", "@@ what @@\n", "+++ \"b/unclosed\n"} {
		if _, err := parsePatch(top, bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestANewFileIsNewAsAWhole(t *testing.T) {
	c := changes{"/src/new.go": nil, "/src/mode.go": {}, "/src/old.go": {{3, 4}}}
	for name, test := range map[string]struct {
		file string
		line int
		want bool
	}{
		"in a new file":                       {"/src/new.go", 77, true},
		"in a file whose lines are as before": {"/src/mode.go", 1, false},
		"the first line of a change":          {"/src/old.go", 3, true},
		"the last":                            {"/src/old.go", 4, true},
		"behind it":                           {"/src/old.go", 5, false},
		"in a file that nobody touched":       {"/src/other.go", 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.holds(test.file, test.line); got != test.want {
				t.Errorf("new: %v", got)
			}
		})
	}
}
