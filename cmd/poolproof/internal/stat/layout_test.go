package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// wants does what the rule asks for and lists it, as "bursts 0.3" for launch 3
// on the plain builds.
func wants(t *testing.T, p study.Plan, w world) (list []string, res study.Result, rs []study.Record) {
	t.Helper()
	for range 100 {
		res = judgeC(t, p, rs)
		if res.Want == nil {
			return list, res, rs
		}
		list = append(list, fmt.Sprintf("%s %d.%d", res.Want.Form, res.Want.Layout, res.Want.Launch))
		rs = append(rs, w.record(p, "c", res.Want.Form, res.Want.Layout, res.Want.Launch))
	}
	t.Fatal("the rule never has enough")
	return nil, res, rs
}

// on gives each of 24 padded builds an effect of its own.
func on(effect func(build int) float64) []float64 {
	var layouts []float64
	for k := 1; k <= 24; k++ {
		layouts = append(layouts, effect(k))
	}
	return layouts
}

func TestADifferenceOfTimeAloneIsAskedOfPaddedBuilds(t *testing.T) {
	swap := func(d float64) []float64 { // one layout or the other, as the plain build has it
		return on(func(k int) float64 { return -d * float64(k%2) })
	}
	for _, tt := range []struct {
		name    string
		op      float64
		layouts []float64
		want    study.Verdict
		builds  int
		reason  string
	}{
		{"all builds agree", 960, on(func(k int) float64 { return 0.002 * float64(k%3-1) }), study.Positive, 8, "8 padded builds confirm it: as built it is -4.0 %"},
		{"all builds agree that it is worse", 1040, on(func(k int) float64 { return 0.002 * float64(k%3-1) }), study.Negative, 8, "8 padded builds confirm it: as built it is +4.0 %"},
		{"a loop takes either of two times", 1270, swap(2 * math.Log(1.27)), study.Inconclusive, 24, "code layout alone could explain the difference: as built it is +27.0 % (+27.0 % to +27.0 %), and 24 padded builds do not confirm that"},
		{"builds differ widely, and the effect is larger", 1400, on(func(k int) float64 { return 0.06 * float64(k%5-2) }), study.Negative, 8, "confirm it"},
		{"the difference is that of the plain build", 1300, on(func(k int) float64 { return -math.Log(1.3) + 0.001*float64(k%3-1) }), study.Inconclusive, 8, "and 8 padded builds do not confirm that"},
		{"the padded builds turn it round", 1100, on(func(k int) float64 { return -0.2 + 0.001*float64(k%3) }), study.Inconclusive, 8, "code layout alone could explain"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := testPlan(), plainWorld()
			w.op[1], w.layouts = tt.op, tt.layouts
			list, got, rs := wants(t, p, w)
			if s := strings.Join(list[:6], ", "); s != "bursts 0.0, bursts 0.1, bursts 0.2, bursts 0.3, bursts 1.0, bursts 2.0" || len(list) != 4+tt.builds {
				t.Errorf("%d launches, first %s", len(list), s)
			}
			if got.Verdict != tt.want || !has(said(got), tt.reason) {
				t.Errorf("%s, want %s: %q", got.Verdict, tt.want, said(got))
			}
			if tt.want == study.Inconclusive {
				if got.Time != study.Unresolved || got.AsBuilt == nil || got.AsBuilt.Launches != 4 || got.Deciding.Launches != tt.builds || !strings.HasPrefix(said(got)[0], "code layout") {
					t.Errorf("time %s, estimate %+v: %q", got.Time, got.Deciding, said(got))
				}
			} else if got.AsBuilt == nil || got.AsBuilt.Launches != 4 || got.Deciding.Launches != tt.builds || got.MWall.Launches != 4 || len(got.Times) != tt.builds || got.Times[0].Layout != 1 {
				t.Errorf("as built %+v, decided by %+v of %+v", got.AsBuilt, got.Deciding, got.Times)
			}
			part := judgeC(t, p, rs[:7]) // 3 of 8 builds
			if part.Verdict != study.Inconclusive || said(part)[0] != "not confirmed on padded builds: 3 s more" || part.Want == nil || part.Want.Layout != 4 {
				t.Errorf("stopped on the way: %s %q", part.Verdict, said(part))
			}
			// More launches than the rule asked for change nothing.
			w.layouts = on(func(int) float64 { return 3 })
			for k := tt.builds + 1; k <= 24; k++ {
				rs = append(rs, w.record(p, "c", study.FormBursts, k, 0))
			}
			rs = append(rs, w.record(p, "c", study.FormBursts, 1, 1))
			if more := judgeC(t, p, rs); core(more) != core(got) {
				t.Errorf("more launches: %s\n%s", core(more), core(got))
			}
		})
	}
}

