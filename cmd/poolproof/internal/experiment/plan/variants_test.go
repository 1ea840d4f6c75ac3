package plan

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestEachFunctionHasItsTurn(t *testing.T) {
	leaves := []string{"A/1", "A/2", "A/3", "B/1", "B/2", "C"}
	for most, want := range map[int]string{1: "A/1", 3: "A/1 B/1 C", 4: "A/1 B/1 C A/2", 6: "A/1 A/2 A/3 B/1 B/2 C"} {
		if got := strings.Join(inTurn(leaves, most), " "); got != want {
			t.Errorf("%d: %s, want %s", most, got, want)
		}
	}
	if leaves[1] != "A/2" {
		t.Error("the list was changed")
	}
}

func TestWhatRemovesNothing(t *testing.T) {
	for _, c := range []struct {
		before, after memory
		nothing       bool
	}{
		{memory{100, 2, true}, memory{100, 2, true}, true},
		{memory{100, 2, true}, memory{100, 1, true}, false},
		{memory{100, 2, true}, memory{64, 2, true}, false},
		{memory{100, 2, true}, memory{64, 3, true}, false},
		{memory{100_000, 2, true}, memory{99_800, 2, true}, true}, // as the collector happens to run
		{memory{100, 2, true}, memory{200, 1, true}, false},
		{memory{0, 0, true}, memory{0, 0, true}, true},
		{memory{1, 0, true}, memory{0, 0, true}, true}, // of the set-up, in a number that is rounded
		{memory{100, 2, true}, memory{}, false},        // it fails, and says so where it is measured
		{memory{}, memory{100, 2, true}, false},
	} {
		if got := c.after.removesNothing(c.before); (got != "") != c.nothing {
			t.Errorf("%v after %v: %q", c.after, c.before, got)
		}
	}
}

func TestTheShareOfASiteIsThatOfItsLine(t *testing.T) {
	line := func(name, file string, line int64) *profile.Location {
		return &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name, Filename: file}, Line: line}}}
	}
	bench := line("testing.(*B).runN", "/go/src/testing/benchmark.go", 1)
	malloc := line("runtime.mallocgc", "/go/src/runtime/malloc.go", 1)
	p := &profile.Profile{Sample: []*profile.Sample{
		{Value: []int64{1, 30}, Location: []*profile.Location{malloc, line("p.F", "/m/p/p.go", 7), bench}},
		{Value: []int64{1, 20}, Location: []*profile.Location{line("p.F", "/m/p/p.go", 9), bench}},
		{Value: []int64{1, 50}, Location: []*profile.Location{malloc, line("q.F", "/m/q/p.go", 7), bench}},
		{Value: []int64{1, 99}, Location: []*profile.Location{line("p.F", "/m/p/p.go", 7)}}, // not in a benchmark
	}}
	share := siteShare([]*build.Reused{{At: []build.At{{File: "/m/p/p.go", Line: 7}}}})
	if got := share(p); got != 0.3 {
		t.Errorf("share %g, want 0.3", got)
	}
}

func TestWhatCannotBeBuiltHasNoDiff(t *testing.T) {
	out := t.TempDir()
	bs := build.NewSet(&build.Target{ID: build.MainBinary})
	bs.Reused = []*build.Reused{
		{ListedVariant: study.ListedVariant{ID: "x.go:3 pool", Name: "pool"}, Binary: "test@1.pool", Diff: "one"},
		{ListedVariant: study.ListedVariant{ID: "x.go:3 stack", Name: "stack"}, Binary: "test@2.stack", Diff: "two"},
	}
	bs.Absent["test@1.pool"] = "it cannot be built"
	var p study.Plan
	if err := listVariants(bs, &p, out); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil || len(files) != 1 || filepath.Base(files[0]) != "x.go-3-stack.diff" {
		t.Errorf("%q, %v", files, err)
	}
	if a, b := p.Variants[0], p.Variants[1]; a.Unbuilt != "it cannot be built" || a.Patch != "" || b.Unbuilt != "" || b.Patch == "" {
		t.Errorf("%+v", p.Variants)
	}
}
