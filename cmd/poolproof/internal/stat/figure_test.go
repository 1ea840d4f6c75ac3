package stat

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// reporting is a world whose benchmark reports a unit, by launch: both lists
// are gone through again and again.
func reporting(unit string, old, new []float64) world {
	w := plainWorld()
	w.edit = func(r *study.Record) {
		if len(old) > 0 {
			r.Baseline.Extra = map[string]float64{unit: old[r.Launch%len(old)]}
		}
		if len(new) > 0 {
			r.Candidate.Extra = map[string]float64{unit: new[r.Launch%len(new)]}
		}
	}
	return w
}

func withMetric(m study.Metric) study.Plan {
	p := withoutLayout(testPlan())
	p.Study = &study.File{Metrics: []study.Metric{m}}
	return p
}

func TestFiguresAreJudged(t *testing.T) {
	one := func(x float64) []float64 { return []float64{x} }
	near10 := []float64{9.9, 10.1, 10.05, 9.95}
	for _, tt := range []struct {
		name       string
		metric     study.Metric
		old, new   []float64
		class      study.Class
		estimated  bool
		oldM, newM float64
	}{
		{"a count falls", study.Metric{Unit: "made/op", Better: "lower", Exact: true}, one(1), one(0.25), study.Better, false, 1, 0.25},
		{"a count rises", study.Metric{Unit: "made/op", Better: "lower", Exact: true}, one(3), one(4), study.Worse, false, 3, 4},
		{"a count rises where more is better", study.Metric{Unit: "hits", Better: "higher", Exact: true}, one(0.5), one(0.75), study.Better, false, 0.5, 0.75},
		{"a count within the tolerance", study.Metric{Unit: "hits", Better: "higher", Exact: true}, one(1000.5), one(1004.5), study.Same, false, 1000.5, 1004.5},
		{"a count beyond the tolerance", study.Metric{Unit: "hits", Better: "higher", Exact: true}, one(1000.5), one(1006.5), study.Better, false, 1000.5, 1006.5},
		{"whole numbers are compared as such", study.Metric{Unit: "rows/op", Better: "lower", Exact: true}, one(1000), one(1001), study.Worse, false, 1000, 1001},
		{"one stray event a burst of an operation's count", study.Metric{Unit: "misses/op", Better: "lower", Exact: true}, []float64{0.0005, 0}, one(0.0015), study.Worse, false, 0.00025, 0.0015},
		{"within one stray event a burst", study.Metric{Unit: "misses/op", Better: "lower", Exact: true}, []float64{0.0005, 0}, one(0.001), study.Same, false, 0.00025, 0.001},
		{"no stray event for a share", study.Metric{Unit: "miss-rate", Better: "lower", Exact: true}, []float64{0.0003, 0.0002}, one(0.001), study.Worse, false, 0.00025, 0.001},
		{"a figure falls", study.Metric{Unit: "p99-ns", Better: "lower"}, near10, one(5), study.Better, true, 10, 5},
		{"a figure falls where more is better", study.Metric{Unit: "ops/s", Better: "higher"}, near10, one(5), study.Worse, true, 10, 5},
		{"a figure rises where more is better", study.Metric{Unit: "ops/s", Better: "higher"}, one(5), near10, study.Better, true, 5, 10},
		{"a figure stays", study.Metric{Unit: "p99-ns", Better: "lower"}, []float64{10, 10.01}, one(10), study.Same, true, 10.005, 10},
		{"a figure is unresolved", study.Metric{Unit: "p99-ns", Better: "lower"}, []float64{5, 20, 9}, one(9), study.Unresolved, true, 9.75, 9},
		{"a figure comes from nothing", study.Metric{Unit: "p99-ns", Better: "lower"}, one(0), near10, study.Worse, false, 0, 10},
		{"a figure goes to nothing", study.Metric{Unit: "p99-ns", Better: "lower"}, near10, one(0), study.Better, false, 10, 0},
		{"nothing on both sides", study.Metric{Unit: "p99-ns", Better: "lower"}, one(0), one(0), study.Same, false, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := withMetric(tt.metric), reporting(tt.metric.Unit, tt.old, tt.new)
			got := judgeC(t, p, w.launches(p, 4))
			if len(got.Metrics) != 1 {
				t.Fatalf("%+v", got.Metrics)
			}
			m := got.Metrics[0]
			if m.Class != tt.class || m.Estimate.Launches > 0 != tt.estimated || m.Why != nil || m.Unit != tt.metric.Unit || m.Exact != tt.metric.Exact {
				t.Errorf("%+v, want %s", m, tt.class)
			}
			near(t, "old", m.Baseline, tt.oldM, 1e-9)
			near(t, "new", m.Candidate, tt.newM, 1e-9)
			if tt.estimated {
				near(t, "effect", m.Estimate.Effect, math.Expm1(meanLog(tt.old, tt.new, 4)), 1e-9)
				if !(m.Estimate.Lo <= m.Estimate.Effect && m.Estimate.Effect <= m.Estimate.Hi) {
					t.Errorf("interval %+v", m.Estimate)
				}
			}
			// Figures without a say change nothing in the verdict.
			if got.Verdict != study.NoChange || got.Want != nil {
				t.Errorf("%s, wants %+v", got.Verdict, got.Want)
			}
		})
	}
}

