package stat

import (
	"math"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTheTruthTableCellByCell(t *testing.T) {
	type cell struct {
		time, memory study.Class
		bytesFell    bool
	}
	want := map[cell]study.Verdict{
		{study.Better, study.Better, true}:      study.Positive,
		{study.Better, study.Same, false}:       study.Positive,
		{study.Better, study.Worse, false}:      study.TradeOff,
		{study.Better, study.Mixed, true}:       study.Positive,
		{study.Better, study.Mixed, false}:      study.Positive,
		{study.Same, study.Better, true}:        study.Positive,
		{study.Same, study.Same, false}:         study.NoChange,
		{study.Same, study.Worse, false}:        study.Negative,
		{study.Same, study.Mixed, true}:         study.TradeOff,
		{study.Same, study.Mixed, false}:        study.TradeOff,
		{study.NotWorse, study.Better, true}:    study.Positive,
		{study.NotWorse, study.Same, false}:     study.Inconclusive,
		{study.NotWorse, study.Worse, false}:    study.Negative,
		{study.NotWorse, study.Mixed, true}:     study.TradeOff,
		{study.NotWorse, study.Mixed, false}:    study.TradeOff,
		{study.Worse, study.Better, true}:       study.TradeOff,
		{study.Worse, study.Same, false}:        study.Negative,
		{study.Worse, study.Worse, false}:       study.Negative,
		{study.Worse, study.Mixed, true}:        study.TradeOff,
		{study.Worse, study.Mixed, false}:       study.Negative,
		{study.Unresolved, study.Better, true}:  study.Inconclusive,
		{study.Unresolved, study.Same, false}:   study.Inconclusive,
		{study.Unresolved, study.Worse, false}:  study.Negative,
		{study.Unresolved, study.Mixed, true}:   study.Inconclusive,
		{study.Unresolved, study.Mixed, false}:  study.Inconclusive,
		{study.Better, study.Unresolved, false}: study.Inconclusive,
		{"", study.Same, false}:                 study.Inconclusive,
	}
	for c, v := range want {
		if got := Verdict(c.time, c.memory, c.bytesFell); got != v {
			t.Errorf("time %s, memory %s, bytes fell %v: %s, want %s", c.time, c.memory, c.bytesFell, got, v)
		}
	}
	// bytesFell matters for one pair of cells only.
	for time := range table {
		for _, memory := range []study.Class{study.Better, study.Same, study.Worse, study.Mixed} {
			a, b := Verdict(time, memory, true), Verdict(time, memory, false)
			if a != b && !(time == study.Worse && memory == study.Mixed) {
				t.Errorf("time %s, memory %s: %s or %s", time, memory, a, b)
			}
		}
	}
}

func TestWorseMemoryRejectsNothingWhoseTimeLooksBetter(t *testing.T) {
	p := testPlan()
	for _, test := range []struct {
		op       float64
		launches int
		want     study.Verdict
	}{
		{250, 1, study.Inconclusive},  // one launch decides no time
		{250, 0, study.TradeOff},      // as many as the rule wants
		{700, 12, study.Inconclusive}, // padded builds are still to confirm it
		{1000, 1, study.Negative},
		{1300, 1, study.Negative},
		{1300, 12, study.Negative},
	} {
		w := plainWorld()
		w.op[1], w.bytes[1], w.layouts, w.noise, w.launch = test.op, 120, on(func(int) float64 { return 0 }), 0.01, 0.002
		w.cycle, w.price = 200e3, 1e4
		r, _ := w.measure(t, p, nil)
		if test.launches > 0 {
			r = judgeC(t, p, w.launches(p, test.launches))
		}
		if r.Verdict != test.want || r.Memory != study.Worse {
			t.Errorf("%g ns against 1000 in %d launches: %s, memory %s, time %s; want %s", test.op, test.launches, r.Verdict, r.Memory, r.Time, test.want)
		}
	}
	for _, test := range []struct {
		iv   interval
		want study.Class
	}{
		{interval{n: 4, mean: -0.1, hi: -0.05}, ""},
		{interval{n: 4, mean: -0.1, hi: 0.05}, study.Unresolved},    // it may be nothing
		{interval{n: 4, mean: -0.01, hi: -0.005}, study.Unresolved}, // within the band
		{interval{n: 1, mean: -0.1, hi: math.NaN()}, ""},
		{interval{}, study.Unresolved},
	} {
		if got := weighed(study.Unresolved, test.iv, p.Rule.Band); got != test.want {
			t.Errorf("%+v is taken for %q, want %q", test.iv, got, test.want)
		}
	}
}
