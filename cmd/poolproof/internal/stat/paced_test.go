package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// slow is a program at a fixed rate whose cost is known. Index 0 is the
// baseline, 1 the candidate.
type slow struct {
	pace   study.Pace
	op     [2]float64 // ns of CPU time an operation, without collections
	bytes  [2]float64 // an operation
	room   float64    // bytes from one collection to the next, by the goal
	begins float64    // share of the room after which a collection begins
	price  float64    // ns of CPU time of a collection
	forced float64    // price of a forced one, as a share of that
	noise  float64    // standard deviation of a launch and side, log
	window float64    // of a window, log
	rate   float64    // share of the pace that is kept
}

// packets is a receiver of packets: 15 µs each, a buffer of 9 kB on the baseline
// .
func packets(rate int) slow {
	return slow{pace: study.Pace{Rate: rate, Window: study.Duration(5 * time.Second)}, op: [2]float64{15000, 15000},
		bytes: [2]float64{9216, 145}, room: 4 << 20, begins: 0.95, price: 150e3, forced: 1, rate: 1}
}

// perOp is the truth: what an operation takes with every collection paid.
func (s slow) perOp(side int) float64 {
	return s.op[side] + s.bytes[side]/(s.begins*s.room)*s.price
}

func (s slow) truth() float64 { return math.Log(s.perOp(1) / s.perOp(0)) }

// record is one launch. Each window begins just behind a collection, as the
// forced one of the window before it.
func (s slow) record(p study.Plan, i int, rng *rand.Rand) study.Record {
	r := study.Record{Schema: study.Schema, Plan: p.Digest(), Comparison: "c", Form: study.FormRate, Launch: i, Status: study.StatusOK,
		Started: time.Date(2026, 1, 2, 3, 4, i, 0, time.UTC), Seconds: 11, Machine: "m1", Go: word(p.Toolchain), N: s.pace.Ops()}
	own := [2]float64{s.noise * rng.NormFloat64(), s.noise * rng.NormFloat64()}
	n := float64(r.N)
	for range s.pace.Pairs() {
		r.CandidateFirst = append(r.CandidateFirst, rng.IntN(2) == 1)
		for side, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
			gcs := math.Floor(s.bytes[side] * n / (s.begins * s.room))
			cpu := s.op[side]*n*math.Exp(own[side]+s.window*rng.NormFloat64()) + gcs*s.price
			c.Wall = append(c.Wall, int64(float64(s.pace.Window)/s.rate))
			c.CPU = append(c.CPU, int64(cpu))
			c.Drain = append(c.Drain, 0)
			c.DrainW = append(c.DrainW, 0)
			c.Allocs = append(c.Allocs, uint64(n))
			c.Bytes = append(c.Bytes, uint64(s.bytes[side]*n))
			c.GCs = append(c.GCs, uint32(gcs))
			c.Pause = append(c.Pause, int64(gcs*20e3))
			c.Price = append(c.Price, int64(s.price*s.forced))
			c.PricePause = append(c.PricePause, 20e3)
			c.Room = append(c.Room, uint64(s.room))
			c.Late = append(c.Late, int64(n*80e3))
		}
	}
	return r
}

func pacedPlan(s slow) study.Plan {
	p := testPlan()
	p.Comparisons[0].Pace = &s.pace
	return p
}

func (s slow) launches(p study.Plan, n int) []study.Record {
	var rs []study.Record
	for i := range n {
		rs = append(rs, s.record(p, i, rand.New(rand.NewPCG(uint64(i), 3))))
	}
	return rs
}

func TestPacedComparisonsAreJudgedByCPUTime(t *testing.T) {
	for _, rate := range []int{100, 1000} {
		s := packets(rate)
		s.op[1], s.noise = 13000, 0.002
		p := withoutLayout(pacedPlan(s))
		got := judgeC(t, p, s.launches(p, 4))
		if got.Verdict != study.Positive || got.Estimator.String() != "rate cpu" || got.Deciding.Decided != 4 || got.Want != nil || got.Time != study.Better || got.Memory != study.Better {
			t.Fatalf("%d/s: %s by %s, %q", rate, got.Verdict, got.Estimator, said(got))
		}
		near(t, "effect", got.Deciding.Effect, math.Expm1(s.truth()), 0.003)
		near(t, "the baseline's time", got.BaselineTime, s.perOp(0), 0.003*s.perOp(0))
		if got.MWall != (study.Estimate{}) || got.TWall != (study.Estimate{}) || got.TCPU != (study.Estimate{}) || got.LongCPU != (study.Estimate{}) {
			t.Errorf("%d/s: other estimates than that of the pace: %+v", rate, got)
		}
		if !has(said(got)[:1], "CPU time falls: ", "rate cpu, 4 launches") {
			t.Errorf("%q", said(got))
		}
		q := got.Paced
		if q == nil || q.Rate != rate || q.Window != s.pace.Window {
			t.Fatalf("%+v", q)
		}
		near(t, "CPU/op", q.CPU[0], s.perOp(0), 0.003*s.perOp(0))
		near(t, "B/s", q.Bytes[0], 9216*float64(rate), 1)
		near(t, "allocs/s", q.Allocs[1], float64(rate), 1e-6)
		near(t, "GCs/min", q.Cycles[0], 60*9216*float64(rate)/(0.95*s.room), 1e-3*q.Cycles[0])
		near(t, "pause ms/min", q.Pause[0], 60*9216*float64(rate)/(0.95*s.room)*0.02, 1e-3*q.Pause[0])
		near(t, "late", q.Late[1], 80e3, 1e-6)
		near(t, "owed", q.Owed[0], (9216*5*float64(rate)/(0.95*s.room)-math.Floor(9216*5*float64(rate)/(0.95*s.room)))*s.price/(s.perOp(0)*5*float64(rate)), 1e-4)
	}
}

