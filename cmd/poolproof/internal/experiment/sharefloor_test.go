package experiment

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestAFloorServesTheOtherArmsOfItsBaseline(t *testing.T) {
	p := planOf("A", "B", "C")
	p.Comparisons[1].Old = p.Comparisons[0].Old
	p.Comparisons[2].Old = study.Side{Binary: "test", Leaf: "BenchmarkElsewhere"}
	floor := 0.03
	r := &run{plan: p, results: []study.Result{{Floor: &floor}, {}, {}}}
	r.shareFloor(0)
	if got := r.plan.Floors; len(got) != 1 || got[p.Comparisons[1].ID] != floor {
		t.Errorf("shared floors %v, want %v of %s alone", got, floor, p.Comparisons[1].ID)
	}
}
