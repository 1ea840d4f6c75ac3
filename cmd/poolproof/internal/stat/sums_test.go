package stat

import (
	"math"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// lumps lengthens bursts on both clocks: each every-th of a side's, counted from
// the start of its process, takes so many times as long. A process of the first
// launch runs soak bursts, of a stretch 1,000.
func lumps(every, soak int, times [2]float64) world {
	w := plainWorld()
	w.pairs, w.noise, w.launch = 100, 0.01, 0.002
	w.edit = func(r *study.Record) {
		switch {
		case r.Form == study.FormStretch:
			grow(r, 1000)
		case r.Launch == 0 && r.Layout == 0 && soak > 0:
			r.Pairs = r.Baseline.Len()
			grow(r, soak)
		}
		for side, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
			for i := every - 1; i < len(c.Wall) && times[side] > 0; i += every {
				c.Wall[i] += int64(times[side] * 1e6)
				c.CPU[i] += int64(times[side] * 1e6)
			}
		}
	}
	return w
}

// grow repeats the bursts of a record until there are n.
func grow(r *study.Record, n int) {
	for i := 0; len(r.CandidateFirst) < n; i++ {
		r.CandidateFirst = append(r.CandidateFirst, r.CandidateFirst[i])
		for _, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
			c.Wall, c.CPU, c.Drain, c.DrainW = append(c.Wall, c.Wall[i]), append(c.CPU, c.CPU[i]), append(c.Drain, c.Drain[i]), append(c.DrainW, c.DrainW[i])
			c.GCs, c.Allocs, c.Bytes = append(c.GCs, c.GCs[i]), append(c.Allocs, c.Allocs[i]), append(c.Bytes, c.Bytes[i])
		}
	}
}

func TestAVerdictIsAboutTheMean(t *testing.T) {
	for _, tt := range []struct {
		name  string
		op    float64 // of the candidate; 1000 is equal
		world world
		want  study.Verdict
		mean  float64 // the true effect
		by    string
	}{
		{"nothing rare", 1000, lumps(10, 500, [2]float64{}), study.NoChange, 0, "M wall"},
		{"each tenth burst takes six times as long", 1000, lumps(10, 500, [2]float64{0, 5}), study.Negative, 0.5, "long wall"},
		{"of the baseline", 1000, lumps(10, 500, [2]float64{5, 0}), study.Positive, 1/1.5 - 1, "long wall"},
		{"faster, and pays with sweeps", 900, lumps(20, 500, [2]float64{0, 9}), study.Negative, 0.35, "long wall"},
		{"slower, and saves them", 1100, lumps(20, 500, [2]float64{9, 0}), study.Positive, 1.1/1.45 - 1, "long wall"},
		{"so much on both sides", 1000, lumps(10, 500, [2]float64{5, 5}), study.NoChange, 0, "M wall"},
		{"rare work that does not matter", 1000, lumps(50, 500, [2]float64{0, 0.4}), study.NoChange, 0.008, "M wall"},
		{"once in 400 bursts: only the first launch lives so long", 1000, lumps(400, 500, [2]float64{0, 200}), study.Negative, 0.4, "long wall"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := withoutLayout(testPlan()), tt.world
			w.op[1] = tt.op
			got, rs := w.measure(t, p, nil)
			if got.Verdict != tt.want || got.Estimator.String() != tt.by {
				t.Errorf("%s by %s after %d launches, want %s by %s: %q", got.Verdict, got.Estimator, len(rs), tt.want, tt.by, said(got))
			}
			near(t, "effect", got.Deciding.Effect, tt.mean, 0.02)
			if tt.by != "long wall" {
				return
			}
			part := judgeC(t, p, rs[:len(rs)-1])
			if part.Verdict != study.Inconclusive || part.Want == nil || part.Want.Form != study.FormStretch || !has(said(part)[:1], "too rarely to be in a typical burst") {
				t.Errorf("before the last stretch %s, wants %+v: %q", part.Verdict, part.Want, said(part))
			}
		})
	}
}

