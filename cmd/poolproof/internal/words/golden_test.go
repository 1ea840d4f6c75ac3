package words_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/gobench"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// load reads a hand-made verdict file.
func load(t *testing.T, name string) study.VerdictFile {
	t.Helper()
	v, err := study.ReadVerdict(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// golden compares what render writes with a file.
func golden(t *testing.T, file string, render func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := render(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
	for i, l := range strings.Split(b.String(), "\n") {
		if strings.TrimRight(l, " \t") != l {
			t.Errorf("line %d ends with a blank: %q", i+1, l)
		}
	}
	return b.String()
}

func TestReportsLookAsTheyDid(t *testing.T) {
	for _, name := range []string{"flatmap", "cells", "aa"} {
		v := load(t, name)
		t.Run(name, func(t *testing.T) {
			golden(t, name+".wide.txt", func(w io.Writer) error { return term.Table(w, v, 160) })
			golden(t, name+".narrow.txt", func(w io.Writer) error { return term.Table(w, v, 80) })
			golden(t, name+".md", func(w io.Writer) error { return note.Write(w, v, note.Versions{}) })
			golden(t, name+".plan.txt", func(w io.Writer) error { return term.Plan(w, v.Plan) })
			golden(t, name+".bench.txt", func(w io.Writer) error { return gobench.Write(w, v, launches(v)) })
		})
	}
	golden(t, "aa.floor.txt", func(w io.Writer) error { return term.NoiseFloor(w, load(t, "aa")) })
}
