package note

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// In a study whose benchmarks have cells, one may have none.
func TestTheBestArmOfABenchmarkWithoutACellHasNoPlace(t *testing.T) {
	r := words.Row{Result: study.Result{Benchmark: "read", Arm: "pool", Baseline: "make", Verdict: study.Positive}}
	if got := best([]words.Row{r}, true); strings.Contains(got, " at ") {
		t.Errorf("best says %q", got)
	}
	r.Cell = []string{"GOGC=25"}
	if got := best([]words.Row{r}, true); !strings.Contains(got, " at GOGC=25, ") {
		t.Errorf("best says %q, without its cell", got)
	}
}
