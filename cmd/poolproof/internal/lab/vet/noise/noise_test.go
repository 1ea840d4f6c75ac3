package noise

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

var (
	modules = flag.Bool("modules", false, "analyse the pinned modules and the standard library: many minutes, and downloads")
	scratch = flag.String("scratch", "", "`folder` that keeps the code of the modules")
)

// linesPerFalse is how many lines there must be for each false report of the
// error tier.
const linesPerFalse = 200_000

func TestModulesStayQuiet(t *testing.T) {
	if !*modules {
		t.Skip("without -modules")
	}
	dir := *scratch
	if dir == "" {
		dir = t.TempDir()
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	reviews, err := LoadReviews()
	if err != nil {
		t.Fatal(err)
	}
	tool, err := corpus.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lines, falses := 0, 0
	for _, m := range slices.Concat([]Module{Std}, Modules, Later) {
		tree, err := Fetch(t.Context(), m, dir)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Measure(t.Context(), tool, tree, reviews)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %s: %d lines, %.1f s of CPU, %d errors, %d of them false", m.Name, tree.Version, r.Lines, r.CPU.Seconds(), r.Count("error", false), r.False("error"))
		for _, f := range r.Unread() {
			t.Errorf("%s %s:%d:%d: %s; read it, and add a judgement to testdata/reviewed.toml", m.Name, f.File, f.Line, f.Col, f.Message)
		}
		if m == Std && r.Count("error", false) > 0 {
			t.Errorf("%d reports of the error tier in the standard library, want none", r.Count("error", false))
		}
		if m != Std {
			lines += r.Lines
			falses += r.False("error")
		}
	}
	if falses*linesPerFalse > lines {
		t.Errorf("%d false reports of the error tier in %d lines; at most 1 in %d", falses, lines, linesPerFalse)
	}
}

func TestLinesLeaveOutWhatIsNotThePackageItself(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":            "package a\n\nvar A = 1\n",
		"a_test.go":       "package a\n\nvar B = 1\n",
		"sub/b.go":        "package b\n",
		"testdata/c.go":   "package c\n",
		"vendor/d/d.go":   "package d\n",
		"nested/go.mod":   "module nested\n",
		"nested/e.go":     "package e\n",
		".hidden/f.go":    "package f\n",
		"sub/cmd/main.go": "package main\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	n, err := Lines(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n != 4 {
		t.Errorf("%d lines, want the 4 of a.go, sub/b.go and sub/cmd/main.go", n)
	}
}
