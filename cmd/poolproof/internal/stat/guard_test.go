package stat

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// shifts makes launches whose medians are known: launch i is off by shifts[i],
// and the slices inside it vary by noise.
func shifts(noise float64, shift ...float64) world {
	w := plainWorld()
	w.edit = func(r *study.Record) {
		if r.Layout != 0 {
			return
		}
		for i := range r.New.Wall {
			zigzag := noise * float64(1-2*((i/4)%2)) // four pairs a group of the jackknife
			r.New.Wall[i] = int64(math.Round(float64(r.Old.Wall[i]) * math.Exp(shift[r.Launch]+zigzag)))
		}
	}
	return w
}

func TestLaunchesThatDifferTooMuchAreDoubted(t *testing.T) {
	for _, tt := range []struct {
		name  string
		noise float64
		shift []float64
		want  study.Class
	}{
		{"two modes that the slices do not explain", 0.001, []float64{0.01, 0.07, 0.07, 0.07, 0.07, 0.07}, study.Unresolved},
		{"the same launches with slices as uneven", 0.2, []float64{0.01, 0.07, 0.07, 0.07, 0.07, 0.07}, study.Worse},
		{"unlike launches inside the band", 0.0001, []float64{0.022, 0.031, 0.022, 0.031}, study.Worse},
		{"unlike launches, far beyond what they could make", 0.001, []float64{0.5, 0.6, 0.5, 0.6}, study.Worse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := withoutLayout(testPlan())
			w := shifts(tt.noise, tt.shift...)
			got := judgeC(t, p, w.launches(p, len(tt.shift)))
			if got.Deciding.Class != study.Worse {
				t.Fatalf("the test is about decisions: %+v", got.Deciding)
			}
			if got.Time != tt.want || got.Want != nil {
				t.Errorf("%s, want %s: %q", got.Time, tt.want, said(got))
			}
			if tt.want == study.Unresolved && (got.Verdict != study.Inconclusive || got.NeedTime != 0 ||
				!strings.HasPrefix(said(got)[0], "launches differ more than the slices inside them explain: their standard deviation is 2.7 %, 0.3 % was to be expected")) {
				t.Errorf("%s, %v: %q", got.Verdict, got.NeedTime, said(got))
			}
		})
	}
}

// wants lists what the rule asks for on the way to its end.
func wants(t *testing.T, p study.Plan, w world, floors map[string]float64) (list []string, res study.Result, rs []study.Record) {
	t.Helper()
	for range 100 {
		v, err := JudgeWith(p, rs, floors)
		if err != nil {
			t.Fatal(err)
		}
		res = v.Results[0]
		if res.Want == nil {
			return list, res, rs
		}
		list = append(list, fmt.Sprintf("%s %d.%d", res.Want.Form, res.Want.Layout, res.Want.Launch))
		rs = append(rs, w.record(p, "c", res.Want.Form, res.Want.Layout, res.Want.Launch))
	}
	t.Fatal("the rule never has enough")
	return nil, res, rs
}

func TestASmallTimeOnlyEffectIsConfirmedOnShiftedBuilds(t *testing.T) {
	const shifted = "slices 0.0 slices 0.1 slices 0.2 slices 0.3 " +
		"slices 1.0 slices 2.0 slices 3.0 slices 1.1 slices 2.1 slices 3.1 slices 1.2 slices 2.2 slices 3.2 slices 1.3 slices 2.3 slices 3.3"
	for _, tt := range []struct {
		name    string
		op      float64
		layouts []float64
		want    study.Verdict
		reason  string
	}{
		{"all builds agree", 970, []float64{0.001, -0.001, 0}, study.Positive, "3 padded builds confirm it: -3.0 %"},
		{"all builds agree that it is worse", 1030, []float64{0.001, -0.001, 0}, study.Negative, "3 padded builds confirm it: +3.0 %"},
		{"builds differ, and the plain one tips the scale", 970, []float64{0.015, -0.015, 0}, study.Positive, "3 padded builds confirm it"},
		{"one build says otherwise", 970, []float64{0, 0.08, 0}, study.Inconclusive, "code layout alone could explain the difference"},
		{"one build is even better", 970, []float64{0, -0.15, 0}, study.Inconclusive, "code layout alone could explain the difference"},
		{"the padded builds turn it round", 1030, []float64{-0.07, -0.07, -0.07}, study.Inconclusive, "code layout alone could explain the difference"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := testPlan(), plainWorld()
			w.op[1], w.layouts = tt.op, tt.layouts
			list, got, rs := wants(t, p, w, nil)
			if s := strings.Join(list, " "); s != shifted {
				t.Errorf("launches %s", s)
			}
			if got.Verdict != tt.want || !has(said(got), tt.reason) || got.Floor != nil {
				t.Errorf("%s, want %s: %q", got.Verdict, tt.want, said(got))
			}
			if tt.want == study.Inconclusive && (got.Time != study.Unresolved || got.Deciding.Class == study.Unresolved || !strings.HasPrefix(said(got)[0], tt.reason)) {
				t.Errorf("time %s, estimate %+v", got.Time, got.Deciding)
			}
			part := judgeC(t, p, rs[:12]) // 8 of 12 launches on padded builds
			if part.Verdict != study.Inconclusive || said(part)[0] != "not confirmed on padded builds: 2 s more" {
				t.Errorf("stopped on the way: %s %q", part.Verdict, said(part))
			}
			near(t, "time needed", time.Duration(part.NeedTime).Seconds(), 8, 1e-9)
			// More launches than the rule asked for change nothing.
			w.layouts = []float64{3, 3, 3}
			for k := 1; k <= 3; k++ {
				rs = append(rs, w.record(p, "c", study.FormSlices, k, 4))
			}
			if more := judgeC(t, p, rs); core(more) != core(got) {
				t.Errorf("more launches: %+v\n%+v", more, got)
			}
		})
	}
}

