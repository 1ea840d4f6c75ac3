package flow

import (
	"math"
	"testing"
	"testing/synctest"
	"time"
)

func TestLatenciesAreThoseOfTheStagesAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWatch("w")
		wait := func(v int) (int, error) {
			time.Sleep(3 * ms)
			return v, nil
		}
		s := Map(FromSlice(inputs[:100]).Size(1).Name("source"), wait).Name("map").Watch(w)
		err := s.Each(t.Context(), func(v int, err error) error {
			if v >= 90 {
				time.Sleep(100 * ms)
			}
			return err
		})
		all := w.Latencies()
		if err != nil || len(all) != 2 || all[0].Stage != "source" || all[1].Stage != "map" || all[0].Pipeline != "w" {
			t.Fatalf("error %v, %+v", err, all)
		}
		for i, want := range [][3]time.Duration{
			{4096 * time.Microsecond, 4096 * time.Microsecond, 131072 * time.Microsecond},
			{time.Microsecond, time.Microsecond, 131072 * time.Microsecond},
		} {
			if got := [3]time.Duration{all[i].Quantile(0.5), all[i].Quantile(0.9), all[i].Quantile(0.91)}; got != want {
				t.Errorf("%s: %v, want %v", all[i].Stage, got, want)
			}
		}
	})
}

func TestBucketsOfLatenciesEndAtTheirLimits(t *testing.T) {
	var l Latency
	if got := l.Quantile(0.5); got != 0 {
		t.Errorf("nothing took %v", got)
	}
	for i := range l.Counts {
		limit := int64(l.Limit(i))
		if got := latencyBucket(limit); got != i {
			t.Errorf("%v is in bucket %d, want %d", l.Limit(i), got, i)
		}
		if limit < math.MaxInt64 && latencyBucket(limit+1) != i+1 {
			t.Errorf("a nanosecond above %v is in bucket %d", l.Limit(i), latencyBucket(limit+1))
		}
	}
	for _, ns := range []int64{-1, 0, 1} {
		if got := latencyBucket(ns); got != 0 {
			t.Errorf("%d ns are in bucket %d", ns, got)
		}
	}
	l.Counts[3], l.Counts[5] = 1, 1
	for q, want := range map[float64]int{-1: 3, 0: 3, 0.5: 3, 0.51: 5, 1: 5, 2: 5, math.Inf(1): 5, math.Inf(-1): 3} {
		if got := l.Quantile(q); got != l.Limit(want) {
			t.Errorf("quantile %v is %v, want %v", q, got, l.Limit(want))
		}
	}
	if got := l.Quantile(math.NaN()); got != l.Limit(5) {
		t.Errorf("quantile NaN is %v", got)
	}
}
