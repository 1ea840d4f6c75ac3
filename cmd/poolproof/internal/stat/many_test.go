package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// longBursts gives the bursts of many operations of a world: in those of the first launch
// the candidate takes so much more, as log ratios, and in each launch of such bursts the next of
// later, the last one from then on. Each launch has a pair more at either side of that.
func longBursts(w world, first []float64, later ...float64) world {
	before := w.edit
	w.edit = func(r *study.Record) {
		if before != nil {
			before(r)
		}
		long := func(d float64) (old, new int64) {
			return int64(study.Manifold * 1e6), int64(study.Manifold * 1e6 * math.Exp(d))
		}
		switch {
		case r.Form == study.FormMany:
			d := later[min(r.Launch, len(later)-1)]
			var base, cand study.Columns
			r.N, r.CandidateFirst = study.Manifold*r.N, nil
			for _, e := range []float64{-0.01, 0, 0.01, 0, 0, 0.01, -0.01} {
				old, new := long(d + e)
				base.Append(study.Burst{Seen: study.SeenInside, Wall: old, CPU: old, Allocs: uint64(2 * r.N), Bytes: uint64(100 * r.N)})
				cand.Append(study.Burst{Seen: study.SeenInside, Wall: new, CPU: new, Allocs: uint64(2 * r.N), Bytes: uint64(100 * r.N)})
				r.CandidateFirst = append(r.CandidateFirst, false)
			}
			r.Baseline, r.Candidate = base, cand
		case r.Form == study.FormBursts && r.Launch == 0 && r.Layout == 0:
			r.Pairs = r.Baseline.Len()
			for _, d := range first {
				old, new := long(d)
				r.Baseline.Manifold, r.Candidate.Manifold = append(r.Baseline.Manifold, old), append(r.Candidate.Manifold, new)
			}
		}
	}
	return w
}

// TestNoClassStandsThatBurstsOfManyOperationsGainsay: the benchmark function counts its
// operations itself, and does its work at each 300th.
func TestNoClassStandsThatBurstsOfManyOperationsGainsay(t *testing.T) {
	counting := []float64{-0.07, 0.14, -0.42, -0.66} // of the draw that rule 6 judged falsely
	for _, tt := range []struct {
		name  string
		op    float64 // of the candidate in short bursts; 1000 is equal
		first []float64
		later []float64
		want  study.Verdict
		by    string
		forms string // that were asked for after the first look
	}{
		{"they agree", 1370, []float64{0.2, 0.3, 0.35, 0.4}, nil, study.Negative, "M wall", ""},
		{"they point the other way, and decide so", 1370, counting, []float64{-0.30, -0.31, -0.29}, study.Positive, "many wall", "mmmm"},
		{"they point the other way, and more of them do not", 1370, counting, []float64{0.37}, study.Negative, "M wall", "m"},
		{"they point the other way, and two launches more do not", 1370, counting, []float64{0.3}, study.Negative, "M wall", "mm"},
		{"they point the other way, and more of them give nothing", 1370, counting, []float64{0.001, 0, -0.001, 0}, study.NoChange, "many wall", "mmmm"},
		{"of a candidate that is better", 700, []float64{0.07, -0.14, 0.42, 0.66}, []float64{0.30, 0.31, 0.29}, study.Negative, "many wall", "mmmm"},
		{"less of the same direction", 1370, []float64{0.02, 0.03, 0.03, 0.04}, []float64{0.03}, study.Negative, "many wall", "mmmm"},
		{"more of it", 1370, []float64{0.9, 0.91, 0.92, 0.93}, []float64{0.9, 0.91}, study.Negative, "many wall", "mmmm"},
		{"a little less", 1370, []float64{0.26, 0.26, 0.265, 0.265}, nil, study.Negative, "M wall", ""},
		{"less, perhaps", 1370, []float64{-0.3, 0, 0.36, 0.5}, nil, study.Negative, "M wall", ""},
		{"less than half, perhaps", 1370, []float64{-0.3, 0, 0.33, 0.5}, []float64{0.33}, study.Negative, "M wall", "m"},
		{"a small difference, perhaps", 1050, []float64{-0.08, 0.08, -0.07, 0.09}, nil, study.Negative, "M wall", ""},
		{"perhaps none", 1050, []float64{-0.08, 0.08, -0.07, 0.07}, []float64{0.05}, study.Negative, "M wall", "m"},
		{"equal in short bursts alone", 1000, []float64{0.30, 0.31, 0.32, 0.31}, []float64{0.3, 0.31}, study.Negative, "many wall", "mmmm"},
		{"equal, and disturbed", 1000, []float64{-0.3, 0.1, -0.1, 0.05}, nil, study.NoChange, "M wall", ""},
		{"none were measured", 1370, nil, nil, study.Negative, "M wall", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := plainWorld()
			w.noise, w.launch, w.op[1] = 0.005, 0.001, tt.op
			w = longBursts(w, tt.first, tt.later...)
			p := withoutLayout(testPlan())
			got, rs := w.measure(t, p, nil)
			forms := ""
			for _, r := range rs[got.Launches-len(tt.forms):] {
				forms += string(r.Form)[:1]
			}
			if got.Verdict != tt.want || got.Estimator.String() != tt.by || forms != tt.forms || len(rs) != 4+len(tt.forms) && len(rs) != 3+len(tt.forms) {
				t.Errorf("%s by %s after %d launches, the last %q, want %s by %s and %q: %q", got.Verdict, got.Estimator, len(rs), forms, tt.want, tt.by, tt.forms, said(got))
			}
			if tt.forms == "" {
				return
			}
			part := judgeC(t, p, rs[:len(rs)-1])
			if part.Verdict != study.Inconclusive || part.Want == nil || part.Want.Form != study.FormMany || part.Want.Launch != len(tt.forms)-1 ||
				!has(said(part)[:1], "bursts of more operations gainsay it") || part.NeedTime <= part.Spent {
				t.Errorf("before the last launch %s, wants %+v, needs %v: %q", part.Verdict, part.Want, part.NeedTime, said(part))
			}
			if tt.by == "many wall" && !has(said(got), "bursts of many operations decide: bursts of more operations gainsay it", "at 1000 operations a call and", "at 32000") {
				t.Errorf("it says %q", said(got))
			}
			if later := w.record(p, "c", study.FormMany, 0, len(tt.forms)); core(judgeC(t, p, append(rs[:len(rs):len(rs)], later))) != core(got) {
				t.Error("a launch more changes the result")
			}
		})
	}
}

