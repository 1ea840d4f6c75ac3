package report

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// In a study whose benchmarks have cells, one may have none.
func TestTheBestArmOfABenchmarkWithoutACellHasNoPlace(t *testing.T) {
	r := row{Result: study.Result{Benchmark: "read", Arm: "pool", Baseline: "make", Verdict: study.Positive}}
	if got := best([]row{r}, true); strings.Contains(got, " at ") {
		t.Errorf("best says %q", got)
	}
	r.Cell = []string{"GOGC=25"}
	if got := best([]row{r}, true); !strings.Contains(got, " at GOGC=25, ") {
		t.Errorf("best says %q, without its cell", got)
	}
}
