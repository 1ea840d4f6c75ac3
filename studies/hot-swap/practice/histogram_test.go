package practice

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestEachDurationIsInTheBucketOfItsWidth(t *testing.T) {
	last := -1
	for _, d := range []time.Duration{0, 1, 127, 128, 255, 256, 257, 258, 511, 512, 515, 516, time.Microsecond, time.Millisecond, time.Second, time.Hour} {
		b := bucket(d)
		if b < last {
			t.Errorf("%d ns is in bucket %d, a shorter one in %d", d, b, last)
		}
		last = b
		if from, to := least(b), least(b+1); d < from || d >= to || float64(to-from) > max(1, float64(d)/subBuckets) {
			t.Errorf("%d ns is in the bucket from %d to %d ns", d, from, to)
		}
	}
	for _, d := range []time.Duration{1 << 55, 1<<63 - 1} {
		if b := bucket(d); b != len(Histogram{}.buckets)-1 {
			t.Errorf("%d ns is in bucket %d, want the last one", d, b)
		}
	}
}

func TestEachBucketBeginsWhereItSays(t *testing.T) {
	for b := range len(Histogram{}.buckets) {
		if got := bucket(least(b)); got != b {
			t.Fatalf("bucket %d begins at %d ns, which is in bucket %d", b, least(b), got)
		}
	}
}

func TestQuantilesAreThoseOfTheSortedDurations(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []time.Duration
	var a, b Histogram
	for i := range 10_000 {
		d := time.Duration(1) << random.IntN(30)
		d += time.Duration(random.Int64N(int64(d)))
		all = append(all, d)
		[]*Histogram{&a, &b}[i&1].Add(d)
	}
	a.Merge(&b)
	slices.Sort(all)
	for _, q := range []float64{0.001, 0.5, 0.99, 0.999, 1} {
		want := all[int(q*float64(len(all)))-1]
		if got := a.Quantile(q); got > want || float64(want-got) > float64(want)/subBuckets {
			t.Errorf("quantile %v is %v, want %v less 1/%d at most", q, got, want, subBuckets)
		}
	}
	if a.Max() != all[len(all)-1] || a.Count() != uint64(len(all)) {
		t.Errorf("%d durations up to %v, want %d up to %v", a.Count(), a.Max(), len(all), all[len(all)-1])
	}
}

func TestAnEmptyHistogramHasNoQuantiles(t *testing.T) {
	var h Histogram
	h.Merge(&Histogram{})
	if h.Quantile(0.5) != 0 || h.Max() != 0 || h.Count() != 0 {
		t.Errorf("half of nothing takes %v, the longest of nothing %v", h.Quantile(0.5), h.Max())
	}
	h.Add(-time.Second)
	if h.Count() != 1 || h.Max() != 0 {
		t.Errorf("a negative duration counts as %v", h.Max())
	}
}

func TestAddAllocatesNothing(t *testing.T) {
	var h Histogram
	if n := testing.AllocsPerRun(100, func() { h.Add(12345) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
