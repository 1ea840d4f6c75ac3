package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// planOf has a comparison for each benchmark name.
func planOf(names ...string) study.Plan {
	p := study.Plan{Schema: study.Schema, Kind: study.KindAA, Engine: study.EngineDuet, Rule: stat.DefaultRule(),
		Binaries: []study.Binary{{ID: "test", SHA256: "aa"}}}
	compareSelf(&p, leavesOf(names...), [][]string{nil})
	return p
}

// unknown is the time of benchmarks that nobody ran.
func unknown(study.Bench) time.Duration { return 0 }

// reached lists the benchmarks that the plan means to measure.
func reached(p study.Plan) (names []string) {
	for _, c := range p.Comparisons {
		if c.Skipped == "" && c.Invalid == "" {
			names = append(names, c.Benchmark)
		}
	}
	return names
}

func TestASmallBudgetGoesToTheFirstComparisons(t *testing.T) {
	slow := 500 * time.Millisecond // 8 s a comparison, both sides
	tests := []struct {
		name    string
		budget  time.Duration
		once    map[string]time.Duration
		invalid string
		late    string
		want    []string
	}{
		{"room for all", 4 * ComparisonCost, nil, "", "", []string{"A", "B", "C", "D"}},
		{"room for two", 2*ComparisonCost + time.Second, nil, "", "", []string{"A", "B"}},
		{"room for none: the first is tried", time.Second, nil, "", "", []string{"A"}},
		{"what is invalid costs nothing", 2 * ComparisonCost, nil, "A", "", []string{"B", "C"}},
		{"an invalid one is not the first", time.Second, nil, "A", "", []string{"B"}},
		{"a slow one costs more", 12 * time.Second, map[string]time.Duration{"A": slow}, "", "", []string{"A", "B"}},
		{"none goes ahead of a slow one", 2*ComparisonCost + time.Second, map[string]time.Duration{"B": slow}, "", "", []string{"A"}},
		{"a late one comes last", 3*ComparisonCost + time.Second, nil, "", "B", []string{"A", "C", "D"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := planOf("A", "B", "C", "D")
			for i := range p.Comparisons {
				if p.Comparisons[i].Benchmark == tt.invalid {
					p.Comparisons[i].Invalid = "never runs it"
				}
				p.Comparisons[i].Late = p.Comparisons[i].Benchmark == tt.late
			}
			Spend(&p, func(s study.Bench) time.Duration { return tt.once[s.Leaf] }, tt.budget)
			if got := reached(p); !slices.Equal(got, tt.want) {
				t.Errorf("measured: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestWhatIsNotReachedSaysHowLargeABudgetWouldReachIt(t *testing.T) {
	p := planOf("A", "B", "C", "D")
	p.Comparisons[3].Invalid = "never runs it"
	Spend(&p, unknown, ComparisonCost)
	want := "the budget of 3s does not reach it; all comparisons need about 9s"
	if got := p.Comparisons[2].Skipped; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	p = planOf("A", "B", "C", "D")
	Spend(&p, unknown, 4*ComparisonCost)
	if names := reached(p); len(names) != 4 {
		t.Errorf("the budget that is named reaches only %v", names)
	}
	for d, want := range map[time.Duration]string{
		time.Second: "1s", 1500 * time.Millisecond: "2s", 119 * time.Second: "119s", 2 * time.Minute: "2m", 121 * time.Second: "3m",
	} {
		if got := roughly(d); got != want {
			t.Errorf("roughly(%s) is %q, want %q", d, got, want)
		}
	}
}