// Launches that are short, as those of equal work are, are disturbed by more than rare
// work adds to the first one. They do not outvote it.
func TestInSumsALaunchCountsByItsLength(t *testing.T) {
	for times, want := range map[float64]study.Verdict{0: study.NoChange, 12: study.Inconclusive} {
		w := lumps(400, 500, [2]float64{0, times}) // 12 in 400: +3 %
		grown := w.edit
		w.pairs, w.noise = 20, 0.002
		w.edit = func(r *study.Record) {
			grown(r)
			if r.Launch > 0 {
				c := r.Columns(study.Sides[r.Launch%2])
				c.Wall[7], c.CPU[7] = c.Wall[7]+400e3, c.CPU[7]+400e3 // 2 %
			}
		}
		p := withoutLayout(testPlan())
		got := judgeC(t, p, w.launches(p, 4))
		if got.Verdict != want || got.Deciding.Effect > 0.01 || has(said(got), "the sums of all bursts", "give +2.") != (times > 0) {
			t.Errorf("rare work of %g bursts: %s by %+v: %q", times, got.Verdict, got.Deciding, said(got))
		}
	}
}

// evidenceOf is what four launches of a world say.
func evidenceOf(w world) *evidence {
	p := withoutLayout(testPlan())
	return newTrial(p, p.Comparisons[0], pointers(w.launches(p, 4))).e
}

func TestADifferenceThatAddsUpToNoneIsContested(t *testing.T) {
	faster := func(mean float64) interval { return interval{n: 4, mean: mean, lo: mean - 0.01, hi: mean + 0.01} }
	for _, tt := range []struct {
		rare, mean float64 // a tenth of the candidate's bursts takes so many times as long again
		want       bool
	}{{0, -0.04, false}, {0.4, -0.04, true}, {0.4, -0.08, false}, {0.6, -0.08, false}, {0.9, -0.08, true}} {
		e := evidenceOf(lumps(10, 0, [2]float64{0, tt.rare}))
		if got := e.contested(e.launches, mWall, faster(tt.mean)); got != tt.want {
			t.Errorf("%g by M and %g more in each tenth burst: contested %v", tt.mean, tt.rare, got)
		}
	}
}

func TestRareWorkOfTheFirstLaunchIsCertain(t *testing.T) {
	for times, want := range map[float64]bool{0: false, 200: true} {
		e := evidenceOf(lumps(400, 500, [2]float64{0, times}))
		if d := e.rare(e.launches, mWall); (d > 0.3) != want {
			t.Errorf("a burst of 400 that takes %g more: %g", times, d)
		}
	}
}

func TestTheScreenWaitsWhereTheSumsGainsay(t *testing.T) {
	e := evidenceOf(plainWorld())
	for _, contested := range []bool{false, true} {
		_, ok := e.screen(func(int, float64) interval {
			return interval{n: 3, mean: math.Log(20), lo: math.Log(19), hi: math.Log(21), contested: contested}
		})
		if ok == contested {
			t.Errorf("contested %v: decided %v", contested, ok)
		}
	}
}

// Work that waits is on the wall clock only: a flush to disk.
func TestRareWaitingCountsToo(t *testing.T) {
	w := lumps(10, 500, [2]float64{0, 5})
	busy := w.edit
	w.edit = func(r *study.Record) {
		cpu := append([]int64(nil), r.Candidate.CPU...)
		busy(r)
		for i := range r.Candidate.CPU {
			r.Candidate.CPU[i] = cpu[i%len(cpu)]
		}
	}
	if got, _ := w.measure(t, withoutLayout(testPlan()), nil); got.Verdict != study.Negative || math.Abs(got.Deciding.Effect-0.5) > 0.02 {
		t.Errorf("%s %+v: %q", got.Verdict, got.Deciding, said(got))
	}
}

// Sums that go on to gainsay the class without being certain are a reason to ask
// for stretches too, once the first looks are over.
func TestSumsThatGainsayForLongAskForStretches(t *testing.T) {
	w := lumps(10, 0, [2]float64{})
	w.edit = func(r *study.Record) {
		if r.Form == study.FormBursts && r.Launch%3 == 0 { // one launch in three
			r.Candidate.Wall[7] += 30e6
			r.Candidate.CPU[7] += 30e6
		}
	}
	p := withoutLayout(testPlan())
	list, got, rs := wants(t, p, w)
	if len(rs) != 16 || list[11] != "bursts 0.11" || list[12] != "stretch 0.0" || got.Verdict != study.NoChange || got.Estimator.String() != "long wall" {
		t.Errorf("%s by %s after %v: %q", got.Verdict, got.Estimator, list, said(got))
	}
}

func TestTheMovingMedianFollowsTheMachineAndNotALump(t *testing.T) {
	vs := make([]float64, 80) // two speeds, with a lump in each
	for i := range vs {
		if vs[i] = 1; i >= 40 {
			vs[i] = 2
		}
	}
	vs[10], vs[60] = 50, 50
	for i, m := range movingMedian(vs, 11) {
		if want := 1 + float64(i/40); m != want {
			t.Errorf("at %d it is %g, want %g", i, m, want)
		}
	}
	if got := movingMedian([]float64{3, 1, 2}, 1); len(got) != 3 || got[0] != 2 || got[1] != 2 || got[2] != 2 {
		t.Errorf("fewer than a window: %v", got)
	}
}

