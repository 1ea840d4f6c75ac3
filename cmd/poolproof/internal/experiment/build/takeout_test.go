package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const pooled = `package p

import "sync"

var a = sync.Pool{New: func() any { return new(int) }}

func Use() int {
	x := a.Get().(*int)
	a.Put(x)
	return *x
}
`

// pooledModule writes a module with one pool, and returns the question and the pool's file.
func pooledModule(t *testing.T) (ask.Options, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": pooled, "p_test.go": "package p\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return ask.Options{Question: study.Question{Path: dir}}, filepath.Join(dir, "p.go")
}

func TestPoolsAreWrittenOutOfTheTree(t *testing.T) {
	o, file := pooledModule(t)
	names, err := TakeOut(t.Context(), o, []study.ListedPool{{ID: "p.go:5", Name: "a", Package: "example.com/p"}}, t.TempDir())
	if err != nil || !slices.Equal(names, []string{file}) {
		t.Fatalf("%q, %v", names, err)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), "sync") {
		t.Errorf("%v\n%s", err, text)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Where a later one cannot be taken out, the files of the earlier ones are as they were.
func TestNothingIsWrittenWhereOnePoolStays(t *testing.T) {
	o, file := pooledModule(t)
	names, err := TakeOut(t.Context(), o, []study.ListedPool{
		{ID: "p.go:5", Name: "a", Package: "example.com/p"}, {ID: "p.go:6", Name: "b", Package: "example.com/p"},
	}, t.TempDir())
	if err == nil || names != nil {
		t.Errorf("%q, %v", names, err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != pooled {
		t.Errorf("%v\n%s", err, text)
	}
}
