package plan

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func pacedComparison(id string, window time.Duration) study.Comparison {
	return study.Comparison{ID: id, BaselineBench: study.Bench{Binary: "test", Leaf: "a"}, CandidateBench: study.Bench{Binary: "test", Leaf: "b"},
		Pace: &study.Pace{Rate: 100, Window: study.Duration(window)}}
}

func TestPacedComparisonsAreLeftOutWhereNothingCanPaceThem(t *testing.T) {
	plain := study.Comparison{ID: "plain", BaselineBench: study.Bench{Binary: "test"}, CandidateBench: study.Bench{Binary: "test"}}
	p := study.Plan{Engine: study.EngineDuet, Comparisons: []study.Comparison{pacedComparison("paced", time.Second), plain}}
	leaveOutPaced(&p)
	if c := p.Comparisons[0]; c.Skipped != "" || !Measurable(c) {
		t.Errorf("with the duet: %+v", c)
	}
	p.Engine = study.EnginePairs
	leaveOutPaced(&p)
	if c := p.Comparisons[0]; c.Skipped == "" || Measurable(c) {
		t.Errorf("with process pairs: %+v", c)
	}
	if c := p.Comparisons[1]; c.Skipped != "" || !Measurable(c) {
		t.Errorf("a benchmark without a rate: %+v", c)
	}
}

func TestABudgetKnowsWhatPacedComparisonsTake(t *testing.T) {
	p := study.Plan{Comparisons: []study.Comparison{pacedComparison("one", 5*time.Second), pacedComparison("two", 5*time.Second)}}
	once := func(study.Bench) time.Duration { return time.Microsecond }
	for budget, want := range map[time.Duration]int{40 * time.Second: 1, 100 * time.Second: 1, 111 * time.Second: 2} {
		for i := range p.Comparisons {
			p.Comparisons[i].Skipped = ""
		}
		Spend(&p, once, budget)
		if got := len(reached(p)); got != want {
			t.Errorf("a budget of %s reaches %d, want %d", budget, got, want)
		}
	}
}