// Builds that contradict each other are asked for after what can still be decided.
func TestBuildsThatHardlyConfirmAreSaidToBeUnlikely(t *testing.T) {
	for name, tt := range map[string]struct {
		layouts []float64
		builds  int
		want    bool
	}{
		"either of two times":                   {on(func(k int) float64 { return -2 * math.Log(1.4) * float64(k%2) }), 8, true},
		"either of two times, before the look":  {on(func(k int) float64 { return -2 * math.Log(1.4) * float64(k%2) }), 7, false},
		"no effect":                             {on(func(k int) float64 { return -math.Log(1.4) + 0.02*float64(k%3-1) }), 7, false},
		"wide, and 24 builds like them confirm": {on(func(k int) float64 { return 0.2 * float64(k%5-2) }), 8, false},
	} {
		p, w := testPlan(), plainWorld()
		w.op[1], w.layouts = 1400, tt.layouts
		_, _, rs := wants(t, p, w)
		got := judgeC(t, p, rs[:4+tt.builds])
		if got.Want == nil || got.Want.Layout != tt.builds+1 || got.Want.Unlikely != tt.want {
			t.Errorf("%s: wants %+v: %q", name, got.Want, said(got))
		}
	}
}

func TestWhatNoLayoutCanMakeIsNotAskedOfPaddedBuilds(t *testing.T) {
	for op, builds := range map[float64]int{2000: 8, 7800: 8, 8200: 0, 11400: 0, 450: 8, 120: 0} {
		p, w := testPlan(), plainWorld()
		w.op[1], w.noise, w.launch = op, 0.001, 0.001
		w.layouts = on(func(k int) float64 { return 0.001 })
		list, got, _ := wants(t, p, w)
		first := 4
		if builds == 0 {
			first = 3 // the screen decides
		}
		if len(list) != first+builds || !moves(got.Time) {
			t.Errorf("%g ns against 1000: %s after %v", op, got.Time, list)
		}
	}
}

func TestTheScreenDecidesNothingThatLaunchesDisagreeOn(t *testing.T) {
	p, w := withoutLayout(testPlan()), plainWorld()
	w.op[1], w.launch = 3000, 0.3
	got := judgeC(t, p, w.launches(p, 3))
	if moves(got.Time) || got.Want == nil {
		t.Errorf("%s by %+v", got.Time, got.Deciding)
	}
}

