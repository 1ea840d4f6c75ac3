package oas

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// alike compares what is read of a source in pieces with what is read of it as one.
func alike(t *testing.T, source []byte) {
	t.Helper()
	defer func(was int) { pieceSize = was }(pieceSize)
	pieceSize = 1 << 40
	var whole, cut Doc
	want := whole.resetYAML(source)
	for _, pieceSize = range []int{0, 40, 400} {
		got := cut.resetYAML(source)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("in pieces of %d bytes: %v, want %v\n%s", pieceSize, got, want, source)
		}
		if string(cut.text) != string(whole.text) || !slices.Equal(cut.nodes, whole.nodes) || !slices.Equal(cut.spots, whole.spots) || !slices.Equal(cut.aliases, whole.aliases) {
			for i := range min(len(cut.spots), len(whole.spots)) {
				if cut.spots[i] != whole.spots[i] {
					t.Errorf("node %d is at %v, want %v", i, cut.spots[i], whole.spots[i])
					break
				}
			}
			t.Fatalf("in pieces of %d bytes:\n%s\nwant\n%s\nof\n%s", pieceSize, cut.text, whole.text, source)
		}
	}
}

// oddYAML are sources that are hard to cut or to change.
var oddYAML = []string{
	"a: 1\nb: 2\n", "a:\n  b: 1\n  c:\n    d: 2\ne: 3\n", "# c\n---\n# d\na: 1\n# e\nb: 2\n", "a: 1\n---\nb: 2\n", "a: 1\n...\n", "%YAML 1.2\n---\na: 1\nb: 2\n",
	"a: \"x\nb: y\"\nc: 1\n", "a: {x: 1,\nb: 2}\nc: 3\n", "a: 'x\n\n b: 1'\nb: 2\n", "a: |\n  b: 1\n\n c\nb: 2\n", "a: |+\n  x\n\n\nb: >-\n  y\n", "a: x\n  y\nb: 1\n",
	"a: &x 1\nb: *x\n", "a: &x {k: 1}\nb: {c: *x}\n", "&x a: 1\nb: *x\n", "a: 1\na: 2\n", "a: 1\nb:\n  c: 1\n  c: 2\n", "? a\n: 1\nb: 2\n", "a:\n- 1\n- 2\nb:\n- c: 1\n  d: 2\n",
	"  a: 1\n  b: 2\n", "a:\n    b: 1\n  c: 2\n", "a:\n  b: 1\n c: 2\n", "- a\n- b\n", "x\n", "a: 1\nb\n", "a: 1\n\tb: 2\n", "\ufeffa: 1\nb: 2\n", "a: 1\r\nb:\r\n  c: 2\r\n\r\nd: 3\r\n", "a: 1\rb: 2\rc: 3\r",
	"a: \"ü\" # ü\nü: {ü: ü, b: 1}\n", "a: # c\n  # d\n  b: 1 # e\n# f\nc: 2", "a: !!str 1\nb: !!null\nc:\n", "a:\n  # only a comment\nb: 1\n", "<<: 1\na: 2\n", "a: [\n1,\n2]\nb: 3\n", "a: \u2028b\nc: 1\n",
	"\r:", ".a: 1\nb: 2\n", "\"a\": 1\n'b': 2\n{}: 3\n", "a: # x:\n  b: 1\n", "a: b: c\n", "a: &x\n  b: 1\nc: 2\n", "a: b\n#c\n d\n", "\"a\\\n  b\": 1\nc: 2\n", "a:\n  - - 1\n    - 2\n  - - 3\n", "-\n  a: 1\n-\n  - b\n",
	"a:   \nb:\t1\nc: 1  \n", "a: 'it''s'\nb: \"q\\\"\"\n", "a: - b\n", "a:\n  b: |\n    # no comment\n   # a comment\n  c: 1\n",
}

func TestYAMLInPiecesIsTheSame(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	sources := slices.Clone(oddYAML)
	for _, file := range append(files, "testdata/pets.yaml") {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, string(source), strings.ReplaceAll(string(source), "\n", "\r\n"))
	}
	for _, source := range sources {
		alike(t, []byte(source))
	}
}

func FuzzPieces(f *testing.F) {
	for _, source := range oddYAML {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) { alike(t, source) })
}
