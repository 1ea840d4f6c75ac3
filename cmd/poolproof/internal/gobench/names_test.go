package gobench

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

func TestBenchmarkNamesHoldTheArmAsAPart(t *testing.T) {
	for _, tt := range []struct {
		name, old, new, arm string
		procs               int
		want                string
	}{
		{"in place of the part that differs", "BenchmarkX/buf=a/n=5", "BenchmarkX/buf=b/n=5", "b", 8, "X/n=5/buf=b-8"},
		{"behind a name that does not differ", "BenchmarkX/n=5", "BenchmarkX/n=5", "B", 8, "X/n=5/arm=B-8"},
		{"without one processor", "BenchmarkX/k=a", "BenchmarkX/k=b", "b", 1, "X/k=b"},
		{"with one processor behind a number", "BenchmarkX/k=a", "BenchmarkX/k=v-2", "v-2", 1, "X/k=v-2-1"},
		{"without unknown processors", "BenchmarkX/k=a", "BenchmarkX/k=b", "b", 0, "X/k=b"},
		{"without blanks and slashes", "BenchmarkX/k=a", "BenchmarkX/k=b", "two words/more", 0, "X/k=two_words_more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := words.Row{Plan: study.Comparison{BaselineBench: study.Bench{Leaf: tt.old}, CandidateBench: study.Bench{Leaf: tt.new}}}
			if got := benchName(study.Plan{}, r, tt.arm, tt.procs); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestProcessorsComeFromTheCellThenTheEnvironmentThenTheMachine(t *testing.T) {
	p := study.Plan{Machine: study.Machine{Cores: 16}}
	if got := procs(p, nil); got != 16 {
		t.Errorf("machine: %d", got)
	}
	p.Env = []string{"GOGC=1", "GOMAXPROCS=4"}
	if got := procs(p, []string{"GOGC=2"}); got != 4 {
		t.Errorf("environment: %d", got)
	}
	if got := procs(p, []string{"GOMAXPROCS=2"}); got != 2 {
		t.Errorf("cell: %d", got)
	}
}

func TestACounterIsAnIntegerWhereEverySliceRoundsToIt(t *testing.T) {
	for _, tt := range []struct {
		xs   []uint64
		want float64
	}{
		{[]uint64{100, 101, 99}, 10},     // one allocation of the runtime more or less
		{[]uint64{100, 150}, 12.5},       // really varies
		{[]uint64{100, 100, 106}, 10.2},  // one slice rounds up
		{[]uint64{0, 0}, 0},              // none
		{[]uint64{1, 0, 0, 0, 0, 0}, 0},  // once in sixty operations
		{[]uint64{333, 334, 345}, 33.73}, // two digits
	} {
		if got := exact(tt.xs, 10); got != tt.want {
			t.Errorf("exact(%v) = %v, want %v", tt.xs, got, tt.want)
		}
	}
}
