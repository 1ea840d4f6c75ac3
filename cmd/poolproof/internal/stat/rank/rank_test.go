package rank

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestAnArmIsAsGoodAsItsWorstBenchmark(t *testing.T) {
	const (
		pos, neg, trade, same = study.Positive, study.Negative, study.TradeOff, study.NoChange
		open, void, unsafe    = study.Inconclusive, study.Invalid, study.Unsafe
		none                  = study.NotMeasured
	)
	for _, tt := range []struct {
		name string
		vs   []study.Verdict
		want study.Verdict
	}{
		{"nothing was measured", nil, none},
		{"all was left out", []study.Verdict{none, none}, none},
		{"better here and worse there is mixed", []study.Verdict{pos, same, neg}, Mixed},
		{"a trade-off beside both does not make it one", []study.Verdict{pos, trade, neg}, Mixed},
		{"worse here and equal there is worse", []study.Verdict{same, neg}, neg},
		{"better here and equal there is better", []study.Verdict{same, pos}, pos},
		{"a trade-off anywhere is one", []study.Verdict{pos, trade, same}, trade},
		{"an open question stays open", []study.Verdict{pos, open}, open},
		{"an open question does not hide a loss", []study.Verdict{open, neg}, neg},
		{"what says nothing takes nothing away", []study.Verdict{void, pos, none}, pos},
		{"an invalid experiment alone", []study.Verdict{none, void}, void},
		{"what is not correct is nothing else", []study.Verdict{pos, neg, unsafe}, unsafe},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := overall(tt.vs); got != tt.want {
				t.Errorf("%v: %s, want %s", tt.vs, got, tt.want)
			}
		})
	}
}

func TestArmsAreRankedByVerdictThenByTime(t *testing.T) {
	var rs []study.Result
	add := func(arm, bench string, isolated bool, v study.Verdict, effect, bytes float64) {
		rs = append(rs, study.Result{Arm: arm, Baseline: "base", Benchmark: bench, Verdict: v, Launches: 4, Isolated: isolated,
			Deciding: study.Estimate{Effect: effect, Launches: 4}, Bytes: study.Counter{Baseline: 100, Candidate: bytes}})
	}
	add("worse", "real", false, study.Negative, 0.1, 100)
	add("alone", "alone", true, study.Positive, -0.9, 0)
	add("alone", "real", false, study.Invalid, 0, 0)
	add("good", "real", false, study.Positive, -0.1, 50)
	add("good", "alone", true, study.Positive, -0.9, 50) // does not count for the order
	add("best", "real", false, study.Positive, -0.2, 100)
	add("lean", "real", false, study.Positive, -0.1, 10)
	add("equal", "real", false, study.NoChange, 0, 100)
	add("broken", "real", false, study.Unsafe, 0, 0)
	add("broken", "alone", true, study.Positive, -0.5, 0)
	var got []string
	for _, a := range Arms(rs) {
		got = append(got, fmt.Sprintf("%s %s %v", a.Name, a.Verdict, a.Isolated))
	}
	want := []string{"best POSITIVE false", "lean POSITIVE false", "good POSITIVE false", "equal NO CHANGE false",
		"alone POSITIVE true", "worse NEGATIVE false", "broken UNSAFE false"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
