package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestBenchmarksOfTwoRevisionsArePairedByName(t *testing.T) {
	var p study.Plan
	base, head := leavesOf("BenchmarkA", "BenchmarkGone", "BenchmarkB/n=1"), leavesOf("BenchmarkB/n=1", "BenchmarkNew", "BenchmarkA")
	if err := pairRevisions(&p, "v1", build.WorkingTree, base, head, [][]string{{"GOGC=25"}, {"GOGC=off"}}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range p.Comparisons {
		if c.Arm != build.WorkingTree || c.Baseline != "v1" || c.Complete() == (c.Skipped != "") {
			t.Errorf("%+v", c)
		}
		got = append(got, c.ID+": "+c.BaselineBench.Binary+" "+c.BaselineBench.Leaf+", "+c.CandidateBench.Binary+" "+c.CandidateBench.Leaf+": "+c.Skipped)
	}
	want := []string{
		"BenchmarkB/n=1/working tree GOGC=25: test@base BenchmarkB/n=1, test BenchmarkB/n=1: ",
		"BenchmarkB/n=1/working tree GOGC=off: test@base BenchmarkB/n=1, test BenchmarkB/n=1: ",
		"BenchmarkNew/working tree GOGC=25:  , test BenchmarkNew: v1 has no such benchmark",
		"BenchmarkNew/working tree GOGC=off:  , test BenchmarkNew: v1 has no such benchmark",
		"BenchmarkA/working tree GOGC=25: test@base BenchmarkA, test BenchmarkA: ",
		"BenchmarkA/working tree GOGC=off: test@base BenchmarkA, test BenchmarkA: ",
		"BenchmarkGone/working tree GOGC=25: test@base BenchmarkGone,  : only v1 has it",
		"BenchmarkGone/working tree GOGC=off: test@base BenchmarkGone,  : only v1 has it",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("comparisons (-want +got):\n%s", diff)
	}
}

func TestRevisionsWithoutACommonBenchmarkAreAMistakeOfUse(t *testing.T) {
	many := leavesOf("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10")
	err := pairRevisions(new(study.Plan), "v1", "v2", many, leavesOf("B"), [][]string{nil})
	want := "no matching benchmark is on both sides: v1 has A1, A2, A3, A4, A5, A6, A7, A8, 2 more; v2 has B"
	if fault.KindOf(err) != fault.Input || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A benchmark that only one side skips is no answer, and no silence either.
func TestABenchmarkThatSkipsItselfIsListed(t *testing.T) {
	base, head := leavesOf("BenchmarkA", "BenchmarkB/n=1", "BenchmarkB/n=2", "BenchmarkC"), leavesOf("BenchmarkA", "BenchmarkB", "BenchmarkC")
	head[0].Skipped, head[1].Skipped = true, true // B skips itself with all that is below it
	base[3].Skipped = true
	var p study.Plan
	if err := pairRevisions(&p, "v1", "v2", base, head, [][]string{nil}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range p.Comparisons {
		got = append(got, c.Benchmark+": "+c.Skipped)
		if c.Complete() {
			t.Errorf("%s is to be measured", c.Benchmark)
		}
	}
	want := []string{
		"BenchmarkA: it skips itself in v2", "BenchmarkC: it skips itself in v1",
		"BenchmarkB/n=1: it skips itself in v2", "BenchmarkB/n=2: it skips itself in v2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("comparisons (-want +got):\n%s", diff)
	}
}
