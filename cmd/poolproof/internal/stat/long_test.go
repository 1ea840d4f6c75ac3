package stat

import (
	"math"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// garbageWorld has a baseline that collects once in about five bursts and an
// arm that makes no garbage.
func garbageWorld() world {
	w := plainWorld()
	w.pairs = 200
	w.bytes, w.allocs = [2]float64{800, 0}, [2]float64{8, 0}
	w.cycle = 4e6
	w.noise = 0.01
	return w
}

func TestTotalsRecoverTheKnownPriceOfGarbage(t *testing.T) {
	for _, tt := range []struct {
		name        string
		bytes       [2]float64
		op          float64
		price       float64 // of a collection, ns
		drain       float64
		wall, total float64 // truth: log ratio with garbage paid, wall and CPU
	}{
		{"no collections at all", [2]float64{0, 0}, 900, 0, 0, math.Log(0.9), math.Log(0.9)},
		{"rare and dear", [2]float64{100, 0}, 1000, 2e6, 0, -math.Log(1.05), -math.Log(1.05)},
		{"common and cheap", [2]float64{800, 0}, 1000, 250e3, 0, -math.Log(1.05), -math.Log(1.05)},
		{"half of the price is paid after the burst", [2]float64{800, 0}, 1000, 250e3, 250e3, -math.Log(1.05), -math.Log(1.10)},
		{"both collect", [2]float64{800, 400}, 1000, 500e3, 0, math.Log(1.05 / 1.10), math.Log(1.05 / 1.10)},
		{"in every burst", [2]float64{4000, 0}, 1000, 100e3, 100e3, -math.Log(1.1), -math.Log(1.2)},
		{"in every burst, twice", [2]float64{8000, 4000}, 1000, 100e3, 0, math.Log(1.1 / 1.2), math.Log(1.1 / 1.2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := garbageWorld()
			w.bytes, w.op[1], w.price, w.drain = tt.bytes, tt.op, tt.price, tt.drain
			var wallT, cpuT []float64
			for i := range 8 {
				r := w.record(testPlan(), "c", study.FormBursts, 0, i)
				l := &launch{rec: &r}
				v, se := l.estimate(tWall)
				wallT = append(wallT, v)
				if !(se >= 0 && se < 0.02) {
					t.Errorf("standard error %v", se)
				}
				v, _ = l.estimate(tCPU)
				cpuT = append(cpuT, v)
			}
			near(t, "T wall", mean(wallT), tt.wall, 0.004)
			near(t, "T CPU", mean(cpuT), tt.total, 0.004)
		})
	}
}

func TestTheTotalDecidesWhereTheTimeBetweenCollectionsMisleads(t *testing.T) {
	p, w := withoutLayout(testPlan()), garbageWorld()
	w.op[1], w.price = 1140, 1.13e6 // mutator +14 %, in all -7 %
	got := judgeC(t, p, w.launches(p, 4))
	if got.MWall.Class != study.Worse || got.TWall.Class != study.Better || got.Estimator.String() != "T wall" {
		t.Fatalf("%+v", got)
	}
	// They are opposite: without the long form nothing is claimed.
	if got.Time != study.Unresolved || got.Verdict != study.Inconclusive || got.Want == nil || got.Want.Form != study.FormStretch || got.Want.Launch != 0 {
		t.Fatalf("%s %s %+v", got.Time, got.Verdict, got.Want)
	}
	if !has(said(got), "between collections (M wall) time is worse, with them (T wall) it is better") {
		t.Errorf("reasons %q", said(got))
	}
	got, rs := w.measure(t, p, w.launches(p, 4))
	if got.Verdict != study.Positive || got.Estimator.String() != "long wall" || got.LongWall.Launches != 4 || got.LongWall.Decided != 4 || got.Deciding != got.LongWall || len(rs) != 8 {
		t.Fatalf("%+v", got)
	}
	near(t, "effect", got.Deciding.Effect, -0.07, 0.01)
	near(t, "the baseline's time", got.BaselineTime, 1000+800/4e6*1.13e6, 10)
}

func TestTheLongFormIsWanted(t *testing.T) {
	for _, tt := range []struct {
		name    string
		edit    func(*world, *study.Plan)
		long    bool
		verdict study.Verdict // before the long form ran
		reason  string
	}{
		{"not where both numbers agree", func(w *world, p *study.Plan) { w.op[1] = 800 }, false, study.Positive, "time falls"},
		{"where they differ in class", func(w *world, p *study.Plan) { w.price = 500e3 }, true, study.Positive, "the class of T wall stands"},
		{"where they differ in class on the CPU clock", func(w *world, p *study.Plan) { w.drain = 500e3; p.Rule.Clock = "cpu" }, true, study.Positive, "the class of T cpu stands"},
		{"not with equal garbage", func(w *world, p *study.Plan) { w.bytes[1], w.allocs[1] = 800, 8 }, false, study.NoChange, "time stays"},
		{"where a collection is longer than a burst", func(w *world, p *study.Plan) { w.op[1], w.drainW = 800, 12e6 }, true, study.Positive, "a collection takes 12ms beyond its burst of 1ms"},
		{"not where it is shorter", func(w *world, p *study.Plan) { w.op[1], w.drainW = 800, 0.9e6 }, false, study.Positive, "time falls"},
		{"where collections are few", func(w *world, p *study.Plan) { w.cycle = 400e6 }, true, study.Inconclusive, "fewer than 20"},
		{"not with the collector off", func(w *world, p *study.Plan) { w.cycle = 0; p.Env = []string{"GOGC=off"} }, false, study.Positive, "memory only"},
		{"not with the collector and the limit off", func(w *world, p *study.Plan) { w.cycle = 0; p.Env = []string{"GOGC=off", "GOMEMLIMIT=off"} }, false, study.Positive, "memory only"},
		{"with the collector off up to a limit", func(w *world, p *study.Plan) {
			w.cycle = 0
			p.Env, p.Comparisons[0].Cell = []string{"GOGC=off"}, []string{"GOMEMLIMIT=50MiB"}
		}, true, study.Inconclusive, "fewer than 20"},
		{"not by whole processes", func(w *world, p *study.Plan) { w.cycle = 400e6; p.Engine = study.EnginePairs }, false, study.Positive, "memory only"},
		{"not before the bursts had their say", func(w *world, p *study.Plan) { w.launch = 0.2; w.cycle = 400e6 }, false, study.Inconclusive, "unresolved"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := withoutLayout(testPlan()), garbageWorld()
			tt.edit(&w, &p)
			got := judgeC(t, p, w.launches(p, 4))
			if long := got.Want != nil && got.Want.Form == study.FormStretch; long != tt.long {
				t.Errorf("long form: %v; %+v", long, got.Want)
			}
			if got.Verdict != tt.verdict || !has(said(got), tt.reason) {
				t.Errorf("%s, want %s; %q", got.Verdict, tt.verdict, said(got))
			}
		})
	}
}

