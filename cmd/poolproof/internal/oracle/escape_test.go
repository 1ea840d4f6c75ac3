package oracle

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

const source = `package main

type T struct{ a, b int }

var keep *T

func escapes(n int) []int { return make([]int, n) }

func stays(n int) int {
	s := make([]int, 8)
	return s[n&7]
}

func moved() {
	var t T
	keep = &t
}

func read(t *T) int { return t.a }

func main() {
	p := &T{1, 2}
	_ = escapes(3)
	_ = stays(read(p))
	moved()
}
`

func program(t *testing.T, text string) (*overlay.Toolchain, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/program\n\ngo 1.24\n", "main.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tc, err := overlay.Find(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return tc, dir
}

func TestEscapesAreTheCompilersAndNothingIsWritten(t *testing.T) {
	for _, goflags := range []string{"", "-trimpath"} {
		t.Setenv("GOFLAGS", goflags)
		tc, dir := program(t, source)
		for range 2 { // the second comes from the cache
			facts, err := Escapes(t.Context(), tc, dir, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []Fact{
				{"main.go", 7, 40, "make([]int, n) escapes to heap"},
				{"main.go", 10, 11, "make([]int, 8) does not escape"},
				{"main.go", 15, 6, "moved to heap: t"},
				{"main.go", 22, 7, "&T{...} does not escape"},
			} {
				if !slices.Contains(facts, want) {
					t.Errorf("GOFLAGS=%s: no %v in %v", goflags, want, facts)
				}
			}
			for _, f := range facts {
				if f.Text == "t does not escape" {
					t.Errorf("%v is about a parameter", f)
				}
			}
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
			t.Errorf("the folder holds %v, %v", files, err)
		}
	}
}

func TestAPackageThatDoesNotCompileHasNoEscapes(t *testing.T) {
	tc, dir := program(t, "package main\n\nfunc main() { x }\n")
	_, err := Escapes(t.Context(), tc, dir, "")
	var failed *overlay.CommandError
	if !errors.As(err, &failed) {
		t.Errorf("Escapes = %v", err)
	}
}

func TestTagsReachTheCompiler(t *testing.T) {
	tc, dir := program(t, "//go:build special\n\n"+source)
	if facts, err := Escapes(t.Context(), tc, dir, "special"); err != nil || len(facts) == 0 {
		t.Errorf("%v, %v", facts, err)
	}
	if facts, err := Escapes(t.Context(), tc, dir, ""); err == nil {
		t.Errorf("without the tag: %v", facts)
	}
}

func TestTheCompilersLinesAreParsed(t *testing.T) {
	got := parse([]byte(`# example.org/m
./a.go:3:6: can inline f
./a.go:4:8: can inline f.func1
./a.go:5:2: can inline f-range1
./a.go:3:8: leaking param: x to result ~r0 level=0
./a.go:4:11: make([]T, n) escapes to heap
./a.go:4:11: make([]T, n) escapes to heap
a.go:5:2: moved to heap: moved to heap
./sub/b.go:6:7: []T{...} does not escape
./a.go:7:3: x does not escape
./a.go:8:3: ... argument does not escape
./a.go:9:3: "a" + b escapes to heap
./a.go:10:3: func literal does not escape
not a line
./a.go:x:3: y escapes to heap
`))
	want := []Fact{
		{"a.go", 3, 6, "can inline f"},
		{"a.go", 4, 11, "make([]T, n) escapes to heap"},
		{"a.go", 5, 2, "moved to heap: moved to heap"},
		{"sub/b.go", 6, 7, "[]T{...} does not escape"},
		{"a.go", 9, 3, `"a" + b escapes to heap`},
		{"a.go", 10, 3, "func literal does not escape"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	if s := want[1].String(); s != "a.go:4:11: make([]T, n) escapes to heap" {
		t.Errorf("String = %s", s)
	}
}
