package plan

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/tools/cover"
)

const manyFunctions = `package p

func Plain() {}

func one() int { return 1 }; func two() int { return 2 }

type T struct{}

func (T) Value()     {}
func (t *T) Pointer() {

	// Nothing yet.
	t.Value()
}

type G[K comparable, V any] struct{}

func (g *G[K, V]) Both() { f := func() {}; f() }
func (g G[_, _]) Value() {}

type S[E any] struct{}

func (s *S[E]) Single() {}

func external() int
`

func TestFunctionsAreNamedWithoutPointersAndTypeParameters(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(manyFunctions), 0o666); err != nil {
		t.Fatal(err)
	}
	funcs, err := functionsOf(dir, []string{"p.go"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for name, f := range funcs {
		got = append(got, name)
		if f.file != "p.go" {
			t.Errorf("%s is in %q", name, f.file)
		}
	}
	slices.Sort(got)
	want := []string{"G.Both", "G.Value", "Plain", "S.Single", "T.Pointer", "T.Value", "one", "two"}
	if !slices.Equal(got, want) {
		t.Errorf("functions %v, want %v", got, want)
	}
}

func TestAFunctionHoldsWhatIsBetweenItsBraces(t *testing.T) {
	f := function{"p.go", 3, 10, 5, 2} // the closing brace is at 5:1
	tests := []struct {
		line, col int
		want      bool
	}{
		{3, 9, false}, {3, 10, true}, {3, 99, true}, {4, 1, true}, {5, 1, true}, {5, 2, false}, {2, 50, false}, {6, 1, false},
	}
	for _, tt := range tests {
		if got := f.holds(tt.line, tt.col); got != tt.want {
			t.Errorf("holds(%d, %d) = %t, want %t", tt.line, tt.col, got, tt.want)
		}
	}
}

func TestAFunctionIsEnteredAsOftenAsItsFirstBlock(t *testing.T) {
	funcs := map[string]function{
		"one": {"p.go", 5, 16, 5, 28}, "two": {"p.go", 5, 45, 5, 57}, "long": {"p.go", 7, 20, 12, 2}, "other": {"q.go", 5, 16, 5, 28},
	}
	block := func(line, col, count int) cover.ProfileBlock {
		return cover.ProfileBlock{StartLine: line, StartCol: col, Count: count}
	}
	got := entered(funcs, []*cover.Profile{{FileName: "example.com/p/p.go", Blocks: []cover.ProfileBlock{
		block(5, 16, 3), block(5, 45, 4), block(8, 3, 5), block(10, 3, 50),
	}}})
	for name, want := range map[string]int{"one": 3, "two": 4, "long": 5, "other": 0} {
		if got[name] != want {
			t.Errorf("%s is entered %d times, want %d", name, got[name], want)
		}
	}
}

func TestSlowBenchmarksAreCountedOverFewerOperations(t *testing.T) {
	tests := []struct {
		once time.Duration
		want int
	}{
		{0, reachOps}, {time.Microsecond, reachOps}, {100 * time.Millisecond, 6}, {time.Second, 1}, {time.Minute, 1},
	}
	for _, tt := range tests {
		if got := operations(tt.once); got != tt.want {
			t.Errorf("operations(%s) = %d, want %d", tt.once, got, tt.want)
		}
	}
}