func TestTheLongFormIsWantedWhereTheTotalStaysUnresolved(t *testing.T) {
	// Every other launch has dear collections: the total goes both ways, the
	// time between collections is worse in all.
	p, cheap := withoutLayout(testPlan()), garbageWorld()
	dear := cheap
	cheap.op[1], dear.op[1] = 1140, 1140
	cheap.price, dear.price = 300e3, 1130e3
	last := p.Rule.Looks[len(p.Rule.Looks)-1]
	rs := cheap.launches(p, last)
	for i, r := range dear.launches(p, last) {
		if i%2 == 1 {
			rs[i] = r
		}
	}
	got := judgeC(t, p, rs)
	if got.TWall.Class != study.Unresolved || got.MWall.Class != study.Worse {
		t.Fatalf("T is %s, M %s: this tests nothing", got.TWall.Class, got.MWall.Class)
	}
	if got.Want == nil || got.Want.Form != study.FormStretch {
		t.Errorf("wants %+v after %d launches: %q", got.Want, last, said(got))
	}
	if got := judgeC(t, p, rs[:last-1]); got.Want == nil || got.Want.Form != study.FormBursts {
		t.Errorf("wants %+v before the last look", got.Want)
	}
}

func TestTheLongFormGoesOnUntilItSawEnoughCollections(t *testing.T) {
	p, w := withoutLayout(testPlan()), garbageWorld()
	w.pairs, w.cycle = 40, 160e6/3 // 0.6 collections a launch of bursts, 3 a long one
	got, rs := w.measure(t, p, nil)
	longs := len(rs) - 4
	if got.Verdict != study.Positive || got.LongWall.Decided != 4 || longs < 6 || longs > 7 || got.Cycles[0] < 20 || got.Cycles[0] > 23 {
		t.Errorf("%s after %d long launches and %d collections: %q", got.Verdict, longs, got.Cycles, said(got))
	}
	// All but the last of them: the long form has decided, and yet the price
	// of a collection is not known.
	before := judgeC(t, p, rs[:len(rs)-1])
	if before.Verdict != study.Inconclusive || before.LongWall.Decided != 4 || before.NeedTime <= before.Spent {
		t.Errorf("%+v", before)
	}
	w.cycle = 160e6
	got, rs = w.measure(t, p, nil)
	if got.Verdict != study.Inconclusive || len(rs) != 12 || !has(said(got)[:1], "fewer than 20 collections were seen") || got.NeedTime != 0 {
		t.Errorf("%s after %d launches, %v: %q", got.Verdict, len(rs), got.NeedTime, said(got))
	}
}

func TestTheLongFormThatCannotDecideLeavesTimeUnresolved(t *testing.T) {
	p, w := withoutLayout(testPlan()), garbageWorld()
	w.price = 500e3
	rs := w.launches(p, 4)
	w.edit = func(r *study.Record) { // of every other stretch, a tenth takes three times as long
		for i := 0; r.Form == study.FormStretch && r.Launch%2 == 1 && i < len(r.Candidate.Wall); i += 10 {
			r.Candidate.Wall[i] *= 3
		}
	}
	got, all := w.measure(t, p, rs)
	if got.Time != study.Unresolved || got.Estimator.String() != "long wall" || got.Verdict != study.Inconclusive || got.LongWall.Launches != 8 || len(all) != 12 {
		t.Errorf("%s %s after %d launches, %+v", got.Verdict, got.Estimator, len(all), got.LongWall)
	}
	// While it may still decide, T stands.
	if part := judgeC(t, p, all[:9]); part.Estimator.String() != "T wall" || part.Time != study.Better || part.Want == nil || part.LongWall.Launches != 5 {
		t.Errorf("%+v", part)
	}
}

func TestAPlanWithoutLongLooksSaysSo(t *testing.T) {
	p, w := withoutLayout(testPlan()), garbageWorld()
	p.Rule.LongLooks = nil
	w.op[1], w.price = 1140, 1.13e6
	got, rs := w.measure(t, p, nil)
	if got.Verdict != study.Inconclusive || len(rs) != 4 || !has(said(got)[:1], "only the long form") {
		t.Errorf("%s %q", got.Verdict, said(got))
	}
}