func TestWhatAWindowOwes(t *testing.T) {
	for _, tt := range []struct {
		name        string
		bytes, room uint64
		ran         uint32
		want        float64
	}{
		{"nothing was made", 0, 1000, 0, 0},
		{"half a collection", 475, 1000, 0, 0.5},
		{"one and a half, of which one ran", 1425, 1000, 1, 0.5},
		{"one ran for garbage that was made before", 70, 1000, 1, -0.9},
		{"as many ran as the garbage makes if they begin early", 800, 1000, 1, 0},
		{"as many ran as it makes if they begin very early", 701, 1000, 1, 0},
		{"never more than one", 9500, 1000, 2, 1},
		{"never less than minus one", 0, 1000, 5, -1},
		{"the collector is off", 1 << 40, 1 << 62, 0, 1.0 / (4 * 1024 * 1024 * 0.95)},
		{"at the memory limit", 1 << 20, 0, 3, 0},
	} {
		if got := owed(tt.bytes, tt.room, tt.ran); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestHalfOfWhatIsChargedByPriceStandsInTheInterval(t *testing.T) {
	s := packets(100) // 1.16 collections a window on the baseline, one of them seen
	s.price = 2e6
	p := pacedPlan(s)
	rs := s.launches(p, 4)
	l := &launch{rec: &rs[0]}
	share := charged(l.rec)
	owes := 9216*500/(0.95*s.room) - 1
	near(t, "share of the baseline", share[0], owes*2e6/(s.perOp(0)*500), 1e-6)
	got := judgeC(t, p, rs)
	want := math.Log1p(share[0]/2) + math.Log1p(math.Abs(share[1])/2)
	near(t, "half-width", (math.Log1p(got.Deciding.Hi)-math.Log1p(got.Deciding.Lo))/2, want, 1e-9)
	near(t, "effect", math.Log1p(got.Deciding.Effect), s.truth(), 1e-4)
}

func TestWhatIsGivenBackWidensTheIntervalToo(t *testing.T) {
	s := packets(100)
	s.bytes[1] = s.bytes[0]
	p := pacedPlan(s)
	rs := s.launches(p, 4)
	for i := range rs { // a collection of the set-up's garbage in a window that makes next to none
		rs[i].Candidate.GCs[0], rs[i].Candidate.Bytes[0] = 1, 1000
	}
	tr := newTrial(p, p.Comparisons[0], pointers(rs))
	share := charged(&rs[0])
	if share[0] <= 0 || share[1] >= 0 {
		t.Fatalf("charged %v: this tests nothing", share)
	}
	near(t, "error", tr.e.priced(tr.e.launches), math.Log1p(share[0]/2)+math.Log1p(-share[1]/2), 1e-12)
}

func TestPacedComparisonsLookAsOftenAsTheLongForm(t *testing.T) {
	s := packets(100)
	s.noise = 0.2
	p := pacedPlan(s)
	for n, want := range map[int]bool{0: true, 1: true, 7: true, 8: false} {
		got := judgeC(t, p, s.launches(p, n))
		if (got.Want != nil) != want || want && (got.Want.Form != study.FormRate || got.Want.Launch != n) {
			t.Errorf("after %d launches: wants %+v", n, got.Want)
		}
	}
}

func TestPacedRecordsFitTheirComparison(t *testing.T) {
	s := packets(100)
	p := pacedPlan(s)
	for name, edit := range map[string]func(*study.Record){
		"another form":        func(r *study.Record) { r.Form = study.FormBursts },
		"the long form":       func(r *study.Record) { r.Form = study.FormStretch },
		"no price":            func(r *study.Record) { r.Baseline.Price = nil },
		"no room":             func(r *study.Record) { r.Candidate.Room = nil },
		"no CPU time":         func(r *study.Record) { r.Candidate.CPU = nil },
		"a price for nothing": func(r *study.Record) { r.Baseline.Price = append(r.Baseline.Price, 1) },
	} {
		rs := s.launches(p, 1)
		edit(&rs[0])
		if _, err := Judge(p, rs); err == nil {
			t.Errorf("%s passes", name)
		}
	}
	plain := testPlan()
	rs := s.launches(plain, 1)
	if _, err := Judge(plain, rs); err == nil {
		t.Error("a paced launch of a comparison without a pace passes")
	}
}

func TestSwappingTheSidesMirrorsAPacedComparison(t *testing.T) {
	s := packets(100)
	s.op[1], s.noise = 13000, 0.01
	p := withoutLayout(pacedPlan(s))
	rs := s.launches(p, 6)
	a, b := judgeC(t, p, rs), judgeC(t, p, swapped(rs))
	near(t, "effect", math.Log1p(a.Deciding.Effect), -math.Log1p(b.Deciding.Effect), 1e-12)
	near(t, "end", math.Log1p(a.Deciding.Lo), -math.Log1p(b.Deciding.Hi), 1e-12)
	if a.Time != study.Better || b.Time != study.Worse {
		t.Errorf("%s %s", a.Time, b.Time)
	}
}

// pacedCell is how honest the interval is at a fixed rate. All shares are of
// Runs. Launches and windows differ by noise; a forced collection costs more
// or less than one in the window.
type pacedCell struct {
	Rate     int     `json:"rate"`
	New      float64 `json:"new_ns"`   // an operation of the candidate, without collections; 15 µs on the baseline
	Price    float64 `json:"price_us"` // of a collection
	Forced   float64 `json:"forced"`   // price of a forced one, as a share of that
	Begins   float64 `json:"begins"`   // share of the room after which a collection begins
	Truth    float64 `json:"truth"`    // log ratio
	Covered  float64 `json:"covered"`  // the interval at the end holds the truth
	Seen     float64 `json:"seen"`     // so does that of the CPU time as it was seen, nothing charged
	Right    float64 `json:"right"`    // the direction was found
	Wrong    float64 `json:"wrong"`    // a direction that the truth does not have, or same where it is beyond the band
	Launches float64 `json:"launches"` // mean number at the end
	Half     float64 `json:"half"`     // mean half-width at the end, log ratio
}

func simulatePaced(runs int) []pacedCell {
	var cells []pacedCell
	seed := uint64(0)
	for _, rate := range []int{100, 1000} {
		for _, new := range []float64{14000, 15300} {
			for _, price := range []float64{150, 500} {
				for _, forced := range []float64{0.7, 1, 1.4} {
					for _, begins := range []float64{0.85, 0.95} {
						seed++
						c := pacedCell{Rate: rate, New: new, Price: price, Forced: forced, Begins: begins}
						c.run(runs, rand.New(rand.NewPCG(seed, 43)))
						cells = append(cells, c)
					}
				}
			}
		}
	}
	return cells
}

func (c *pacedCell) run(runs int, rng *rand.Rand) {
	s := packets(c.Rate)
	s.price, s.forced, s.begins = 1000*c.Price, c.Forced, c.Begins
	s.op[1], s.noise, s.window = c.New, 0.005, 0.005
	c.Truth = s.truth()
	p := withoutLayout(pacedPlan(s))
	rule, one := p.Rule, 1/float64(runs)
	last := rule.LongLooks[len(rule.LongLooks)-1]
	for range runs {
		var rs []study.Record
		for i := range last {
			rs = append(rs, s.record(p, i, rng))
		}
		res, err := JudgeOne(p, "c", rs)
		if err != nil {
			panic(err)
		}
		if math.Log1p(res.Deciding.Lo) <= c.Truth && c.Truth <= math.Log1p(res.Deciding.Hi) {
			c.Covered += one
		}
		var us []float64
		for i := range res.Deciding.Launches {
			us = append(us, plain(pairsOf(&rs[i], cpu)))
		}
		if iv := over(us, rule.Alpha); iv.lo <= c.Truth && c.Truth <= iv.hi {
			c.Seen += one
		}
		switch {
		case res.Time == study.Better && c.Truth >= 0, res.Time == study.Worse && c.Truth <= 0,
			res.Time == study.Same && math.Abs(c.Truth) > rule.Band:
			c.Wrong += one
		case res.Time == study.Better, res.Time == study.Worse:
			c.Right += one
		}
		c.Launches += one * float64(res.Deciding.Launches)
		c.Half += one * (math.Log1p(res.Deciding.Hi) - math.Log1p(res.Deciding.Lo)) / 2
	}
	for _, x := range []*float64{&c.Truth, &c.Covered, &c.Seen, &c.Right, &c.Wrong, &c.Launches, &c.Half} {
		*x = round5(*x)
	}
}

const pacedFile = "testdata/paced.json"

func TestTheSimulationOfPacedComparisonsIsThatOfTheFile(t *testing.T) {
	simulated(t, pacedFile, simulatePaced, 2000, 100, func(name string, got, want pacedCell, runs int) {
		for what, x := range map[string][2]float64{"covered": {got.Covered, want.Covered}, "seen": {got.Seen, want.Seen}, "right": {got.Right, want.Right}, "wrong": {got.Wrong, want.Wrong}} {
			near(t, name+what, x[0], x[1], 4*math.Sqrt(x[1]*(1-x[1])/float64(runs))+1.5/float64(runs))
		}
		near(t, name+"half-width", got.Half, want.Half, 0.15*want.Half)
	})
	for _, c := range readCells[pacedCell](t, pacedFile) {
		if c.Covered < 0.93 || c.Wrong > 0.01 {
			t.Errorf("not honest: %s", fmt.Sprintf("%+v", c))
		}
	}
}
