package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPatchesThatCannotBeTried(t *testing.T) {
	for text, want := range map[string]string{
		"hello\n": "no unified diff",
		"--- a/p_test.go\n+++ b/p_test.go\n@@ -1 +1 @@\n-a\n+b\n":    "it changes tests, in p_test.go",
		"--- a/p.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n":             "it takes the file p.go away",
		"--- a/p.go\n+++ b/q.go\n@@ -1 +1 @@\n-a\n+b\n":              "it moves p.go to q.go",
		"--- a/go.mod\n+++ b/go.mod\n@@ -1 +1 @@\n-a\n+b\n":          "it changes go.mod: only Go files",
		"--- /dev/null\n+++ b/../../x.go\n@@ -0,0 +1 @@\n+package x": "not below the module",
	} {
		_, err := readPatch("p.diff", text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestAPatchSaysWhatItChanges(t *testing.T) {
	p, err := readPatch("p.diff", "diff --git a/p/p.go b/p/p.go\n--- a/p/p.go\t2026\n+++ b/p/p.go\t2026\n@@ -10,4 +10,5 @@ func F() {\n a\n b\n-c\n+C\n d\n+e\n@@ -30 +30,2 @@\n+x\n y\n--- /dev/null\n+++ b/p/new.go\n@@ -0,0 +1 @@\n+package p\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.files, " "); got != "p/p.go p/new.go" {
		t.Error(got)
	}
	if len(p.fresh) != 1 || p.fresh[0] != "p/new.go" {
		t.Error(p.fresh)
	}
	if len(p.hunks) != 3 || p.hunks[0] != (hunk{"p/p.go", 12}) || p.hunks[1] != (hunk{"p/p.go", 14}) || p.hunks[2] != (hunk{"p/p.go", 30}) {
		t.Error(p.hunks)
	}
}

func TestAPatchIsAppliedToACopy(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\ngo 1.25\n")
	write("p.go", "package p\n\nvar x = 1\n")
	for _, form := range []string{"--- a/p.go\n+++ b/p.go\n", "--- p.go\n+++ p.go\n"} {
		p, err := readPatch("p.diff", form+"@@ -1,3 +1,3 @@\n package p\n \n-var x = 1\n+var x = 2\n--- /dev/null\n+++ "+map[bool]string{true: "b/"}[strings.Contains(form, "b/")]+"q.go\n@@ -0,0 +1 @@\n+package p\n")
		if err != nil {
			t.Fatal(err)
		}
		if base, err := p.base(t.Context(), dir); err != nil || base != dir {
			t.Errorf("base %s, %v", base, err)
		}
		files, err := p.apply(t.Context(), dir, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if got := string(files[filepath.Join(dir, "p.go")]); got != "package p\n\nvar x = 2\n" || string(files[filepath.Join(dir, "q.go")]) != "package p\n" {
			t.Errorf("%q", files)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "p.go")); !strings.Contains(string(text), "x = 1") {
		t.Error("the tree was changed")
	}
	old, err := readPatch("old.diff", "--- a/p.go\n+++ b/p.go\n@@ -1,3 +1,3 @@\n package p\n \n-var y = 1\n+var y = 2\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.apply(t.Context(), dir, t.TempDir()); err == nil || !strings.Contains(err.Error(), "it does not apply: patch failed: p.go:1") {
		t.Error(err)
	}
	twice, err := readPatch("twice.diff", "--- /dev/null\n+++ b/p.go\n@@ -0,0 +1 @@\n+package p\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := twice.apply(t.Context(), dir, t.TempDir()); err == nil || !strings.Contains(err.Error(), "it adds p.go, which is there already") {
		t.Error(err)
	}
}
