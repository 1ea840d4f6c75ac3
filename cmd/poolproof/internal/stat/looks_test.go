package stat

import (
	"math"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestIntervalIsStudentsOverLaunches(t *testing.T) {
	iv := over([]float64{0.01, 0.02, 0.03, 0.06}, 0.05)
	near(t, "mean", iv.mean, 0.03, 1e-15)
	near(t, "sd", iv.sd, math.Sqrt(0.0014/3), 1e-15)
	half := 3.182446305 * math.Sqrt(0.0014/3) / 2 // 3 degrees of freedom
	near(t, "lo", iv.lo, 0.03-half, 1e-9)
	near(t, "hi", iv.hi, 0.03+half, 1e-9)
	for _, few := range [][]float64{nil, {0.5}} {
		if iv := over(few, 0.05); !math.IsNaN(iv.lo) || !math.IsNaN(iv.hi) || iv.classify(1) != study.Unresolved {
			t.Errorf("%d launches give %+v", len(few), iv)
		}
	}
}

func TestClassesOfAnInterval(t *testing.T) {
	const band = 0.02
	for _, tt := range []struct {
		name         string
		lo, mean, hi float64
		want         study.Class
	}{
		{"above zero, mean beyond the band", 0.001, 0.021, 0.041, study.Worse},
		{"above zero, mean inside the band", 0.001, 0.019, 0.037, study.Unresolved},
		{"mean beyond the band, zero not excluded", -0.001, 0.03, 0.061, study.Unresolved},
		{"below zero, mean beyond the band", -0.041, -0.021, -0.001, study.Better},
		{"below zero, mean inside the band", -0.037, -0.019, -0.001, study.Unresolved},
		{"inside the band", -0.019, 0, 0.019, study.Same},
		{"inside the band and above zero", 0.001, 0.01, 0.019, study.Same},
		{"wider than the band", -0.021, 0, 0.021, study.Unresolved},
		{"upper end outside", -0.01, 0.006, 0.022, study.Unresolved},
		{"lower end outside", -0.022, -0.006, 0.01, study.Unresolved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (interval{n: 4, lo: tt.lo, mean: tt.mean, hi: tt.hi}).classify(band); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// spread makes n launches of that mean and about that deviation.
func spread(mean, sd float64, n int) []float64 {
	units := make([]float64, n)
	for i := range units {
		units[i] = mean + sd*float64(1-2*(i%2))
	}
	return units
}

func TestReplayLooksInOrderAndKeepsTheFirstDecision(t *testing.T) {
	looks, alpha, band := []int{4, 5, 6}, 0.015, 0.02
	for _, tt := range []struct {
		name    string
		units   []float64
		class   study.Class
		decided int
		used    int
		open    bool
	}{
		{"no launch", nil, study.Unresolved, 0, 0, true},
		{"before the first look nothing is decided", spread(0.1, 0.0001, 3), study.Unresolved, 0, 3, true},
		{"the first look decides", spread(0.1, 0.001, 4), study.Worse, 4, 4, false},
		{"later launches change nothing", append(spread(0.1, 0.001, 4), -3, 5, 7), study.Worse, 4, 4, false},
		{"the second look decides what the first could not", append(spread(0.1, 0.04, 4), 0.1, 0.1), study.Worse, 5, 5, false},
		{"the last look decides", append(spread(0.1, 0.06, 4), 0.1, 0.1), study.Worse, 6, 6, false},
		{"a look is still to come", spread(0, 0.05, 5), study.Unresolved, 0, 5, true},
		{"after the last look it stays unresolved", spread(0, 0.05, 6), study.Unresolved, 0, 6, false},
		{"launches after the last look do not count", append(spread(0, 0.05, 6), 0, 0, 0), study.Unresolved, 0, 6, false},
		{"not worse, at the end", spread(-0.03, 0.03, 6), study.NotWorse, 0, 6, false},
		{"not worse needs the upper end inside the band", spread(-0.01, 0.03, 6), study.Unresolved, 0, 6, false},
		{"not worse, while looks remain", spread(-0.03, 0.016, 4), study.NotWorse, 0, 4, true},
		{"not worse needs the first look", spread(-0.3, 0.03, 3), study.Unresolved, 0, 3, true},
		{"not better is not said", spread(0.03, 0.03, 6), study.Unresolved, 0, 6, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := replay(looks, len(tt.units), band, func(n int) interval { return over(tt.units[:n], alpha) })
			if d.class != tt.class || d.decided != tt.decided || d.n != tt.used || d.open != tt.open {
				t.Errorf("%+v, want %s decided at %d, %d launches, open %v", d, tt.class, tt.decided, tt.used, tt.open)
			}
		})
	}
}

func TestTheDefaultRule(t *testing.T) {
	r := DefaultRule()
	if r.Alpha != 0.012 || r.LateAlpha != 0.005 || r.LateFrom != 12 || r.PaddedAlpha != 0.002 || r.ScreenAlpha != 0.002 || r.Screen != 3 {
		t.Errorf("%+v", r)
	}
	if want := []int{4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 21, 24, 28, 33, 38, 44, 51, 60, 70, 82, 96, 113, 133, 156, 184, 217, 256, 302, 356, 420}; !slices.Equal(r.Looks, want) {
		t.Errorf("looks %v", r.Looks)
	}
	if r.LongLooks[0] != 3 || r.LongLooks[len(r.LongLooks)-1] != 96 {
		t.Errorf("long looks %v", r.LongLooks)
	}
	near(t, "band", r.Band, math.Log(1.02), 0)
	near(t, "layout bound", r.LayoutBound, math.Log(8), 0)
	p := testPlan()
	p.Rule = r
	if err := checkPlan(p); err != nil {
		t.Error(err)
	}
}

func TestAnOlderPlanIsJudgedByTodaysRule(t *testing.T) {
	old := study.Rule{Burst: 5, Pairs: 7, Band: 0.1, Clock: "cpu", OverBuilds: true, Alpha: 0.5, Looks: []int{2}, MinCycles: 1}
	now := Current(old)
	if now.Burst != 5 || now.Pairs != 7 || now.Band != 0.1 || now.Clock != "cpu" || !now.OverBuilds {
		t.Errorf("what was measured and asked is lost: %+v", now)
	}
	want := DefaultRule()
	if now.Alpha != want.Alpha || !slices.Equal(now.Looks, want.Looks) || now.MinCycles != want.MinCycles || now.Version != Version || len(now.PaddedLooks) == 0 {
		t.Errorf("the numbers of the old rule judge: %+v", now)
	}
	same := DefaultRule()
	same.Alpha = 0.3
	if got := Current(same); got.Alpha != 0.3 {
		t.Errorf("a plan of this version keeps its numbers: %+v", got)
	}
	later := DefaultRule()
	later.Version, later.PaddedLooks = Version+1, nil
	if got := Current(later); len(got.PaddedLooks) != 0 {
		t.Errorf("layout is asked though the user said no: %v", got.PaddedLooks)
	}
	// The records of an old plan are admitted, and the file says by which rule.
	p, w := withoutLayout(testPlan()), plainWorld()
	p.Rule.Version, p.Rule.Alpha = 1, 0.5
	v, err := Judge(p, w.launches(p, 4))
	if err != nil || v.Judged != Version || v.Plan.Rule.Version != 1 || v.Results[0].Verdict != study.NoChange {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestTheMarginIsThatToAnotherClass(t *testing.T) {
	for mean, want := range map[float64]float64{0: 0.02, 0.005: 0.015, -0.005: 0.015, 0.0199: 0.005, 0.021: 0.021, -0.3: 0.3} {
		near(t, "margin", Margin(mean, 0.02), want, 1e-12)
	}
}

// The first launch is longer than those that follow, and launches count, not their time.
func TestWhatIsNeededIsLaunchesLikeTheLast(t *testing.T) {
	p := withoutLayout(testPlan())
	p.Rule.MinCycles, p.Rule.Looks = 0, []int{4, 5, 6, 7, 8, 9, 10, 11, 12, 100}
	w := plainWorld()
	w.op[1], w.launch = 1100, 0.15
	w.edit = func(r *study.Record) {
		if r.Launch == 0 {
			r.Seconds = 10
		}
	}
	got := judgeC(t, p, w.launches(p, 4))
	h := (math.Log1p(got.Deciding.Hi) - math.Log1p(got.Deciding.Lo)) / 2 / math.Log1p(got.Deciding.Effect)
	if h < 2 {
		t.Fatalf("the interval is decided, or nearly: %+v", got.Deciding)
	}
	near(t, "time needed", float64(got.NeedTime-got.Spent)/1e9, 4*(h*h-1)*0.5, 1e-6)
}