func meanLog(old, new []float64, n int) float64 {
	sum := 0.0
	for i := range n {
		sum += math.Log(new[i%len(new)] / old[i%len(old)])
	}
	return sum / float64(n)
}

func TestFiguresThatASideDoesNotReport(t *testing.T) {
	m := study.Metric{Unit: "made/op", Better: "lower", Exact: true, Decides: true}
	p := withMetric(m)
	if got := judgeC(t, p, reporting("other", []float64{1}, []float64{1}).launches(p, 4)); len(got.Metrics) != 0 || got.Verdict != study.NoChange {
		t.Errorf("a benchmark that does not report it at all: %s %+v", got.Verdict, got.Metrics)
	}
	w := reporting("made/op", nil, []float64{1})
	if got := judgeC(t, p, w.launches(p, 4)); len(got.Metrics) != 1 || !has(said(got), "the baseline does not report made/op in 4 of 4 launches") || got.Verdict != study.Inconclusive || !has(said(got)[:1], "does not report") {
		t.Errorf("%s %+v %q", got.Verdict, got.Metrics, said(got))
	}
	w = reporting("made/op", []float64{1}, []float64{1})
	edit := w.edit
	w.edit = func(r *study.Record) {
		edit(r)
		if r.Launch == 2 {
			r.Candidate.Extra = nil
		}
	}
	if got := judgeC(t, p, w.launches(p, 4)); !has(said(got), "the arm does not report made/op in 1 of 4 launches") {
		t.Errorf("%+v", got.Metrics)
	}
}

func TestFiguresWithASayAreAResource(t *testing.T) {
	count := func(better string) study.Metric {
		return study.Metric{Unit: "made/op", Better: better, Exact: true, Decides: true}
	}
	for _, tt := range []struct {
		name     string
		metric   study.Metric
		old, new float64
		edit     func(*world)
		want     study.Verdict
		reason   string // the first one
	}{
		{"it alone gets better", count("lower"), 1, 0.5, nil, study.Positive, "made/op falls from 1 to 0.5000"},
		{"it alone gets worse", count("lower"), 1, 1.5, nil, study.Negative, "made/op rises"},
		{"it gets worse while time gets better", count("lower"), 1, 1.5, func(w *world) { w.op[1] = 900 }, study.TradeOff, "time falls"},
		{"it gets better while time gets worse", count("lower"), 1, 0.5, func(w *world) { w.op[1] = 1100 }, study.TradeOff, "time rises"},
		{"it gets better while memory gets worse", count("lower"), 1, 0.5, func(w *world) { w.bytes[1] = 200 }, study.TradeOff, "B/op rises"},
		{"it gets better while memory and time get worse", count("lower"), 1, 0.5, func(w *world) { w.bytes[1], w.op[1] = 200, 1100 }, study.TradeOff, "time rises"},
		{"it stays", count("lower"), 1, 1, nil, study.NoChange, "time stays"},
		{"it moves by less than a twentieth", count("lower"), 1.5, 1.45, nil, study.NoChange, "time stays"},
		{"it moves by a twentieth and more", count("lower"), 1.5, 1.4, nil, study.Positive, "made/op falls"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := withMetric(tt.metric), reporting(tt.metric.Unit, []float64{tt.old}, []float64{tt.new})
			p.Env = []string{"GOGC=off"} // no collection is missing
			if tt.edit != nil {
				tt.edit(&w)
			}
			got := judgeC(t, p, w.launches(p, 4))
			if got.Verdict != tt.want || !has(said(got)[:1], tt.reason) {
				t.Errorf("%s, want %s; %q", got.Verdict, tt.want, said(got))
			}
		})
	}
}

func TestACountWithASayNeedsNoLayoutCheckAndOtherFiguresDo(t *testing.T) {
	p := testPlan()
	m := study.Metric{Unit: "made/op", Better: "lower", Exact: true, Decides: true}
	p.Study = &study.File{Metrics: []study.Metric{m}}
	w := reporting("made/op", []float64{1}, []float64{0})
	w.op[1] = 970
	if got := judgeC(t, p, w.launches(p, 4)); got.Verdict != study.Positive || got.Want != nil {
		t.Errorf("%s %+v %q", got.Verdict, got.Want, said(got))
	}
	p.Study.Metrics[0].Exact = false
	w = reporting("made/op", []float64{1, 1.01}, []float64{0.5})
	w.op[1] = 970
	if got := judgeC(t, p, w.launches(p, 4)); got.Want == nil || got.Want.Layout == 0 {
		t.Errorf("%s %+v %q", got.Verdict, got.Want, said(got))
	}
}

