package stat

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// said puts the reasons into words.
func said(r study.Result) []string { return words.Reasons(r) }

// has tells whether a reason contains each of the words.
func has(reasons []string, words ...string) bool {
	all := strings.Join(reasons, "\n")
	for _, w := range words {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

func TestVerdictsOfKnownPrograms(t *testing.T) {
	less := func(w *world) { w.bytes[1], w.allocs[1] = 20, 1 }
	more := func(w *world) { w.bytes[1], w.allocs[1] = 200, 3 }
	mixed := func(w *world) { w.bytes[1], w.allocs[1] = 20, 3 }
	for _, tt := range []struct {
		name    string
		edit    func(*world)
		time    study.Class
		memory  study.Class
		verdict study.Verdict
		reason  []string // in the first one
	}{
		{"nothing changes", func(w *world) {}, study.Same, study.Same, study.NoChange,
			[]string{"time stays within 2.0 %", "M wall, 4 launches"}},
		{"slower", func(w *world) { w.op[1] = 1100 }, study.Worse, study.Same, study.Negative,
			[]string{"time rises: +10.0 %"}},
		{"slower, and it allocates more", func(w *world) { more(w); w.op[1] = 1100 }, study.Worse, study.Worse, study.Negative,
			[]string{"time rises: +10.0 %", "T wall"}},
		{"it only allocates more", more, study.Same, study.Worse, study.Negative,
			[]string{"B/op rises from 100 to 200 (+100.0 %), allocs/op rises from 2 to 3 (+50.0 %)"}},
		{"it only allocates less", less, study.Same, study.Better, study.Positive,
			[]string{"memory only: B/op falls from 100 to 20 (-80.0 %)"}},
		{"faster with less memory", func(w *world) { less(w); w.op[1] = 500 }, study.Better, study.Better, study.Positive,
			[]string{"time falls: -50.0 %"}},
		{"faster with more memory", func(w *world) { more(w); w.op[1] = 500 }, study.Better, study.Worse, study.TradeOff,
			[]string{"time falls: -50.0 %"}},
		{"slower with less memory", func(w *world) { less(w); w.op[1] = 1100 }, study.Worse, study.Better, study.TradeOff,
			[]string{"time rises: +10.0 %"}},
		{"fewer bytes in more allocations, faster", func(w *world) { mixed(w); w.op[1] = 500 }, study.Better, study.Mixed, study.Positive,
			[]string{"time falls"}},
		{"fewer bytes in more allocations", mixed, study.Same, study.Mixed, study.TradeOff,
			[]string{"bytes and allocations move in opposite directions", "allocs/op rises from 2 to 3"}},
		{"fewer bytes in more allocations, slower", func(w *world) { mixed(w); w.op[1] = 1100 }, study.Worse, study.Mixed, study.TradeOff,
			[]string{"time rises"}},
		{"more bytes in fewer allocations, slower", func(w *world) { w.bytes[1], w.allocs[1] = 500, 1; w.op[1] = 1100 }, study.Worse, study.Mixed, study.Negative,
			[]string{"time rises"}},
		{"too noisy", func(w *world) { w.noise, w.launch = 0.5, 0.06 }, study.Unresolved, study.Same, study.Inconclusive,
			[]string{"time is unresolved", "12 launches", "could have been seen"}},
		{"too noisy, with less memory", func(w *world) { less(w); w.noise, w.launch = 0.5, 0.06 }, study.Unresolved, study.Better, study.Inconclusive,
			[]string{"time is unresolved"}},
		{"too noisy, with more memory", func(w *world) { more(w); w.noise, w.launch = 0.5, 0.06 }, study.Unresolved, study.Worse, study.Negative,
			[]string{"B/op rises"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := withoutLayout(testPlan()), plainWorld()
			p.Rule.MinCycles = 0
			tt.edit(&w)
			got, _ := w.measure(t, p, nil)
			if got.Time != tt.time || got.Memory != tt.memory || got.Verdict != tt.verdict {
				t.Errorf("time %s, memory %s: %s; want %s, %s: %s", got.Time, got.Memory, got.Verdict, tt.time, tt.memory, tt.verdict)
			}
			if len(got.Reasons) == 0 || !has(said(got)[:1], tt.reason...) {
				t.Errorf("reasons %q, want first %q", said(got), tt.reason)
			}
		})
	}
}

func TestInvalidExperimentsEndAfterOneLaunchAndShowNoTime(t *testing.T) {
	for _, tt := range []struct {
		name     string
		c        study.Comparison
		old, new [2]float64 // allocs, bytes
		want     []string   // nil: valid
	}{
		{"the counters fall as claimed", study.Comparison{Falls: []string{"B/op", "allocs/op"}}, [2]float64{3, 100}, [2]float64{1, 20}, nil},
		{"nothing was removed", study.Comparison{Falls: []string{"allocs/op"}}, [2]float64{3, 100}, [2]float64{3, 20},
			[]string{"nothing was removed: allocs/op is 3 in both arms"}},
		{"the other direction", study.Comparison{Falls: []string{"allocs/op"}}, [2]float64{3, 100}, [2]float64{4, 20},
			[]string{"nothing was removed: allocs/op rose from 3 to 4"}},
		{"two claims fail", study.Comparison{Falls: []string{"allocs/op", "B/op"}}, [2]float64{3, 100}, [2]float64{3, 100},
			[]string{"allocs/op is 3 in both", "B/op is 100 in both"}},
		{"the baseline allocates enough", study.Comparison{Allocates: 3}, [2]float64{3, 100}, [2]float64{3, 100}, nil},
		{"the baseline allocates enough within the tolerance", study.Comparison{Allocates: 3}, [2]float64{2.9992, 100}, [2]float64{3, 100}, nil},
		{"the baseline does not allocate", study.Comparison{Allocates: 1}, [2]float64{0, 0}, [2]float64{0, 0},
			[]string{"the baseline does not allocate: nothing could be removed (allocs/op is 0, at least 1 was expected)"}},
		{"the baseline allocates in every second operation", study.Comparison{Allocates: 1}, [2]float64{0.5, 10}, [2]float64{0, 0},
			[]string{"the baseline does not allocate"}},
		{"what should rise rises", study.Comparison{Rises: []string{"B/op"}}, [2]float64{3, 100}, [2]float64{3, 200}, nil},
		{"what should rise falls", study.Comparison{Rises: []string{"B/op"}}, [2]float64{3, 100}, [2]float64{3, 50},
			[]string{"the arm should raise B/op: B/op fell from 100 to 50"}},
		{"what should rise stays", study.Comparison{Rises: []string{"B/op"}}, [2]float64{3, 100}, [2]float64{3, 100},
			[]string{"B/op is 100 in both arms"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := testPlan(), plainWorld()
			w.op[1] = 500
			tt.c.ID, tt.c.Escape = "c", []string{"make([]byte, n) does not escape"}
			p.Comparisons[0] = tt.c
			w.allocs, w.bytes = [2]float64{tt.old[0], tt.new[0]}, [2]float64{tt.old[1], tt.new[1]}
			got := judgeC(t, p, w.launches(p, 1))
			if invalid := got.Verdict == study.Invalid; invalid != (tt.want != nil) {
				t.Fatalf("%s: %q", got.Verdict, said(got))
			}
			if tt.want == nil {
				if got.Want == nil {
					t.Error("one launch is enough?")
				}
				return
			}
			if !has(said(got), append(tt.want, "does not escape")...) {
				t.Errorf("reasons %q", said(got))
			}
			if got.Want != nil || got.BaselineTime != 0 || got.CandidateTime != 0 || got.MWall != (study.Estimate{}) || got.Deciding != (study.Estimate{}) || got.Estimator != (study.Estimator{}) || got.Time != "" {
				t.Errorf("%+v", got)
			}
			if got.Allocs.Baseline == 0 && tt.old[0] != 0 {
				t.Error("the counters are not shown")
			}
			later := w
			later.allocs, later.bytes = [2]float64{9, 1}, [2]float64{9000, 10}
			if got := judgeC(t, p, append(w.launches(p, 1), later.launches(p, 4)[1:]...)); got.Verdict != study.Invalid {
				t.Errorf("later launches make it %s", got.Verdict)
			}
		})
	}
}

func TestEstimatesAreRelativeChangesOfTheLaunchesAtTheDecision(t *testing.T) {
	p, w := withoutLayout(testPlan()), plainWorld()
	w.op[1] = 900
	w.noise, w.launch = 0.01, 0.002
	got := judgeC(t, p, w.launches(p, 7))
	if got.Launches != 7 || got.MWall.Launches != 4 || got.MWall.Decided != 4 || got.MWall.Class != study.Better || got.Estimator.String() != "M wall" || got.Deciding != got.MWall {
		t.Fatalf("%+v", got)
	}
	near(t, "effect", got.MWall.Effect, -0.1, 0.01)
	if !(got.MWall.Lo < got.MWall.Effect && got.MWall.Effect < got.MWall.Hi) {
		t.Errorf("%+v", got.MWall)
	}
	near(t, "the baseline's time", got.BaselineTime, 1000, 5)
	near(t, "new time", got.CandidateTime, got.BaselineTime*(1+got.MWall.Effect), 1e-9)
	for name, e := range map[string]study.Estimate{"M CPU": got.MCPU, "T wall": got.TWall, "T CPU": got.TCPU} {
		if e.Launches != 4 || e.Class != study.Better || e.Decided != 0 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if got.LongWall != (study.Estimate{}) {
		t.Errorf("long form without launches: %+v", got.LongWall)
	}
	near(t, "standard error", got.MWall.WithinSE, 1.2533*0.01*math.Sqrt2/math.Sqrt(40), 0.001)
}

func TestUnresolvedSaysWhatCouldHaveBeenSeenAndWhatItWouldTake(t *testing.T) {
	p, w := testPlan(), plainWorld()
	w.noise, w.launch = 0.05, 0.05
	w.edit = func(r *study.Record) { // launches of known spread
		for i := range r.Candidate.Wall {
			r.Candidate.Wall[i] = int64(float64(r.Baseline.Wall[i]) * math.Exp(0.06*float64(1-2*(r.Launch%2))))
		}
	}
	got := judgeC(t, p, w.launches(p, 12))
	half := tQuantile(1-0.012/2, 11) * 0.06 * math.Sqrt(12.0/11) / math.Sqrt(12)
	near(t, "detectable", got.Detectable, math.Expm1(half), 1e-4)
	spent := 12 * 0.5
	near(t, "time needed", time.Duration(got.NeedTime).Seconds(), spent*math.Pow(half/math.Log(1.02), 2), 0.1)
	near(t, "time spent", time.Duration(got.Spent).Seconds(), spent, 1e-9)
	if got.Want != nil {
		t.Errorf("%+v", got.Want)
	}
	// Before the first look nothing is known of the half-width: that of two or three
	// launches may be a hundred times as wide.
	for n := 1; n < 4; n++ {
		few := judgeC(t, p, w.launches(p, n))
		if few.Detectable != 0 || few.Time != study.Unresolved {
			t.Errorf("%+v", few)
		}
		near(t, "time needed after a few launches", time.Duration(few.NeedTime).Seconds(), 2, 1e-9)
		if !has(said(few)[:1], "the rule begins with 4 launches") {
			t.Errorf("%q", said(few))
		}
	}
}

func TestAsExpected(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		v      study.Verdict
		expect []study.Verdict
		want   *bool
	}{
		{study.Positive, nil, nil},
		{study.Positive, []study.Verdict{study.Positive}, &yes},
		{study.Positive, []study.Verdict{study.Negative, study.NoChange}, &no},
		{study.Inconclusive, []study.Verdict{study.Positive}, nil},
		{study.Inconclusive, []study.Verdict{study.Positive, study.Inconclusive}, &yes},
		{study.NotMeasured, []study.Verdict{study.Positive}, nil},
		{study.Invalid, []study.Verdict{study.Positive}, &no},
		{study.Invalid, []study.Verdict{study.Invalid}, &yes},
	} {
		got := asExpected(tt.v, tt.expect)
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%s, expected %v: %v", tt.v, tt.expect, got)
		}
	}
	p := testPlan()
	p.Comparisons[0].Expect = []study.Verdict{study.NoChange}
	if got := judgeC(t, p, plainWorld().launches(p, 4)); got.AsExpected == nil || !*got.AsExpected {
		t.Errorf("%+v", got)
	}
}

func TestAnIsolatedComparisonIsMarked(t *testing.T) {
	p, w := withoutLayout(testPlan()), plainWorld()
	w.op[1] = 300
	p.Comparisons[0].Isolated = true
	got := judgeC(t, p, w.launches(p, 4))
	if last := said(got)[len(said(got))-1]; got.Verdict != study.Positive || last != "isolated: not a reason to pool by itself" {
		t.Errorf("%s %q", got.Verdict, said(got))
	}
}

func TestTheFileSumsUp(t *testing.T) {
	p, w := testPlan(), plainWorld()
	p.Comparisons = append(p.Comparisons, study.Comparison{ID: "d", Benchmark: "work", Arm: "stack"})
	rs := w.launches(p, 4)
	rs = append(rs, w.record(p, "d", study.FormBursts, 0, 30))
	v, err := Judge(p, rs)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Results) != 2 || v.Results[0].Comparison != "c" || v.Results[1].Arm != "stack" || v.Digest != p.Digest() || v.Schema != study.Schema {
		t.Fatalf("%+v", v)
	}
	if !v.Started.Equal(rs[0].Started) || !v.Ended.Equal(rs[4].Started.Add(500*time.Millisecond)) || time.Duration(v.Spent) != 2500*time.Millisecond {
		t.Errorf("from %v to %v, %v", v.Started, v.Ended, time.Duration(v.Spent))
	}
	one, err := JudgeOne(p, "c", rs)
	if err != nil || core(one) != core(v.Results[0]) {
		t.Errorf("alone: %+v, %v", one, err)
	}
	if _, err := JudgeOne(p, "e", rs); err == nil {
		t.Error("a comparison that does not exist was judged")
	}
}