// Sides with an N of their own are compared by the operation.
func TestSidesMayHaveAnNEach(t *testing.T) {
	p, w := withoutLayout(testPlan()), garbageWorld()
	w.op, w.bytes, w.allocs, w.price = [2]float64{1000, 6000}, [2]float64{800, 800}, [2]float64{8, 8}, 0
	same := judgeC(t, p, w.launches(p, 4))
	w.edit = func(r *study.Record) {
		r.N *= 6
		r.NCandidate = r.N / 6
		for _, col := range [][]int64{r.Baseline.Wall, r.Baseline.CPU} {
			for i := range col {
				col[i] *= 6
			}
		}
		for _, col := range [][]uint64{r.Baseline.Bytes, r.Baseline.Allocs} {
			for i := range col {
				col[i] *= 6
			}
		}
	}
	got := judgeC(t, p, w.launches(p, 4))
	near(t, "effect", got.Deciding.Effect, same.Deciding.Effect, 1e-9)
	near(t, "the baseline's time", got.BaselineTime, same.BaselineTime, 1e-6)
	near(t, "bytes", got.Bytes.Baseline, 800, 0)
	near(t, "bytes of the candidate", got.Bytes.Candidate, 800, 0)
}

// A difference that is one number at the beginning of a process and another later,
// or for few operations and for many, is none that can be claimed.
func TestADifferenceThatIsNoOneNumberIsNotClaimed(t *testing.T) {
	steady := func(r *study.Record) {}
	for _, tt := range []struct {
		name string
		op   float64
		edit func(*study.Record)
		want study.Verdict
		why  string
	}{
		{"a steady difference", 1200, steady, study.Negative, ""},
		{"a steady equality", 1000, steady, study.NoChange, ""},
		{"it warms up", 1000, func(r *study.Record) {
			for i := range r.Candidate.Wall {
				r.Candidate.Wall[i] += int64(800e3 * math.Exp(-float64(i)/100))
			}
		}, study.Inconclusive, "the difference"},
		{"one side is slow at first, the other at the end", 1000, func(r *study.Record) {
			for i := range r.Pairs {
				r.Baseline.Wall[i] += 500e3
				r.Candidate.Wall[len(r.Candidate.Wall)-1-i] += 500e3
			}
		}, study.Inconclusive, "the difference changes while the processes run"},
		{"both grow", 1000, func(r *study.Record) {
			for i := range r.Candidate.Wall {
				r.Baseline.Wall[i] += int64(500 * i)
				r.Candidate.Wall[i] += int64(500 * i)
			}
		}, study.NoChange, ""},
		{"a call costs as much as 300 operations", 1000, func(r *study.Record) {
			for i := range r.Candidate.Wall {
				r.Candidate.Wall[i] += 300e3
			}
			for i := range r.Candidate.Manifold {
				r.Candidate.Manifold[i] += 300e3
			}
		}, study.Inconclusive, "bursts of more operations gainsay it: the difference is +30.1 % at 1000 operations a call and +0.8 % at 32000"},
		{"the many operations are disturbed", 1200, func(r *study.Record) {
			for i := range r.Candidate.Manifold {
				r.Candidate.Manifold[i] *= int64(1 + i%2)
			}
		}, study.Negative, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := lumps(10, 500, [2]float64{})
			grown := w.edit
			w.op[1], w.noise = tt.op, 0.005
			w.edit = func(r *study.Record) {
				grown(r)
				if r.Pairs > 0 {
					for i := range 4 {
						r.Baseline.Manifold = append(r.Baseline.Manifold, int64(32e6+1e4*float64(i)))
						r.Candidate.Manifold = append(r.Candidate.Manifold, int64(32e3*tt.op-1e4*float64(i)))
					}
				}
				tt.edit(r)
				r.Candidate.CPU = append([]int64(nil), r.Candidate.Wall...)
				r.Baseline.CPU = append([]int64(nil), r.Baseline.Wall...)
			}
			p := withoutLayout(testPlan())
			got := judgeC(t, p, w.launches(p, 6))
			if got.Verdict != tt.want || tt.why != "" && !has(said(got)[:1], tt.why) {
				t.Errorf("%s, want %s: %q", got.Verdict, tt.want, said(got))
			}
		})
	}
}