func TestAnUndecidedFigureAsksForLaunchesIfItMatters(t *testing.T) {
	m := study.Metric{Unit: "p99-ns", Better: "lower"}
	w := reporting(m.Unit, []float64{5, 20, 9, 30}, []float64{9})
	p := withMetric(m)
	if got := judgeC(t, p, w.launches(p, 4)); got.Want != nil {
		t.Errorf("without a say: %+v", got.Want)
	}
	p.Study.Metrics[0].Decides = true
	got, rs := w.measure(t, p, nil)
	if len(rs) != 12 || got.Verdict != study.Inconclusive || got.Time != study.Same || got.MWall.Launches != 4 || !has(said(got)[:1], "p99-ns is unresolved") || got.Detectable < 0.5 || got.NeedTime <= got.Spent {
		t.Errorf("with a say: %s after %d launches, %q, %v %v", got.Verdict, len(rs), said(got), got.Detectable, got.NeedTime)
	}
	p.Study.Metrics[0].Decides = false
	p.Study.Claims = []study.Claim{{Arm: "pool", Benchmark: "work", Metric: m.Unit, Class: study.Better}}
	if got := judgeC(t, p, w.launches(p, 4)); got.Want == nil || got.Want.Form != study.FormBursts || got.Want.Launch != 4 || got.Verdict != study.NoChange {
		t.Errorf("of a claim: %s %+v", got.Verdict, got.Want)
	}
	p.Study.Claims[0].Arm = "stack"
	if got := judgeC(t, p, w.launches(p, 4)); got.Want != nil {
		t.Errorf("of a claim about another arm: %+v", got.Want)
	}
}

func TestSwappingTheSidesMirrorsFigures(t *testing.T) {
	p, w := withMetric(study.Metric{Unit: "x", Better: "lower"}), reporting("x", []float64{5, 6, 5.5}, []float64{9, 8})
	rs := w.launches(p, 12)
	a, b := judgeC(t, p, rs).Metrics[0], judgeC(t, p, swapped(rs)).Metrics[0]
	if a.Class != study.Worse || b.Class != study.Better || a.Baseline != b.Candidate {
		t.Errorf("%+v %+v", a, b)
	}
	near(t, "mirrored", math.Log1p(a.Estimate.Effect), -math.Log1p(b.Estimate.Effect), 1e-12)
	near(t, "mirrored end", math.Log1p(a.Estimate.Lo), -math.Log1p(b.Estimate.Hi), 1e-12)
	// What has no ratio mirrors too.
	w = reporting("x", []float64{5, 0, 5.5}, []float64{9, 8})
	rs = w.launches(p, 12)
	a, b = judgeC(t, p, rs).Metrics[0], judgeC(t, p, swapped(rs)).Metrics[0]
	if a.Class == b.Class && a.Class != study.Unresolved && a.Class != study.Same {
		t.Errorf("%+v %+v", a, b)
	}
	if _, err := json.Marshal(a); err != nil {
		t.Error(err)
	}
}

func TestVerdictsHoldHoweverOpenFiguresTurnOut(t *testing.T) {
	open := study.MetricResult{Class: study.Unresolved, Decides: true}
	notWorse := study.MetricResult{Class: study.NotWorse, Decides: true}
	silent := study.MetricResult{Class: study.Worse}
	for _, tt := range []struct {
		time, memory study.Class
		figures      []study.MetricResult
		want         study.Verdict
	}{
		{study.Better, study.Same, []study.MetricResult{silent}, study.Positive},
		{study.Better, study.Same, []study.MetricResult{open}, study.Inconclusive},          // POSITIVE or TRADE-OFF
		{study.Better, study.Better, []study.MetricResult{open}, study.Positive},            // mixed is POSITIVE too
		{study.Better, study.Same, []study.MetricResult{notWorse}, study.Positive},          // whichever it is
		{study.Same, study.Same, []study.MetricResult{notWorse}, study.Inconclusive},        // POSITIVE or NO CHANGE
		{study.Unresolved, study.Worse, []study.MetricResult{notWorse}, study.Inconclusive}, // NEGATIVE or mixed
		{study.Unresolved, study.Worse, nil, study.Negative},
		{study.Worse, study.Worse, []study.MetricResult{open}, study.Inconclusive},
	} {
		if got := verdictWith(tt.time, tt.memory, false, tt.figures); got != tt.want {
			t.Errorf("time %s, memory %s, %+v: %s, want %s", tt.time, tt.memory, tt.figures, got, tt.want)
		}
	}
}

func TestWithoutFiguresTheVerdictIsThatOfTheTable(t *testing.T) {
	classes := []study.Class{study.Better, study.Same, study.Worse, study.NotWorse, study.Mixed, study.Unresolved}
	for _, time := range classes {
		for _, memory := range classes {
			for _, fell := range []bool{false, true} {
				if got, want := verdictWith(time, memory, fell, nil), Verdict(time, memory, fell); got != want {
					t.Errorf("%s %s %v: %s, want %s", time, memory, fell, got, want)
				}
			}
		}
	}
}
