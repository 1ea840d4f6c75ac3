package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestSplitTakesTheKeyOutOfABenchmarkName(t *testing.T) {
	tests := []struct {
		leaf, key, rest, value string
		ok                     bool
	}{
		{"BenchmarkX/arm=pool", "arm", "BenchmarkX", "pool", true},
		{"BenchmarkX/arm=pool/n=5", "arm", "BenchmarkX/n=5", "pool", true},
		{"BenchmarkX/n=5/arm=pool", "arm", "BenchmarkX/n=5", "pool", true},
		{"BenchmarkX/arm=", "arm", "BenchmarkX", "", true},
		{"BenchmarkX/arm=a=b", "arm", "BenchmarkX", "a=b", true},
		{"BenchmarkX/arms=pool", "arm", "BenchmarkX/arms=pool", "", false},
		{"BenchmarkX/disarm=pool", "arm", "BenchmarkX/disarm=pool", "", false},
		{"BenchmarkX", "arm", "BenchmarkX", "", false},
		{"BenchmarkX/arm", "arm", "BenchmarkX/arm", "", false},
	}
	for _, tt := range tests {
		rest, value, ok := split(tt.leaf, tt.key)
		if rest != tt.rest || value != tt.value || ok != tt.ok {
			t.Errorf("split(%q, %q) = %q, %q, %t; want %q, %q, %t", tt.leaf, tt.key, rest, value, ok, tt.rest, tt.value, tt.ok)
		}
	}
}

func leavesOf(names ...string) (ls []duet.Leaf) {
	for _, n := range names {
		ls = append(ls, duet.Leaf{Name: n})
	}
	return ls
}

// asked writes comparisons in short form.
func asked(p study.Plan) (lines []string) {
	for _, c := range p.Comparisons {
		lines = append(lines, c.ID+": "+c.CandidateBench.Leaf+" against "+c.BaselineBench.Leaf)
	}
	return lines
}

func TestEveryValueIsComparedWithTheBaselineOfItsBenchmark(t *testing.T) {
	leaves := leavesOf("BenchmarkA/arm=x/n=1", "BenchmarkA/arm=x/n=2", "BenchmarkA/arm=y/n=1", "BenchmarkA/arm=y/n=2", "BenchmarkB/other=1", "BenchmarkC/arm=z", "BenchmarkC/arm=y")
	var p study.Plan
	if err := compareValues(&p, ask.Options{Question: study.Question{Key: "arm"}}, leaves, [][]string{{"GOGC=25"}, {"GOGC=off"}}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"BenchmarkA/n=1/y GOGC=25: BenchmarkA/arm=y/n=1 against BenchmarkA/arm=x/n=1",
		"BenchmarkA/n=1/y GOGC=off: BenchmarkA/arm=y/n=1 against BenchmarkA/arm=x/n=1",
		"BenchmarkA/n=2/y GOGC=25: BenchmarkA/arm=y/n=2 against BenchmarkA/arm=x/n=2",
		"BenchmarkA/n=2/y GOGC=off: BenchmarkA/arm=y/n=2 against BenchmarkA/arm=x/n=2",
		"BenchmarkC/y GOGC=25: BenchmarkC/arm=y against BenchmarkC/arm=z",
		"BenchmarkC/y GOGC=off: BenchmarkC/arm=y against BenchmarkC/arm=z",
	}
	if diff := cmp.Diff(want, asked(p)); diff != "" {
		t.Errorf("comparisons (-want +got):\n%s", diff)
	}
	for _, c := range p.Comparisons {
		if len(c.Cell) != 1 || !strings.HasSuffix(c.ID, " "+c.Cell[0]) {
			t.Errorf("%s has the cell %q", c.ID, c.Cell)
		}
	}
}

func TestABaselineIsChosenByItsValue(t *testing.T) {
	var p study.Plan
	err := compareValues(&p, ask.Options{Question: study.Question{Key: "arm", Baseline: "y"}}, leavesOf("BenchmarkA/arm=x", "BenchmarkA/arm=y"), [][]string{nil})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"BenchmarkA/x: BenchmarkA/arm=x against BenchmarkA/arm=y"}, asked(p)); diff != "" {
		t.Errorf("comparisons (-want +got):\n%s", diff)
	}
}

func TestNothingToCompareIsAMistakeOfUse(t *testing.T) {
	tests := []struct {
		name   string
		o      ask.Options
		leaves []duet.Leaf
		want   string
	}{
		{"no such key", ask.Options{Question: study.Question{Key: "size"}}, leavesOf("BenchmarkA/n=1/arm=x", "BenchmarkA/arm=y"), "vary size: no matching benchmark has that key; the keys are: arm, n"},
		{"no keys at all", ask.Options{Question: study.Question{Key: "arm"}}, leavesOf("BenchmarkA"), "no matching benchmark has a KEY=value part in its name; name the sub-benchmarks so, for example b.Run("},
		{"no such baseline", ask.Options{Question: study.Question{Key: "arm", Baseline: "z"}}, leavesOf("BenchmarkA/arm=x", "BenchmarkA/arm=y"), "has no arm=z; it has x, y"},
		{"one value only", ask.Options{Question: study.Question{Key: "arm"}}, leavesOf("BenchmarkA/arm=x", "BenchmarkB/arm=x"), "only one value of arm"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := compareValues(new(study.Plan), tt.o, tt.leaves, [][]string{nil})
			if fault.KindOf(err) != fault.Input || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want the user's mistake and %q", err, tt.want)
			}
		})
	}
}

func TestItselfIsBothSidesOfAnAARun(t *testing.T) {
	var p study.Plan
	compareSelf(&p, leavesOf("BenchmarkA", "BenchmarkB"), [][]string{{"GOGC=1"}, {"GOGC=2"}})
	ids := map[string]bool{}
	for _, c := range p.Comparisons {
		if c.BaselineBench != c.CandidateBench {
			t.Errorf("%s compares %v with %v", c.ID, c.BaselineBench, c.CandidateBench)
		}
		ids[c.ID] = true
	}
	if len(p.Comparisons) != 4 || len(ids) != 4 {
		t.Errorf("%d comparisons of %d names, want 4 of 4", len(p.Comparisons), len(ids))
	}
}
