package plan

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/cover"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

const changedSource = `package p

import "fmt"

type T struct {
	a int
}

func F(x int) int {
	if x > 0 {
		return 1
	}
	return 2
}

func G() { fmt.Println() }
`

// TestADifferenceIsRunByItsBlocks has F's blocks at lines 9-10, 10-12 and 13, and G's at 16.
func TestADifferenceIsRunByItsBlocks(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(changedSource), 0o666); err != nil {
		t.Fatal(err)
	}
	profile := func(entry, positive, negative, g int) []*cover.Profile {
		return []*cover.Profile{{FileName: "m/p/p.go", Blocks: []cover.ProfileBlock{
			{StartLine: 9, StartCol: 19, EndLine: 10, EndCol: 11, Count: entry},
			{StartLine: 10, StartCol: 11, EndLine: 12, EndCol: 3, Count: positive},
			{StartLine: 13, StartCol: 2, EndLine: 13, EndCol: 10, Count: negative},
			{StartLine: 16, StartCol: 10, EndLine: 16, EndCol: 25, Count: g},
		}}}
	}
	runsPositive, runsNegative, runsG := profile(9, 9, 0, 0), profile(9, 0, 9, 0), profile(0, 0, 0, 9)
	code := func(first, last int) git.Change {
		return git.Change{Hunks: []git.Hunk{{First: first, Last: last, Code: true}}}
	}
	for _, tt := range []struct {
		name                  string
		change                git.Change
		positive, negative, g bool
	}{
		{"one branch", code(11, 11), true, false, false},
		{"the other branch", code(13, 13), false, true, false},
		{"the head of the function", code(9, 9), true, true, false},
		{"the other function", code(16, 16), false, false, true},
		{"both functions", code(12, 16), true, true, true},
		{"a line that is gone from a branch", code(12, 11), true, false, false},
		{"a field of a type", code(6, 6), true, true, true},
		{"a type that is new", code(5, 7), false, false, false},
		{"an import", code(3, 3), false, false, false},
		{"a comment", git.Change{Hunks: []git.Hunk{{First: 11, Last: 11}}}, false, false, false},
		{"a declaration that is gone", code(15, 14), true, true, true},
		{"a file that is gone", git.Change{Gone: true}, true, true, true},
		{"a file that git does not know", git.Change{New: true}, true, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := differing(&build.Changed{Packages: map[string]build.ChangedPackage{"m/p": {Dir: dir, Files: map[string]git.Change{"p.go": tt.change}}}}, dir)
			if err != nil {
				t.Fatal(err)
			}
			zero := profile(0, 0, 0, 0)
			if got := [3]bool{d.in(zero, runsPositive), d.in(zero, runsNegative), d.in(zero, runsG)}; got != [3]bool{tt.positive, tt.negative, tt.g} {
				t.Errorf("got %v, want %v", got, [3]bool{tt.positive, tt.negative, tt.g})
			}
			if d.in(runsG, runsG) {
				t.Error("what only the set-up runs counts")
			}
		})
	}
}

const changedTests = `package p

import "testing"

var sink int

func TestF(t *testing.T) {
}

func BenchmarkF(b *testing.B) {
	F(1)
}

func help() {
}
`

func TestADifferenceInATestFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(changedTests), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		first, last int
		all, f      bool
	}{
		"in a test":           {7, 8, false, false},
		"in a benchmark":      {11, 11, false, true},
		"in what is shared":   {15, 15, true, false},
		"in a variable":       {5, 5, true, false},
		"in an import":        {3, 3, false, false},
		"a line that is gone": {11, 10, false, true},
	} {
		d, err := differing(&build.Changed{Tests: map[string]git.Change{"p_test.go": {Hunks: []git.Hunk{{First: tt.first, Last: tt.last, Code: true}}}}}, dir)
		if err != nil || d.allTests != tt.all || d.benchmarks["BenchmarkF"] != tt.f {
			t.Errorf("%s: %v, all %t, BenchmarkF %t", name, err, d.allTests, d.benchmarks["BenchmarkF"])
		}
	}
}
