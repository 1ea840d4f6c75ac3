package stat

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// seldom is a world that collects a few times in all launches, at that price.
func seldom(price float64) world {
	w := garbageWorld()
	w.cycle = 50e6 // 0.8 MB a burst: 3.2 collections a launch of 200
	w.price = price
	w.edit = func(r *study.Record) {
		for _, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
			for _, gcs := range c.GCs {
				c.GCCPU = append(c.GCCPU, int64(float64(gcs)*price))
			}
		}
	}
	return w
}

func TestCheapCollectionsLetTheTimeBetweenThemDecide(t *testing.T) {
	for _, tt := range []struct {
		name    string
		price   float64
		op      float64
		verdict study.Verdict
		metric  string
		long    bool
	}{
		{"slower, collections next to free", 50e3, 1100, study.TradeOff, "M wall", false},
		{"as fast, collections next to free", 50e3, 1000, study.Positive, "M wall", false},
		{"slower by a tenth, collections worth more than a quarter of that", 1.2e6, 1100, study.Inconclusive, "T wall", true},
		{"three times as slow, collections worth less than a quarter of that", 10e6, 3000, study.TradeOff, "M wall", false},
		{"three times as slow, collections worth more than a quarter of that", 20e6, 3000, study.Inconclusive, "T wall", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, w := withoutLayout(testPlan()), seldom(tt.price)
			w.op[1] = tt.op
			got := judgeC(t, p, w.launches(p, 4))
			if got.Verdict != tt.verdict || got.Estimator.String() != tt.metric || (got.Want != nil && got.Want.Form == study.FormStretch) != tt.long {
				t.Fatalf("%s by %s, wants %+v: %q", got.Verdict, got.Estimator, got.Want, said(got))
			}
			if tt.long {
				return
			}
			if got.Cycles[0] < 3 || got.Cycles[0] >= 20 || !has(said(got), "the collector took", "of the time at most") {
				t.Errorf("%v %q", got.Cycles, said(got))
			}
			// The share stands in the interval: the launches themselves do not
			// differ by that much.
			iv := over(values(newTrial(p, p.Comparisons[0], pointers(w.launches(p, got.Deciding.Decided))).e.launches, mWall), p.Rule.Alpha)
			launches, cycles := float64(got.Deciding.Decided), float64(got.Cycles[0])
			g := (cycles + launches) * tt.price / (launches*200*1000*1000 + cycles*tt.price)
			near(t, "upper end", math.Log1p(got.Deciding.Hi), iv.hi-math.Log1p(-g), 2e-5*max(1, tt.price/2e6))
			near(t, "lower end", math.Log1p(got.Deciding.Lo), iv.lo+math.Log1p(-g), 2e-5*max(1, tt.price/2e6))
		})
	}
}

func pointers(rs []study.Record) []*study.Record {
	var out []*study.Record
	for i := range rs {
		out = append(out, &rs[i])
	}
	return out
}

func TestTheBoundOfTheCollectorsShare(t *testing.T) {
	rec := func(gcs [2]int, price [2]int64) study.Record {
		r := study.Record{N: 1, Status: study.StatusOK}
		for side, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
			for i := range 10 {
				c.Wall, c.CPU, c.Drain = append(c.Wall, 100), append(c.CPU, 190), append(c.Drain, 10)
				g := 0
				if i < gcs[side] {
					g = 1
				}
				c.GCs, c.GCCPU = append(c.GCs, uint32(g)), append(c.GCCPU, int64(g)*price[side])
			}
		}
		return r
	}
	for _, tt := range []struct {
		name  string
		recs  []study.Record
		clock clock
		share float64
		ok    bool
	}{
		{"one collection more a launch, at the dearest price of both sides", []study.Record{rec([2]int{3, 0}, [2]int64{2, 9})}, wall, 4 * 2 / 1000.0, true},
		{"on the CPU clock with the drain", []study.Record{rec([2]int{3, 0}, [2]int64{2, 9})}, cpu, 4 * 2 / 2000.0, true},
		{"the side that collects less may be the dearer one", []study.Record{rec([2]int{3, 1}, [2]int64{2, 9})}, wall, 4 * 9 / 1000.0, true},
		{"two launches", []study.Record{rec([2]int{2, 0}, [2]int64{2, 0}), rec([2]int{1, 0}, [2]int64{5, 0})}, wall, 5 * 5 / 2000.0, true},
		{"the dearest first", []study.Record{rec([2]int{1, 0}, [2]int64{5, 0}), rec([2]int{2, 0}, [2]int64{2, 0})}, wall, 5 * 5 / 2000.0, true},
		{"the candidate owes more", []study.Record{rec([2]int{0, 3}, [2]int64{0, 2})}, wall, 4 * 2 / 1000.0, true},
		{"too few were seen", []study.Record{rec([2]int{2, 2}, [2]int64{1, 1})}, wall, 0, false},
		{"none has a price", []study.Record{rec([2]int{5, 5}, [2]int64{0, 0})}, wall, 0, false},
	} {
		var ls []*launch
		for i := range tt.recs {
			ls = append(ls, &launch{rec: &tt.recs[i]})
		}
		got, ok := cheapShare(ls, tt.clock)
		if ok != tt.ok || math.Abs(got-tt.share) > 1e-12 {
			t.Errorf("%s: %v %v, want %v", tt.name, got, ok, tt.share)
		}
	}
	r := rec([2]int{5, 5}, [2]int64{1, 1})
	r.Candidate.GCCPU = nil
	if _, ok := cheapShare([]*launch{{rec: &r}}, wall); ok {
		t.Error("a launch without the collector's CPU time has a bound")
	}
}