func TestNotesAreKeptOnceAndMachinesCounted(t *testing.T) {
	p, w := testPlan(), plainWorld()
	w.edit = func(r *study.Record) {
		r.Note = "12 pairs of 40 ms"
		r.Machine = []string{"a", "b"}[r.Launch%2]
		r.Baseline.CPU[3] = 0
		r.Baseline.Extra, r.Candidate.Extra = map[string]float64{"hits/op": float64(r.Launch), "only": 1}, map[string]float64{"hits/op": 7}
	}
	got := judgeC(t, p, w.launches(p, 4))
	want := []string{"12 pairs of 40 ms", "the CPU clock was too coarse for 4 of 160 pairs", "launches of 2 machines"}
	if strings.Join(words.Notes(got), "|") != strings.Join(want, "|") {
		t.Errorf("notes %q", words.Notes(got))
	}
	if len(got.Extra) != 1 || got.Extra["hits/op"] != [2]float64{1.5, 7} {
		t.Errorf("extra %v", got.Extra)
	}
	near(t, "foreign load", got.Foreign, 0.01, 1e-12)
}

func TestABenchmarkThatMostlyWaitsIsKnown(t *testing.T) {
	for _, tt := range []struct{ share, other, want float64 }{{0.1, 0.1, 0.9}, {0.1, 0.3, 0.7}, {0.1, 0.6, 0}, {0.6, 0.6, 0}} {
		p, w := testPlan(), plainWorld()
		w.edit = func(r *study.Record) {
			for i := range r.Baseline.CPU {
				r.Baseline.CPU[i] = int64(tt.share * float64(r.Baseline.Wall[i]))
				r.Candidate.CPU[i] = int64(tt.other * float64(r.Candidate.Wall[i]))
			}
		}
		near(t, "share of waiting", judgeC(t, p, w.launches(p, 4)).Waits, tt.want, 1e-3)
	}
}

func TestAClockThatMeasuresNothingDecidesNothing(t *testing.T) {
	p, w := testPlan(), plainWorld()
	w.edit = func(r *study.Record) { clear(r.Baseline.Wall) }
	got, _ := w.measure(t, p, nil)
	if got.Verdict != study.Inconclusive || got.Time != study.Unresolved || got.MWall != (study.Estimate{}) || got.BaselineTime != 0 || !has(said(got), "could not measure") {
		t.Errorf("%+v", got)
	}
}