func TestTheLayoutIsNotCheckedWhereItCannotMatter(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*world, *study.Plan)
		want study.Verdict
	}{
		{"no change", func(w *world, p *study.Plan) { w.op[1] = 1000 }, study.NoChange},
		{"the plan does not ask for it", func(w *world, p *study.Plan) { p.Rule.PaddedLooks = nil }, study.Positive},
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

// What the builds as they are say of time decides nothing where layout may hide a difference.
func TestWhatLayoutHidesIsSeenOverBuilds(t *testing.T) {
	for _, tt := range []struct {
		name   string
		op     float64 // of the builds as they are, of 1000
		over   float64 // and of padded ones, log ratio
		want   study.Class
		builds int
	}{
		{"a difference that is hidden", 1001, 0.05, study.Worse, 8},
		{"a gain that is hidden", 999, -0.05, study.Better, 8},
		{"equality that is hidden", 1050, 0.002, study.Same, 8},
		{"the band is never far", 1000, 0.0196, study.Unresolved, 24},
		{"more than a layout makes", 9000, 0, study.Worse, 0},
	} {
		p, w := testPlan(), plainWorld()
		p.Rule.OverBuilds, p.Rule.Band = true, 0.02
		w.op[1] = tt.op
		w.layouts = on(func(k int) float64 { return tt.over - math.Log(tt.op/1000) + 0.002*float64(k%3-1) })
		list, got, _ := wants(t, p, w)
		if got.Time != tt.want || tt.builds > 0 && (len(list) != 4+tt.builds || got.Deciding.Launches != tt.builds || got.AsBuilt == nil) || tt.builds == 0 && got.AsBuilt != nil {
			t.Errorf("%s: %s, %+v by %d launches; want %s by %d builds", tt.name, got.Time, got.Deciding, len(list), tt.want, tt.builds)
		}
	}
	p, w := testPlan(), plainWorld()
	p.Rule.OverBuilds = true
	if got := judgeC(t, p, w.launches(p, 4)); got.Time != study.Unresolved || got.Want == nil || got.Want.Layout != 1 {
		t.Errorf("before the first padded build: %s, wants %+v", got.Time, got.Want)
	}
}

// Memory that falls is enough for a verdict, if time does not rise; the gain of
// time is claimed only where padded builds have it too.
func TestMemoryThatFallsLeavesToLayoutWhetherTimeFallsToo(t *testing.T) {
	for _, tt := range []struct {
		name   string
		op     float64
		layout float64 // of each padded build beside the plain one
		time   study.Class
		want   study.Verdict
	}{
		{"builds agree", 900, 0, study.Better, study.Positive},
		{"builds show nothing", 900, math.Log(1 / 0.9), study.NotWorse, study.Positive},
		{"builds show the opposite", 900, 0.3, study.Unresolved, study.Inconclusive},
		{"time rises", 1100, 0, study.Worse, study.TradeOff},
		{"time rises as built only", 1100, -math.Log(1.1), study.Unresolved, study.Inconclusive},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := testPlan(), plainWorld()
			p.Rule.MinCycles = 0
			w.op[1], w.bytes[1], w.allocs[1] = tt.op, 20, 1
			w.layouts = on(func(k int) float64 { return tt.layout + 0.001*float64(k%3-1) })
			list, got, rs := wants(t, p, w)
			if got.Time != tt.time || got.Verdict != tt.want || len(list) != 12 {
				t.Errorf("%s, time %s, after %v: %q", got.Verdict, got.Time, list, said(got))
			}
			if part := judgeC(t, p, rs[:6]); tt.op < 1000 && (part.Verdict != study.Positive || part.Time != study.NotWorse || part.Want == nil) {
				t.Errorf("on the way %s, time %s: %q", part.Verdict, part.Time, said(part))
			}
		})
	}
}

func TestPacedComparisonsAreAskedOfPaddedBuildsToo(t *testing.T) {
	s := packets(1000)
	s.bytes[1] = s.bytes[0]
	for op, want := range map[float64]bool{15000: false, 15000 * 1.10: true} {
		s.op[1] = op
		p := pacedPlan(s)
		got := judgeC(t, p, s.launches(p, 4))
		if padded := got.Want != nil && got.Want.Form == study.FormRate && got.Want.Layout == 1; padded != want {
			t.Errorf("%g ns: %s, wants %+v", op, got.Verdict, got.Want)
		}
	}
}