func TestTheLongFormMaySupplyThePriceOfACollection(t *testing.T) {
	p, w := withoutLayout(testPlan()), seldom(50e3)
	w.op[1], w.cycle = 1000, 400e6 // 0.4 a launch of bursts, 2 a long one
	first := judgeC(t, p, w.launches(p, 4))
	if first.Want == nil || first.Want.Form != study.FormStretch || first.Verdict != study.Inconclusive {
		t.Fatalf("%s %+v", first.Verdict, first.Want)
	}
	got, rs := w.measure(t, p, nil)
	if got.Verdict != study.Positive || got.Estimator.String() != "M wall" || len(rs) > 7 {
		t.Errorf("%s by %s after %d launches: %q", got.Verdict, got.Estimator, len(rs), said(got))
	}
	// More launches than were asked for change nothing.
	more := append(rs, w.record(p, "c", study.FormStretch, 0, 6), w.record(p, "c", study.FormStretch, 0, 7))
	if again := judgeC(t, p, more); core(again) != core(got) {
		t.Errorf("with more launches: %s\nwithout: %s", core(again), core(got))
	}
}

func TestAShareAddsToWhatTheBandAllows(t *testing.T) {
	band := math.Log(1.02)
	for _, tt := range []struct {
		name  string
		units []float64
		off   float64
		want  study.Class
	}{
		{"clearly inside", []float64{0.001, 0, -0.001, 0}, 0.008, study.Same},
		{"outside with the share", []float64{0.001, 0, -0.001, 0}, 0.019, study.Unresolved},
		{"beyond the band by more than the share", []float64{0.030, 0.0301, 0.0299, 0.03}, 0.009, study.Worse},
		{"beyond the band by less than the share", []float64{0.025, 0.0251, 0.0249, 0.025}, 0.009, study.Unresolved},
		{"better by more than the share", []float64{-0.030, -0.0301, -0.0299, -0.03}, 0.009, study.Better},
		{"better by less than the share", []float64{-0.025, -0.0251, -0.0249, -0.025}, 0.009, study.Unresolved},
	} {
		if got := over(tt.units, 0.015).widen(tt.off).classify(band); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// cheapCell is how often the rule is right about code that is seldom
// collected: all shares are of Runs. The truth is the log ratio of what both
// sides take with every collection paid, whenever it comes.
type cheapCell struct {
	Mutator  float64 `json:"mutator"`  // log ratio without collections
	Every    float64 `json:"every_ms"` // of work of the baseline, from one collection to the next
	Price    float64 `json:"price_us"` // of a collection; one in the run costs half to one and a half of that
	Truth    float64 `json:"truth"`    // log ratio with all of them paid
	Decided  float64 `json:"decided"`  // by M, with the collector's share added
	Covered  float64 `json:"covered"`  // of those, the interval holds the truth
	Wrong    float64 `json:"wrong"`    // of all, a direction that the truth does not have, or same where it is beyond the band
	Launches float64 `json:"launches"` // mean number of the decided, both forms
}

func simulateCheap(runs int) []cheapCell {
	var cells []cheapCell
	seed := uint64(0)
	for _, percent := range []float64{-5, 0, 2, 5} {
		for _, every := range []float64{150, 1000} {
			for _, price := range []float64{200, 1000} {
				seed++
				c := cheapCell{Mutator: math.Log1p(percent / 100), Every: every, Price: price}
				c.run(runs, rand.New(rand.NewPCG(seed, 41)))
				cells = append(cells, c)
			}
		}
	}
	return cells
}

func (c *cheapCell) run(runs int, rng *rand.Rand) {
	r := early(DefaultRule())
	r.PaddedLooks = nil
	p := study.Plan{Schema: study.Schema, Toolchain: "go1.26.8", Engine: study.EngineDuet, Machine: study.Machine{Cores: 4}, Rule: r,
		Comparisons: []study.Comparison{{ID: "c"}}}
	c.Truth = c.Mutator - math.Log1p(c.Price/1000/c.Every) // the candidate makes no garbage
	digest, one := p.Digest(), 1/float64(runs)
	decided := 0.0
	for range runs {
		var rs []study.Record
		var res study.Result
		for {
			var err error
			if res, err = JudgeOne(p, "c", rs); err != nil {
				panic(err)
			}
			if res.Want == nil {
				break
			}
			rs = append(rs, c.draw(rng, digest, *res.Want))
		}
		if res.Estimator.String() != "M wall" {
			if res.Time == study.Better && c.Truth > 0 || res.Time == study.Worse && c.Truth < 0 {
				c.Wrong += one
			}
			continue
		}
		decided++
		c.Launches += float64(len(rs))
		if math.Log1p(res.Deciding.Lo) <= c.Truth && c.Truth <= math.Log1p(res.Deciding.Hi) {
			c.Covered++
		}
		switch {
		case res.Time == study.Better && c.Truth >= 0, res.Time == study.Worse && c.Truth <= 0,
			res.Time == study.Same && math.Abs(c.Truth) > r.Band:
			c.Wrong += one
		}
	}
	c.Decided = decided * one
	if decided > 0 {
		c.Covered, c.Launches = c.Covered/decided, c.Launches/decided
	}
	for _, x := range []*float64{&c.Mutator, &c.Truth, &c.Decided, &c.Covered, &c.Wrong, &c.Launches} {
		*x = round5(*x)
	}
}

// round5 keeps a file of simulated shares short.
func round5(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// draw makes one launch: the baseline collects whenever it has worked for
// Every, beginning without garbage, as a launch does.
func (c *cheapCell) draw(rng *rand.Rand, digest string, w study.Want) study.Record {
	r := study.Record{Schema: study.Schema, Plan: digest, Comparison: "c", Form: w.Form, Launch: w.Launch, Status: study.StatusOK, Go: "go1.26.8", Seconds: 0.5, N: 100}
	pairs, length := 60, 1e6
	if w.Form == study.FormStretch {
		pairs, length, r.N = 10, 100e6, 10000
	}
	own, heap := 0.003*rng.NormFloat64(), 0.0
	for range pairs {
		r.CandidateFirst = append(r.CandidateFirst, false)
		sd := 0.02
		if rng.Float64() < 0.15 {
			sd = 0.10
		}
		old := length * math.Exp(sd*rng.NormFloat64())
		new := length * math.Exp(c.Mutator+own+sd*rng.NormFloat64())
		heap += length / 1e6
		gcs, cost := 0, 0.0
		for ; heap >= c.Every; heap -= c.Every {
			gcs++
			cost += 1000 * c.Price * (0.5 + rng.Float64())
		}
		for side, ns := range []float64{old + cost, new} {
			col := [2]*study.Columns{&r.Baseline, &r.Candidate}[side]
			if side == 1 {
				gcs, cost = 0, 0
			}
			col.Wall = append(col.Wall, int64(ns))
			col.CPU = append(col.CPU, int64(ns))
			col.Drain = append(col.Drain, 0)
			col.DrainW = append(col.DrainW, 0)
			col.GCs = append(col.GCs, uint32(gcs))
			col.GCCPU = append(col.GCCPU, int64(cost))
			bytes := uint64(10 * r.N)
			if side == 1 {
				bytes = 0
			}
			col.Allocs = append(col.Allocs, bytes/10)
			col.Bytes = append(col.Bytes, bytes)
		}
	}
	return r
}

const cheapFile = "testdata/cheap.json"

func TestTheSimulationOfCheapCollectionsIsThatOfTheFile(t *testing.T) {
	simulated(t, cheapFile, simulateCheap, 400, 10, func(name string, got, want cheapCell, runs int) {
		near(t, name+"decided", got.Decided, want.Decided, 4*math.Sqrt(want.Decided*(1-want.Decided)/float64(runs))+1.5/float64(runs))
		near(t, name+"wrong", got.Wrong, want.Wrong, 4*math.Sqrt(want.Wrong*(1-want.Wrong)/float64(runs))+1.5/float64(runs))
	})
	for _, c := range readCells[cheapCell](t, cheapFile) {
		name := fmt.Sprintf("%+v", c)
		// Near the edge of the band few are decided, those by a launch too many
		// in favour.
		if least := map[bool]float64{true: 0.97, false: 0.90}[c.Decided > 0.5]; c.Decided > 0.05 && c.Covered < least {
			t.Errorf("%s: the interval holds the truth too seldom", name)
		}
		if c.Wrong > 0.02 {
			t.Errorf("%s: wrong too often", name)
		}
	}
}

// simulated compares a simulation of few runs with the file of many. -update
// writes the file.
func simulated[T any](t *testing.T, file string, simulate func(runs int) []T, many, few int, same func(name string, got, want T, runs int)) {
	t.Helper()
	if *update {
		data, err := json.MarshalIndent(struct {
			Runs  int `json:"runs"`
			Cells []T `json:"cells"`
		}{many, simulate(many)}, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if testing.Short() {
		return
	}
	want, got := readCells[T](t, file), simulate(few)
	if len(got) != len(want) {
		t.Fatal("the file holds other cells")
	}
	for i := range want {
		same(fmt.Sprintf("%+v: ", want[i]), got[i], want[i], few)
	}
}

func readCells[T any](t *testing.T, file string) []T {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Runs  int
		Cells []T
	}
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if s.Runs < 400 {
		t.Fatalf("%s: %d runs", file, s.Runs)
	}
	return s.Cells
}