// Stretches have looked at whole seconds of each side, and no burst of many operations speaks against them.
func TestStretchesAreNotGainsaid(t *testing.T) {
	w := lumps(10, 500, [2]float64{0, 5})
	w = longBursts(w, []float64{-0.3, -0.3, -0.3, -0.3}, -0.3)
	if got, rs := w.measure(t, withoutLayout(testPlan()), nil); got.Estimator.Kind != study.Long || got.Verdict != study.Negative {
		t.Errorf("%s by %s after %d launches: %q", got.Verdict, got.Estimator, len(rs), said(got))
	}
}

// A difference of bursts of many operations has to be there on padded builds too. These run
// short bursts, and what the others add to short ones is added to them.
func TestPaddedBuildsConfirmBurstsOfManyOperations(t *testing.T) {
	for layout, want := range map[float64]study.Verdict{0: study.Positive, 0.5: study.Inconclusive} {
		w := plainWorld()
		w.noise, w.launch, w.op[1] = 0.005, 0.001, 1370
		w.layouts = on(func(k int) float64 { return layout * float64(k%2*2-1) })
		w = longBursts(w, []float64{-0.3, -0.3, -0.3, -0.31}, -0.30, -0.31, -0.29)
		got, _ := w.measure(t, testPlan(), nil)
		if got.Verdict != want || got.Estimator.String() != "many wall" {
			t.Errorf("layouts of %g: %s by %s: %q", layout, got.Verdict, got.Estimator, said(got))
		}
		if layout == 0 {
			near(t, "effect", got.Deciding.Effect, math.Expm1(-0.30), 0.01)
		}
	}
}

// Where garbage differs, a launch of many operations counts all of it: collections may come
// in few bursts.
func TestCollectionsOfFewLongBurstsCount(t *testing.T) {
	for bytes, want := range map[uint64]float64{100: 0, 200: math.Log(1.5)} {
		var r study.Record
		r.N = 1
		for i := range 10 {
			r.Baseline.Append(study.Burst{Seen: study.SeenInside, Wall: 1e6, Bytes: 100})
			c := study.Burst{Seen: study.SeenInside, Wall: 1e6, Bytes: bytes}
			if i == 4 {
				c.Wall, c.GCs = 6e6, 1
			}
			r.Candidate.Append(c)
		}
		l := &launch{rec: &r}
		got, _ := l.estimate(manyWall)
		near(t, fmt.Sprint("with ", bytes, " bytes"), got, want, 1e-9)
	}
}

// What bursts of many operations cost a difference that is there, and what they find where it is
// another in the long run. A burst of 32 ms differs from the other side's by 9 % here, as
// on the machines of the campaign (3 to 12 %), and a launch has 15 pairs.
func TestWhatLongBurstsCostAndFind(t *testing.T) {
	const runs, noise, pairs = 2000, 0.09, 15
	for _, tt := range []struct {
		claim, truth float64 // percent
		stands, soon float64 // of the runs: at once, and after one launch more
	}{{0, 0, 0.95, 0.99}, {3, 3, 0.75, 0.965}, {10, 10, 0.9, 0.985}, {50, 50, 0.985, 1}, {37, -4, 0, 0}, {37, 3, 0, 0}} {
		rng := rand.New(rand.NewPCG(uint64(1000+tt.claim), uint64(1000+tt.truth)))
		class := study.Worse
		if tt.claim == 0 {
			class = study.Same
		}
		claim, truth := math.Log1p(tt.claim/100), math.Log1p(tt.truth/100)
		draw := func(n int) (ds []float64) {
			for range n {
				ds = append(ds, truth+noise*rng.NormFloat64())
			}
			return ds
		}
		var at [5]float64 // stands at once, after one, two, three launches; never
		for range runs {
			ds := draw(4)
			n := 0
			for ; n < 4 && gainsaid(class, claim, ds, math.Log(1.02)); n++ {
				ds = append(ds, draw(pairs)...)
			}
			at[n] += 1.0 / runs
		}
		t.Logf("claim %+g %%, truth %+g %%: it stands at once in %.1f %% of the runs, after one launch more in %.1f %%, two %.1f %%, three %.1f %%; not in %.1f %%",
			tt.claim, tt.truth, 100*at[0], 100*at[1], 100*at[2], 100*at[3], 100*at[4])
		near(t, fmt.Sprintf("%+g %% where %+g %% is true stands at once", tt.claim, tt.truth), at[0], tt.stands, 0.02)
		near(t, fmt.Sprintf("%+g %% where %+g %% is true stands soon", tt.claim, tt.truth), at[0]+at[1], tt.soon, 0.01)
	}
}
