package words_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/gobench"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/golden"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

// load reads a hand-made verdict file.
func load(t *testing.T, name string) study.VerdictFile {
	t.Helper()
	v, err := study.ReadVerdict(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// looks compares what render writes with a file.
func looks(t *testing.T, file string, render func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := render(&b); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join("testdata", file), b.String())
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
			looks(t, name+".wide.txt", func(w io.Writer) error { return term.Table(w, v, 160) })
			looks(t, name+".narrow.txt", func(w io.Writer) error { return term.Table(w, v, 80) })
			looks(t, name+".md", func(w io.Writer) error { return note.Write(w, v, note.Versions{}) })
			looks(t, name+".plan.txt", func(w io.Writer) error { return term.Plan(w, v.Plan) })
			looks(t, name+".bench.txt", func(w io.Writer) error { return gobench.Write(w, v, launches(v)) })
		})
	}
	looks(t, "aa.floor.txt", func(w io.Writer) error { return term.NoiseFloor(w, load(t, "aa")) })
}
