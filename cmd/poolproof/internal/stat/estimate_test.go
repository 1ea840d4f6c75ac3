package stat

import (
	"math"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// timed makes pairs of equal window and total.
func timed(old, new float64, n int) []pair {
	return slices.Repeat([]pair{{window: [2]float64{old, new}, total: [2]float64{old, new}}}, n)
}

// collected makes one pair with collections in its slices.
func collected(old, new float64, oldGCs, newGCs int) []pair {
	ps := timed(old, new, 1)
	ps[0].cycles = [2]int{oldGCs, newGCs}
	return ps
}

func TestMutatorIsTheMedianOfPairedRatios(t *testing.T) {
	// The machine doubles its speed on the way: only pairing sees +10 %.
	ps := slices.Concat(timed(100, 110, 3), timed(50, 55, 3), timed(100, 900, 1), timed(50, 900, 1), timed(900, 100, 1))
	near(t, "M", mutator(ps), math.Log(1.1), 1e-12)
	// Medians of the sides, unpaired, would be equal here.
	rotated := []pair{timed(1, 2, 1)[0], timed(2, 3, 1)[0], timed(3, 1, 1)[0]}
	near(t, "M", mutator(rotated), math.Log(1.5), 1e-12)
}

func TestMutatorDropsWhatTheClockCannotMeasure(t *testing.T) {
	ps := slices.Concat(timed(0, 5, 3), timed(5, 0, 3), timed(-1, 2, 1), timed(10, 20, 1))
	near(t, "M", mutator(ps), math.Log(2), 1e-12)
	if n := coarse(ps); n != 7 {
		t.Errorf("%d pairs are too short for the clock, want 7", n)
	}
	if m := mutator(timed(0, 0, 4)); !math.IsNaN(m) {
		t.Errorf("M of nothing is %v", m)
	}
}

func TestTotalReplacesQuietSlicesByTheirMedian(t *testing.T) {
	ps := slices.Concat(
		timed(100, 90, 30),
		timed(5000, 4500, 1),      // a neighbour's burst, no collection: worth one median
		collected(300, 90, 2, 0),  // the baseline collects
		collected(100, 200, 0, 1), // the candidate collects
	)
	// old: 32 bursts at 100, one at 300; new: 32 at 90, one at 200.
	near(t, "T", totalOf(ps)(ps), math.Log((32*90+200.0)/(32*100+300)), 1e-12)
	got := modelledTotals(ps)
	near(t, "total of the baseline", got[0], 3500, 1e-9)
	near(t, "new total", got[1], 3080, 1e-9)
}

func TestTotalTakesTheRatioFromPairsWithoutAnyCollection(t *testing.T) {
	// Forty pairs in which the candidate collects do not move the ratio of the
	// others, though they are the majority.
	ps := slices.Concat(timed(100, 90, 20), slices.Repeat(collected(100, 300, 0, 1), 40))
	near(t, "T", totalOf(ps)(ps), math.Log((20*90+40*300.0)/(60*100)), 1e-12)
}

func TestTotalFallsBackToBlocksWhenFewSlicesAreQuiet(t *testing.T) {
	// 19 quiet pairs are too few. The new side collects more: each block
	// closes at its fifth collection; what is left over joins the last one.
	var ps []pair
	ps = append(ps, timed(100, 100, 19)...)
	want := []float64{}
	for b, burst := range []float64{1, 1, 1, 9} { // a burst in one block of four
		for range 5 {
			ps = append(ps, collected(100*burst, 200, 0, 1)...)
		}
		old, new := 500*burst, 1000.0
		if b == 0 {
			old, new = old+1900, new+1900
		}
		want = append(want, math.Log(new/old))
	}
	ps = append(ps, collected(100, 200, 0, 1)...) // the sixth of the last block
	want[3] = math.Log(1200.0 / 4600)
	got := blocks(ps)
	if len(got) != 4 {
		t.Fatalf("%d blocks: %v", len(got), got)
	}
	for i := range got {
		near(t, "block", got[i], want[i], 1e-12)
	}
	near(t, "T", totalOf(ps)(ps), HL(want), 1e-12)
}

func TestTotalIsThePlainSumWhenBlocksAreFew(t *testing.T) {
	ps := slices.Repeat(collected(100, 120, 1, 0), 19) // 3 blocks of 5
	ps = append(ps, collected(1000, 1000, 1, 0)...)
	ps = ps[1:]
	near(t, "T", totalOf(ps)(ps), math.Log((18*120+1000.0)/(18*100+1000)), 1e-12)
}

func TestDrainBelongsToTheCPUTotalOnly(t *testing.T) {
	r := study.Record{N: 1, Status: study.StatusOK,
		Baseline:  study.Columns{Wall: []int64{10}, CPU: []int64{20}, Drain: []int64{7}, DrainW: []int64{900}, GCs: []uint32{1}, Allocs: []uint64{0}, Bytes: []uint64{0}},
		Candidate: study.Columns{Wall: []int64{11}, CPU: []int64{22}, Drain: []int64{3}, DrainW: []int64{900}, GCs: []uint32{0}, Allocs: []uint64{0}, Bytes: []uint64{0}}}
	onWall, onCPU := pairsOf(&r, wall)[0], pairsOf(&r, cpu)[0]
	if want := (pair{window: [2]float64{10, 11}, total: [2]float64{10, 11}, cycles: [2]int{1, 0}}); onWall != want {
		t.Errorf("wall: %+v, want %+v", onWall, want)
	}
	if want := (pair{window: [2]float64{20, 22}, total: [2]float64{27, 25}, cycles: [2]int{1, 0}}); onCPU != want {
		t.Errorf("CPU: %+v, want %+v", onCPU, want)
	}
	l := &launch{rec: &r}
	v, _ := l.estimate(sumCPU)
	near(t, "sum CPU", v, math.Log(25.0/27), 1e-12)
	v, _ = l.estimate(sumWall)
	near(t, "sum wall", v, math.Log(1.1), 1e-12)
	v, _ = l.estimate(longCPU)
	near(t, "beyond the typical burst, CPU", v, math.Log(25.0/22/(27.0/20)), 1e-12)
	v, _ = l.estimate(mCPU)
	near(t, "M CPU", v, math.Log(1.1), 1e-12)
	r.Baseline.CPU = nil
	if ps := pairsOf(&r, cpu); ps != nil {
		t.Errorf("a side without CPU times gives %v", ps)
	}
}

func TestJackknifeLeavesOutTenGroupsOfNeighbours(t *testing.T) {
	// For a mean, deleting groups gives the standard error of group means.
	first := func(ps []pair) float64 {
		sum := 0.0
		for _, p := range ps {
			sum += p.window[0]
		}
		return sum / float64(len(ps))
	}
	var ps []pair
	groups := make([]float64, 10)
	for g := range groups {
		groups[g] = float64(g * g)
		ps = append(ps, timed(groups[g]-1, 1, 1)...)
		ps = append(ps, timed(groups[g]+1, 1, 1)...)
	}
	near(t, "standard error", jackknife(ps, first), deviation(groups)/math.Sqrt(10), 1e-12)
	near(t, "with 4 pairs", jackknife(slices.Concat(timed(1, 1, 1), timed(2, 1, 1), timed(3, 1, 1), timed(4, 1, 1)), first),
		deviation([]float64{1, 2, 3, 4})/2, 1e-12)
	if se := jackknife(timed(1, 1, 1), first); !math.IsNaN(se) {
		t.Errorf("one pair has a standard error of %v", se)
	}
}

func TestTimePerOperationIsWhatTheMetricSees(t *testing.T) {
	r := study.Record{N: 10, Status: study.StatusOK}
	for i := range 30 {
		old, gcs := int64(1000), uint32(0)
		if i == 3 {
			old, gcs = 4000, 1
		}
		r.Baseline.Wall, r.Baseline.GCs = append(r.Baseline.Wall, old), append(r.Baseline.GCs, gcs)
		r.Candidate.Wall, r.Candidate.GCs = append(r.Candidate.Wall, 900), append(r.Candidate.GCs, 0)
	}
	l := &launch{rec: &r}
	near(t, "M", l.perOp(mWall)[0], 100, 1e-9)
	near(t, "T", l.perOp(tWall)[0], (29*1000+4000)/300.0, 1e-9)
	near(t, "long", l.perOp(longWall)[0], (29*1000+4000)/300.0, 1e-9)
	near(t, "the candidate's M", l.perOp(mWall)[1], 90, 1e-9)
	near(t, "the candidate's T", l.perOp(tWall)[1], 90, 1e-9)
	near(t, "the candidate's sum", l.perOp(longWall)[1], 90, 1e-9)
	r.Baseline.Wall[7] = 90000 // a burst
	near(t, "T with a burst", l.perOp(tWall)[0], (29*1000+4000)/300.0, 1e-9)
	near(t, "long with a burst", l.perOp(longWall)[0], (28*1000+4000+90000)/300.0, 1e-9)
}