// Two arms with the same machine code whose layouts are drawn: how often does
// the rule claim a difference, once the plain builds show one? The worst case
// is a loop that takes either of two times at even odds.
func TestLayoutAloneSeldomMakesAClaim(t *testing.T) {
	const runs = 4000
	rng := rand.New(rand.NewPCG(5, 6))
	slow := func(p, by float64) float64 {
		if rng.Float64() < p {
			return by
		}
		return 0
	}
	for _, tt := range []struct {
		name string
		draw func() float64
		most float64 // share of runs with a claim
	}{
		{"either of two times, 20 % apart", func() float64 { return 2*slow(0.5, 0.2) - 0.2 }, 0.022},
		{"either of two times, 5 % apart", func() float64 { return 2*slow(0.5, 0.05) - 0.05 }, 0.022},
		{"each arm slow in a tenth of the layouts", func() float64 { return slow(0.1, 0.3) - slow(0.1, 0.3) }, 0.002},
		{"each arm slow in a quarter", func() float64 { return slow(0.25, 0.3) - slow(0.25, 0.3) }, 0.006},
		{"each arm slow in half", func() float64 { return slow(0.5, 0.3) - slow(0.5, 0.3) }, 0.01},
		{"normal", func() float64 { return 0.1 * rng.NormFloat64() }, 0.01},
		{"uniform", func() float64 { return 0.3 * (2*rng.Float64() - 1) }, 0.018},
		{"heavy tails", func() float64 { return 0.03 * rng.NormFloat64() / math.Sqrt(rng.ExpFloat64()) }, 0.005},
		{"none", func() float64 { return 0 }, 0.001},
	} {
		r := DefaultRule()
		e := &evidence{rule: r}
		claims := 0
		for range runs {
			var ls []*launch
			for range r.PaddedLooks[len(r.PaddedLooks)-1] {
				l := &launch{}
				l.known[mWall], l.value[mWall] = true, tt.draw()+0.005*rng.NormFloat64()
				ls = append(ls, l)
			}
			if at := e.overBuilds(ruling{metric: mWall}, ls); moves(replay(r.PaddedLooks, len(ls), r.Band, at).class) {
				claims++
			}
		}
		share := float64(claims) / runs
		t.Logf("%s: %.2f %%", tt.name, 100*share)
		if share > tt.most {
			t.Errorf("%s: a claim in %.4f of the runs, at most %.4f promised", tt.name, share, tt.most)
		}
	}
}

// The looks go on until the budget ends: over all of them, intervals exclude
// the truth more often than over the first nine. The first launch is longer and thus more
// precise than the others: that makes them exclude it less often.
func TestLooksThatGoOnKeepTheirPromise(t *testing.T) {
	equal, equalAll := crossing(1)
	t.Logf("an interval excludes 0 in %.1f %% of the runs to 12 launches, in %.1f %% of all", 100*equal, 100*equalAll)
	if equal > 0.055 || equal < 0.03 || equalAll > 0.09 {
		t.Errorf("%.3f by 12 launches, %.3f by all", equal, equalAll)
	}
	for _, first := range []float64{0, 0.3, 0.6} {
		if e, all := crossing(first); e > equal || all > equalAll {
			t.Errorf("with a deviation of %.1f of the first launch: %.3f by 12 launches, %.3f by all", first, e, all)
		}
	}
}

// crossing is the share of runs in which an interval excludes 0 at a look, up to 12
// launches and in all, where the first launch has another standard deviation than 1.
func crossing(first float64) (early, all float64) {
	const runs = 2000
	rng := rand.New(rand.NewPCG(7, 8))
	r := DefaultRule()
	tr := &trial{e: &evidence{rule: r}}
	us := make([]float64, r.Looks[len(r.Looks)-1])
	for range runs {
		for i := range us {
			us[i] = rng.NormFloat64()
		}
		us[0] *= first
		for _, n := range r.Looks {
			if iv := over(us[:n], tr.e.alpha(n)); iv.lo > 0 || iv.hi < 0 {
				all += 1. / runs
				if n <= 12 {
					early += 1. / runs
				}
				break
			}
		}
	}
	return early, all
}
