package git

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPatchSaysWhichLinesDiffer(t *testing.T) {
	for name, test := range map[string]struct {
		patch string
		want  Changes
	}{
		"lines that are added, changed and gone": {
			"diff --git a/p.go b/p.go\n--- a/p.go\n+++ b/p.go\n@@ -0,0 +1,2 @@\n+a\n+b\n@@ -7 +9 @@ func f() {\n-c\n+d\n@@ -20,2 +21,0 @@\n-e\n-f\n",
			Changes{"p.go": {Hunks: []Hunk{{1, 2, true}, {9, 9, true}, {22, 21, true}}}},
		},
		"comments and blank lines": {
			"diff --git a/p.go b/p.go\n--- a/p.go\n+++ b/p.go\n@@ -3,2 +3,2 @@\n-// a\n-\n+\t// b\n+  \n@@ -9 +9 @@\n-//go:noinline\n+// x\n@@ -12 +12 @@\n-\tx := 1 // one\n+\t// none\n@@ -20 +20 @@\n-\tx := \"//a\" // one\n+\tx  :=  \"//a\"\n@@ -30 +30 @@\n-\tx := \"//a\"\n+\tx := \"//b\"\n",
			Changes{"p.go": {Hunks: []Hunk{{3, 4, false}, {9, 9, true}, {12, 12, true}, {20, 20, false}, {30, 30, true}}}},
		},
		"a file that is gone": {
			"diff --git a/p.go b/p.go\ndeleted file mode 100644\n--- a/p.go\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n",
			Changes{"p.go": {Gone: true, Hunks: []Hunk{{1, 0, true}}}},
		},
		"a file that is new": {
			"diff --git a/p.go b/p.go\nnew file mode 100644\n--- /dev/null\n+++ b/p.go\n@@ -0,0 +1,2 @@\n+a\n+b\n",
			Changes{"p.go": {New: true, Hunks: []Hunk{{1, 2, true}}}},
		},
		"a name that git quotes": {
			"diff --git \"a/a\\tb.go\" \"b/a\\tb.go\"\n--- \"a/a\\tb.go\"\n+++ \"b/a\\tb.go\"\n@@ -0,0 +1 @@\n+a\n",
			Changes{"a\tb.go": {Hunks: []Hunk{{1, 1, true}}}},
		},
		"a name with a space": {
			"diff --git a/a b.go b/a b.go\n--- a/a b.go\t\n+++ b/a b.go\t\n@@ -0,0 +1 @@\n+a\n",
			Changes{"a b.go": {Hunks: []Hunk{{1, 1, true}}}},
		},
		"lines that look like the head of a file": {
			"diff --git a/p.go b/p.go\n--- a/p.go\n+++ b/p.go\n@@ -3,1 +3,2 @@\n--- b/old.go\n+++ b/new.go\n+@@ -1,9 +1,9 @@\n@@ -8,0 +9,1 @@\n+x\n",
			Changes{"p.go": {Hunks: []Hunk{{3, 4, true}, {9, 9, true}}}},
		},
		"a file without a newline at its end": {
			"diff --git a/p.go b/p.go\n--- a/p.go\n+++ b/p.go\n@@ -3 +3 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\ndiff --git a/q.go b/q.go\n--- a/q.go\n+++ b/q.go\n@@ -1 +1 @@\n-a\n+b\n",
			Changes{"p.go": {Hunks: []Hunk{{3, 3, true}}}, "q.go": {Hunks: []Hunk{{1, 1, true}}}},
		},
		"a change of the mode alone": {
			"diff --git a/p.go b/p.go\nold mode 100644\nnew mode 100755\n",
			Changes{},
		},
		"what is no text": {
			"diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n",
			Changes{"x.bin": {}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parsePatch(test.patch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	for _, bad := range []string{"+++ b/p.go\n@@ -x +1 @@\n", "+++ b/p.go\n@@ -1,2 +y,3 @@\n", "+++ b/p.go\n@@ -1 +1,2 @@\n-a\n+b\n", "+++ \"b/unclosed\n"} {
		if _, err := parsePatch("diff --git a/p.go b/p.go\n--- a/p.go\n" + bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestDiffOfARepository(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	run := func(args ...string) {
		t.Helper()
		if _, err := Output(ctx, dir, append([]string{"-c", "user.name=n", "-c", "user.email=e"}, args...)...); err != nil {
			t.Fatal(args, err)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	write("a.go", "package a\n\nfunc F() int { return 1 }\n")
	write("gone.go", "package a\n")
	run("add", ".")
	run("commit", "-qm", "one")
	write("a.go", "package a\n\nfunc F() int { return 2 }\n")
	run("rm", "-q", "gone.go")
	run("commit", "-qam", "two")
	write("new.go", "package a\n")
	want := Changes{"a.go": {Hunks: []Hunk{{3, 3, true}}}, "gone.go": {Gone: true, Hunks: []Hunk{{1, 0, true}}}}
	got, err := Diff(ctx, dir, "HEAD~", "HEAD")
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v, between commits -want +got:\n%s", err, d)
	}
	want["new.go"] = Change{New: true}
	got, err = Diff(ctx, dir, "HEAD~", "")
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v, to the working tree -want +got:\n%s", err, d)
	}
	if _, err := Diff(ctx, dir, "--output=x", ""); err == nil {
		t.Error("a revision is taken for an option")
	}
}
