package stat

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// locked is a world whose baseline collects in each second burst, as that burst
// ends: the collection costs most of its CPU time after the burst. The candidate
// makes no garbage for a third more time.
func locked(inside, after float64) world {
	w := plainWorld()
	w.op[1], w.bytes[1], w.allocs[1] = 1330, 0, 0
	w.noise, w.launch = 0.01, 0.002
	w.cycle, w.price, w.drain, w.drainW = 2*100*1000, inside, after, after
	return w
}

func TestCollectionsThatFallAfterTheBurstsAreNamed(t *testing.T) {
	unpaidOf := func(w world) []study.Reason {
		p := withoutLayout(testPlan())
		res, _ := w.measure(t, p, nil)
		return slices.DeleteFunc(res.Reasons, func(r study.Reason) bool { return r.Code != study.ReasonUnpaid })
	}
	got := unpaidOf(locked(50e3, 550e3))
	if len(got) != 1 || got[0].Side != "baseline" || got[0].Estimator.String() != "T wall" {
		t.Fatalf("reasons %+v", got)
	}
	near(t, "the share after the bursts", got[0].Share, 550.0/600, 0.02)
	// Half of the bursts pay 0.6 ms beside 1 ms of work: 1.33 against 1.3.
	near(t, "the difference with it", got[0].Bound, 1.33/1.3-1, 0.01)

	if got := unpaidOf(locked(300e3, 300e3)); len(got) != 0 {
		t.Errorf("half of the collection falls into the bursts, and yet %+v", got)
	}
	// 20 µs a collection are a hundredth of what the burst takes: inside the band.
	if got := unpaidOf(locked(1e3, 20e3)); len(got) != 0 {
		t.Errorf("what fell after the bursts is too small to matter, and yet %+v", got)
	}
	noClock := locked(50e3, 550e3)
	noClock.noCPU = true
	if got := unpaidOf(noClock); len(got) != 0 {
		t.Errorf("nothing is known of what fell after the bursts, and yet %+v", got)
	}
}

// TestADrainIsPaidWhereNoProcessorIsIdle has a baseline whose collections begin as each second burst ends. A program that
// goes on working lets another processor mark, or waits for it.
func TestADrainIsPaidWhereNoProcessorIsIdle(t *testing.T) {
	for _, tt := range []struct {
		procs string
		cores int
		want  float64
	}{
		{"", 2, 1.33/1.025 - 1},
		{"2", 8, 1.33/1.025 - 1},
		{"1", 8, 1.33/1.3 - 1},
		{"", 1, 1.33/1.3 - 1},
		{"4", 1, 1.33/1.3 - 1},
	} {
		p := withoutLayout(testPlan())
		p.Machine.Cores = tt.cores
		if tt.procs != "" {
			p.Env = append(p.Env, "GOMAXPROCS="+tt.procs)
		}
		w := locked(50e3, 550e3)
		got := judgeC(t, p, w.launches(p, 4))
		near(t, fmt.Sprintf("%q of %d processors", tt.procs, tt.cores), got.Deciding.Effect, tt.want, 0.02)
		unpaid := slices.ContainsFunc(got.Reasons, func(r study.Reason) bool { return r.Code == study.ReasonUnpaid })
		if unpaid != (tt.want > 0.1) {
			t.Errorf("%q of %d processors: %q", tt.procs, tt.cores, said(got))
		}
	}
}

func TestMarkingDisturbsWhatItsProcessorsWouldDo(t *testing.T) {
	for _, tt := range []struct{ procs, busy, want float64 }{
		{1, 1, 1}, {1, 0.97, 1}, {1, 0.85, 0.505}, {1, 0.5, 0}, {1, 0, 1}, // 0: not measured, one thread
		{2, 1, 0}, {2, 1.94, 1}, {2, 1.7, 0.505}, {2, 0, 0}, {0, 1, 0},
	} {
		r := study.Record{N: 1, Baseline: study.Columns{Wall: []int64{100}, DrainW: []int64{40}}, Candidate: study.Columns{Wall: []int64{100}}}
		if tt.busy > 0 {
			r.Baseline.CPU = []int64{int64(100 * tt.busy)}
		}
		l := &launch{rec: &r, procs: tt.procs}
		near(t, fmt.Sprintf("%g processors, %g busy", tt.procs, tt.busy), l.pairs(wall)[0].total[0]-100, 40*tt.want, 0.02)
		near(t, "a side whose waits were not measured", l.pairs(wall)[0].total[1], 100, 0)
	}
}

func TestTheShareAfterTheBurstsIsOfTheSidesOwnCollections(t *testing.T) {
	r := study.Record{
		Baseline:  study.Columns{Wall: []int64{100, 130, 100, 130}, Drain: []int64{5, 60, 5, 60}, GCs: []uint32{0, 1, 0, 1}},
		Candidate: study.Columns{Wall: []int64{100, 100, 100, 100}, Drain: []int64{9, 9, 9, 9}, GCs: []uint32{0, 0, 0, 0}},
	}
	near(t, "of the baseline", afterBursts(&r, study.Baseline), 120.0/180, 1e-12)
	near(t, "of a side without collections", afterBursts(&r, study.Candidate), 0, 0)
	r.Baseline.GCs = []uint32{1, 1, 1, 1}
	near(t, "without a quiet burst", afterBursts(&r, study.Baseline), 0, 0)
	r.Baseline.GCs, r.Baseline.Wall = []uint32{0, 1, 0, 1}, []int64{100, 70, 100, 100} // touched ones are no longer: chance
	near(t, "with shorter touched bursts", afterBursts(&r, study.Baseline), 1, 0)
	r.Candidate.GCs = nil
	if s := afterBursts(&r, study.Candidate); s != 0 || math.IsNaN(s) {
		t.Errorf("without counts of collections: %v", s)
	}
}
