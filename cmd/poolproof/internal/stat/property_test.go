package stat

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// worlds draws programs of all kinds.
func worlds(n int) []world {
	rng := rand.New(rand.NewPCG(11, 13))
	pick := func(of ...float64) float64 { return of[rng.IntN(len(of))] }
	var ws []world
	for range n {
		w := plainWorld()
		w.op[1] = 1000 * pick(0.5, 0.9, 0.97, 1, 1, 1, 1.03, 1.1)
		w.noise, w.launch = pick(0.005, 0.02, 0.05), pick(0, 0.003, 0.02)
		w.bytes[0], w.bytes[1] = pick(100, 400, 4000), pick(100, 400, 4000)
		w.allocs[0], w.allocs[1] = pick(1, 2), pick(1, 2)
		w.cycle, w.price, w.drain, w.drainW = pick(0, 1e6, 4e6), pick(50e3, 300e3), pick(0, 100e3), pick(0, 2e6)
		w.layouts = []float64{pick(0, 0.05), 0.001, -0.002}
		w.foreign = pick(-1, 0.02, 0.3)
		ws = append(ws, w)
	}
	return ws
}

func TestTheOrderOfRecordsDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i, w := range worlds(15) {
		p := testPlan()
		_, rs := w.measure(t, p, nil)
		want, err := Judge(p, rs)
		if err != nil {
			t.Fatal(err)
		}
		rng.Shuffle(len(rs), func(i, j int) { rs[i], rs[j] = rs[j], rs[i] })
		got, err := Judge(p, rs)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("world %d: %+v\n%+v, %v", i, got.Results, want.Results, err)
		}
	}
}

// Somebody sets the clock of the machine while a run goes on. What launches take is
// measured by another clock.
func TestAStepOfTheClockChangesNoResult(t *testing.T) {
	for i, w := range worlds(15) {
		p := testPlan()
		_, rs := w.measure(t, p, nil)
		want, err := Judge(p, rs)
		if err != nil {
			t.Fatal(err)
		}
		for k := range rs {
			rs[k].Started = rs[k].Started.Add(time.Duration(k%3-1) * 3 * time.Hour)
		}
		got, err := Judge(p, rs)
		if err != nil || !reflect.DeepEqual(got.Results, want.Results) || got.Spent != want.Spent {
			t.Errorf("world %d: %+v\n%+v, %v", i, got.Results, want.Results, err)
		}
	}
}

func TestStoppingAnywhereAndResumingGivesTheSameVerdict(t *testing.T) {
	for i, w := range worlds(15) {
		p := testPlan()
		want, rs := w.measure(t, p, nil)
		for stop := 0; stop < len(rs); stop += 3 {
			var kept []study.Record
			for _, r := range rs[:stop] { // through a file
				line, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				var back study.Record
				if err := json.Unmarshal(line, &back); err != nil {
					t.Fatal(err)
				}
				kept = append(kept, back)
			}
			if got, all := w.measure(t, p, kept); !reflect.DeepEqual(got, want) || len(all) != len(rs) {
				t.Fatalf("world %d stopped after %d: %+v, want %+v", i, stop, got, want)
			}
		}
	}
}

func TestLaunchesBeyondTheDecisionChangeNothing(t *testing.T) {
	for i, w := range worlds(30) {
		p := testPlan()
		want, rs := w.measure(t, p, nil)
		var own []study.Record
		for launch := range 14 {
			for _, f := range []study.Form{study.FormBursts, study.FormStretch} {
				own = append(own, w.record(p, "c", f, 0, launch))
			}
		}
		for _, r := range rs {
			if r.Layout > 0 {
				own = append(own, r)
			}
		}
		if got := judgeC(t, p, own); core(got) != core(want) {
			t.Errorf("world %d:\n%s\n%s", i, core(got), core(want))
		}
	}
}

func TestSwappingTheSidesMirrorsTheResult(t *testing.T) {
	mirror := map[study.Class]study.Class{study.Better: study.Worse, study.Worse: study.Better, study.Same: study.Same, study.Mixed: study.Mixed}
	mirrorV := map[study.Verdict]study.Verdict{study.Positive: study.Negative, study.Negative: study.Positive,
		study.NoChange: study.NoChange, study.TradeOff: study.TradeOff, study.Inconclusive: study.Inconclusive}
	compared := 0
	for i, w := range worlds(60) {
		p := withoutLayout(testPlan())
		p.Rule.MinCycles = 0
		var rs []study.Record
		for launch := range 12 {
			for _, f := range []study.Form{study.FormBursts, study.FormStretch} {
				rs = append(rs, w.record(p, "c", f, 0, launch))
			}
		}
		a, b := judgeC(t, p, rs), judgeC(t, p, swapped(rs))
		if a.Estimator != b.Estimator || a.Memory != mirror[b.Memory] {
			t.Errorf("world %d: %s, memory %s; swapped %s, memory %s", i, a.Estimator, a.Memory, b.Estimator, b.Memory)
		}
		// T takes the level of quiet bursts from the baseline; M and sums are
		// symmetric to the last bit.
		tolerance := 1e-9
		if a.Estimator.Kind == study.Total {
			tolerance = 0.003
		}
		near(t, fmt.Sprintf("world %d: effect", i), math.Log1p(a.Deciding.Effect), -math.Log1p(b.Deciding.Effect), tolerance)
		near(t, fmt.Sprintf("world %d: end", i), math.Log1p(a.Deciding.Lo), -math.Log1p(b.Deciding.Hi), 4*tolerance)
		// "Not worse" and the rejection of worse memory are one-sided on purpose.
		if !resolved(a.Time) || !resolved(b.Time) {
			continue
		}
		compared++
		if a.Time != mirror[b.Time] || a.Memory != study.Mixed && a.Verdict != mirrorV[b.Verdict] {
			t.Errorf("world %d: time %s, %s; swapped %s, %s", i, a.Time, a.Verdict, b.Time, b.Verdict)
		}
	}
	if compared < 40 {
		t.Errorf("only %d worlds were resolved", compared)
	}
}

func TestEveryResultCanBeWritten(t *testing.T) {
	for i, w := range worlds(30) {
		if i%3 == 0 {
			w.edit = func(r *study.Record) { clear(r.Candidate.CPU) }
		}
		p := testPlan()
		_, rs := w.measure(t, p, nil)
		for n := range rs {
			v, err := Judge(p, rs[:n])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := json.Marshal(v); err != nil {
				t.Fatalf("world %d after %d launches: %v", i, n, err)
			}
			res := v.Results[0]
			if len(res.Reasons) == 0 || slices.Contains(said(res), "") {
				t.Errorf("world %d after %d launches: %s without a reason: %q", i, n, res.Verdict, said(res))
			}
		}
	}
}

func TestJudgingIsPureAndConcurrent(t *testing.T) {
	p := testPlan()
	w := worlds(5)[4]
	_, rs := w.measure(t, p, nil)
	before, _ := json.Marshal(rs)
	want, _ := Judge(p, rs)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := Judge(p, rs); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	wg.Wait()
	if after, _ := json.Marshal(rs); string(before) != string(after) {
		t.Error("the records were changed")
	}
}
