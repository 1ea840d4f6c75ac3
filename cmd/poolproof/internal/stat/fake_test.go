package stat

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// world is a program of known cost that tests measure. Index 0 is the
// baseline, 1 the candidate.
type world struct {
	n       int        // operations a burst
	pairs   int        // of bursts a launch
	op      [2]float64 // ns of mutator work an operation
	allocs  [2]float64 // an operation
	bytes   [2]float64 // an operation
	cycle   float64    // bytes allocated from one collection to the next; 0: none
	price   float64    // ns of wall and CPU that a collection costs in its burst
	drain   float64    // ns of CPU that it costs after the burst
	drainW  float64    // ns of wall time of that wait
	cpu     [2]float64 // CPU time over wall time of the mutator
	noise   float64    // standard deviation of a burst, log
	launch  float64    // standard deviation of a launch, log
	layouts []float64  // log effect of padded build 1, 2, ...
	foreign float64
	noCPU   bool
	noGC    bool
	fail    map[int]study.Record // by launch of the main form: status, side, error
	edit    func(*study.Record)  // last touch
}

// plain is a world in which nothing happens: 1 ms bursts of 1,000 operations,
// two allocations of 50 bytes each, no noise at all.
func plainWorld() world {
	return world{n: 1000, pairs: 40, op: [2]float64{1000, 1000}, allocs: [2]float64{2, 2}, bytes: [2]float64{100, 100},
		cpu: [2]float64{1, 1}, foreign: 0.01}
}

// formSeeds keep the draws of testdata/rule.txt apart.
var formSeeds = map[study.Form]uint64{study.FormBursts: 47622, study.FormStretch: 31787, study.FormPairs: 39692, study.FormRate: 31773}

// record is launch number i of a form on a build. It is a pure function.
func (w world) record(p study.Plan, id string, f study.Form, layout, i int) study.Record {
	rng := rand.New(rand.NewPCG(uint64(i)+1000*uint64(layout), formSeeds[f]))
	pairs, n := w.pairs, w.n
	if f == study.FormStretch {
		pairs = 200
	}
	r := study.Record{
		Schema: study.Schema, Plan: p.Digest(), Comparison: id, Form: f, Layout: layout, Launch: i, Status: study.StatusOK,
		Started: time.Date(2026, 1, 2, 3, 4, i, 0, time.UTC), Seconds: 0.5, Machine: "m1", Go: word(p.Toolchain),
		Load: study.Load{Foreign: w.foreign}, N: n,
	}
	if f == study.FormStretch {
		r.Seconds = 2.5
	}
	shift := w.launch * rng.NormFloat64()
	if layout > 0 && layout <= len(w.layouts) {
		shift += w.layouts[layout-1]
	}
	var heap [2]float64
	if w.cycle > 0 { // collections start at a random phase
		heap = [2]float64{w.cycle * rng.Float64(), w.cycle * rng.Float64()}
	}
	for range pairs {
		r.CandidateFirst = append(r.CandidateFirst, rng.IntN(2) == 1)
		for side, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
			src := side
			mutator := w.op[src] * float64(n) * math.Exp(w.noise*rng.NormFloat64())
			if side == 1 {
				mutator *= math.Exp(shift)
			}
			gcs, price, drain, drainW := 0, 0.0, 0.0, 0.0
			heap[side] += w.bytes[src] * float64(n)
			for w.cycle > 0 && heap[side] >= w.cycle {
				heap[side] -= w.cycle
				gcs++
				price += w.price
				drain += w.drain
				drainW += w.drainW
			}
			c.Wall = append(c.Wall, int64(math.Round(mutator+price)))
			c.Allocs = append(c.Allocs, uint64(math.Round(w.allocs[src]*float64(n))))
			c.Bytes = append(c.Bytes, uint64(math.Round(w.bytes[src]*float64(n))))
			if !w.noCPU {
				c.CPU = append(c.CPU, int64(math.Round(mutator*w.cpu[src]+price)))
				c.Drain = append(c.Drain, int64(drain))
				c.DrainW = append(c.DrainW, int64(drainW))
			}
			if !w.noGC {
				c.GCs = append(c.GCs, uint32(gcs))
			}
		}
	}
	if bad, ok := w.fail[i]; ok && f != study.FormStretch && layout == 0 {
		r.Status, r.FailedSide, r.Error = bad.Status, bad.FailedSide, bad.Error
		r.Baseline, r.Candidate = study.Columns{}, study.Columns{}
	}
	if w.edit != nil {
		w.edit(&r)
	}
	return r
}

// swapped is the same world with the sides exchanged, record for record.
func swapped(rs []study.Record) []study.Record {
	out := slices.Clone(rs)
	for i := range out {
		out[i].Baseline, out[i].Candidate = out[i].Candidate, out[i].Baseline
	}
	return out
}

// testPlan has one comparison, "c".
func testPlan() study.Plan {
	return study.Plan{
		Schema: study.Schema, Kind: study.KindStudy, Toolchain: "go1.26.8 linux/amd64", Engine: study.EngineDuet,
		Machine: study.Machine{Cores: 4}, Rule: early(DefaultRule()),
		Comparisons: []study.Comparison{{ID: "c", Benchmark: "work", Arm: "pool", Baseline: "make"}},
	}
}

// early is a rule without its later looks, so that what is never decided ends.
func early(r study.Rule) study.Rule {
	r.Looks, r.LongLooks = []int{4, 5, 6, 7, 8, 9, 10, 11, 12}, []int{4, 5, 6, 7, 8}
	return r
}

// withoutLayout switches the layout check off, for tests of something else.
func withoutLayout(p study.Plan) study.Plan {
	p.Rule.PaddedLooks = nil
	return p
}

// launches records the first n launches of the main form.
func (w world) launches(p study.Plan, n int) []study.Record {
	var rs []study.Record
	for i := range n {
		rs = append(rs, w.record(p, "c", mainForm(p, p.Comparisons[0]), 0, i))
	}
	return rs
}

// measure does what the rule wants until it wants nothing more.
func (w world) measure(t testing.TB, p study.Plan, rs []study.Record) (study.Result, []study.Record) {
	t.Helper()
	for range 200 {
		res := judgeC(t, p, rs)
		if res.Want == nil {
			return res, rs
		}
		rs = append(rs, w.record(p, "c", res.Want.Form, res.Want.Layout, res.Want.Launch))
	}
	t.Fatal("the rule never has enough")
	panic("unreachable")
}

// judgeC judges and returns the only result.
func judgeC(t testing.TB, p study.Plan, rs []study.Record) study.Result {
	t.Helper()
	v, err := Judge(p, rs)
	if err != nil {
		t.Fatal(err)
	}
	return v.Results[0]
}

// near reports an unexpected number.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.9g, want %.9g within %g", what, got, want, tolerance)
	}
}

// core returns the part of a result that extra launches and the order of records must not change.
func core(r study.Result) string {
	r.Launches, r.Spent, r.NeedTime, r.Notes, r.Want = 0, 0, 0, nil, nil
	r.LongWall, r.LongCPU = study.Estimate{}, study.Estimate{}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(b)
}