func TestManyShiftedBuildsThatTurnItRoundDoNotConfirmIt(t *testing.T) {
	p, w := testPlan(), plainWorld()
	p.Rule.LayoutKinds = 11
	w.op[1] = 1030
	for range p.Rule.LayoutKinds {
		w.layouts = append(w.layouts, -0.07)
	}
	if _, got, _ := wants(t, p, w, nil); got.Verdict != study.Inconclusive {
		t.Errorf("%s: %q", got.Verdict, said(got))
	}
}

func TestALargeTimeOnlyEffectMustExceedTheLayoutFloor(t *testing.T) {
	const floor = "slices 0.0 slices 0.1 slices 0.2 slices 0.3 " +
		"floor 1.0 floor 2.0 floor 3.0 floor 1.1 floor 2.1 floor 3.1 floor 1.2 floor 2.2 floor 3.2 floor 1.3 floor 2.3 floor 3.3"
	for _, tt := range []struct {
		name    string
		op      float64
		layouts []float64
		floor   float64
		want    study.Verdict
	}{
		{"shifting does little", 900, []float64{0.01, -0.02, 0}, 0.02, study.Positive},
		{"shifting does as much", 900, []float64{0.01, 0.12, 0}, 0.12, study.Inconclusive},
		{"shifting does as much in the other direction", 1100, []float64{0.01, -0.12, 0}, 0.12, study.Inconclusive},
		{"slower by more than the floor", 1100, []float64{0, 0, 0.03}, 0.03, study.Negative},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := testPlan(), plainWorld()
			w.op[1], w.layouts = tt.op, tt.layouts
			list, got, _ := wants(t, p, w, nil)
			if s := strings.Join(list, " "); s != floor {
				t.Errorf("launches %s", s)
			}
			if got.Verdict != tt.want || got.Floor == nil {
				t.Fatalf("%s, want %s: %q, floor %v", got.Verdict, tt.want, said(got), got.Floor)
			}
			near(t, "floor", *got.Floor, tt.floor, 1e-4)
			list, known, _ := wants(t, p, w, map[string]float64{"c": tt.floor})
			if len(list) != 4 || known.Verdict != tt.want || *known.Floor != tt.floor {
				t.Errorf("with a known floor: %s after %v", known.Verdict, list)
			}
		})
	}
}

func TestTheLayoutIsNotCheckedWhereItCannotMatter(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*world, *study.Plan)
		want study.Verdict
	}{
		{"no change", func(w *world, p *study.Plan) { w.op[1] = 1000 }, study.NoChange},
		{"memory moved", func(w *world, p *study.Plan) { w.bytes[1] = 20 }, study.Positive},
		{"the plan does not ask for it", func(w *world, p *study.Plan) { p.Rule.LayoutKinds = 0 }, study.Positive},
		{"a machine against itself", func(w *world, p *study.Plan) { p.Kind = study.KindAA }, study.Positive},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := testPlan(), plainWorld()
			p.Rule.MinCycles = 0
			w.op[1] = 970
			tt.edit(&w, &p)
			if got := judgeC(t, p, w.launches(p, 4)); got.Want != nil || got.Verdict != tt.want {
				t.Errorf("%s: %+v %q", got.Verdict, got.Want, said(got))
			}
		})
	}
}

func TestShiftedBuildsOfTheOtherEngineRunItsForm(t *testing.T) {
	p, w := testPlan(), plainWorld()
	p.Engine = study.EnginePairs
	w.op[1] = 970
	list, got, _ := wants(t, p, w, nil)
	if list[4] != "pairs 1.0" || got.Verdict != study.Positive {
		t.Errorf("%s after %v", got.Verdict, list)
	}
}

func TestTheBuildIsTheUnitOfTheLayoutCheck(t *testing.T) {
	// Twelve launches on three builds agree inside each build; the builds do
	// not agree with each other. Pooled launches would confirm.
	p, w := testPlan(), plainWorld()
	w.op[1], w.layouts = 970, []float64{0.025, -0.025, 0.02}
	_, got, rs := wants(t, p, w, nil)
	var pooled []float64
	for i := range rs {
		v, _ := (&launch{rec: &rs[i]}).estimate(mWall)
		pooled = append(pooled, v)
	}
	if iv := over(pooled, layoutAlpha); !(iv.hi < 0) {
		t.Fatalf("the test is about builds that pooled launches would confirm: %+v", iv)
	}
	if got.Verdict != study.Inconclusive {
		t.Errorf("%s: %q", got.Verdict, said(got))
	}
}
