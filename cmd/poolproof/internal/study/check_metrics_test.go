package study

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAPaceGivesTheShapeOfALaunch(t *testing.T) {
	for _, tt := range []struct {
		rate        int
		window      string
		ops, pairs  int
		warmUp      int
		launch      time.Duration
		description string
	}{
		{100, "5s", 500, 1, 50, 11 * time.Second, "slow, by default two windows and their warm-up"},
		{1000, "", 5000, 1, 500, 11 * time.Second, "without a window the default one"},
		{1000, "1s", 1000, 5, 100, 10200 * time.Millisecond, "short windows come in pairs of ten seconds"},
		{100, "20ms", 2, 10, 1, 420 * time.Millisecond, "ten pairs at most, one operation at least"},
		{1, "30s", 30, 1, 3, 66 * time.Second, "one pair at least"},
	} {
		p := Benchmark{Rate: tt.rate, Window: tt.window}.Pace()
		if p.Ops() != tt.ops || p.Pairs() != tt.pairs || p.WarmUp() != tt.warmUp || p.Launch() != tt.launch {
			t.Errorf("%s: %d operations, %d pairs, %d to warm up, %s", tt.description, p.Ops(), p.Pairs(), p.WarmUp(), p.Launch())
		}
	}
	if p := (Benchmark{}).Pace(); p != nil {
		t.Errorf("without a rate: %+v", p)
	}
}

func TestAPaceIsPartOfThePlansDigest(t *testing.T) {
	p := Plan{Comparisons: []Comparison{{ID: "c"}}}
	plain := p.Digest()
	p.Comparisons[0].Pace = &Pace{Rate: 10, Window: Duration(time.Second)}
	slow := p.Digest()
	p.Comparisons[0].Pace = &Pace{Rate: 11, Window: Duration(time.Second)}
	if fast := p.Digest(); plain == slow || slow == fast {
		t.Error("plans of different paces have one digest")
	}
}

func TestProseIsStaleWhereAVerdictContradictsIt(t *testing.T) {
	p := Prose{Rests: map[string]Verdict{"b/pool": Positive, "a/pool GOGC=25": Negative, "b/iter": NoChange}}
	got := p.Stale([]Result{
		{Benchmark: "b", Arm: "pool", Verdict: Positive},
		{Benchmark: "b", Arm: "pool", Cell: []string{"GOGC=25"}, Verdict: Inconclusive},
		{Benchmark: "b", Arm: "iter", Verdict: NotMeasured},
		{Benchmark: "b", Arm: "iter", Verdict: NoChange},
		{Benchmark: "a", Arm: "pool", Cell: []string{"GOGC=25"}, Verdict: Positive},
		{Benchmark: "a", Arm: "pool", Cell: []string{"GOGC=100"}, Verdict: Positive},
	})
	want := []string{
		"a pool (GOGC=25) is POSITIVE; the text rests on NEGATIVE",
		"b pool (GOGC=25) is INCONCLUSIVE; the text rests on POSITIVE",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
