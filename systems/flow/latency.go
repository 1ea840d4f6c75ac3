package flow

import (
	"math"
	"math/bits"
	"time"
)

// latencyBuckets is how many times a histogram tells apart: up to a microsecond, up to 2,
// 4, 8 and so on, the last one above half an hour.
const latencyBuckets = 32

// Latency is a histogram of how long batches take: see [Watch.Latencies].
type Latency struct {
	Pipeline string // the name of the Watch
	Stage    string // the stage as Describe shows it, or its Name
	// Counts are the batches that took up to [Latency.Limit] of their index, and longer
	// than that of the index before.
	Counts [latencyBuckets]uint64
}

// Limit returns the longest time of bucket i, twice that of the bucket before. That of the
// last bucket is the longest Duration. It panics if there is no such bucket.
func (l Latency) Limit(i int) time.Duration {
	if _ = l.Counts[i]; i == latencyBuckets-1 {
		return math.MaxInt64
	}
	return time.Microsecond << i
}

// Quantile returns a time that the share q of the batches did not exceed: the limit of the
// bucket, so at most twice the true one. It is 0 if nothing was counted. q is from 0 to 1;
// what is outside, or no number, is taken for the nearer end, or 1.
func (l Latency) Quantile(q float64) time.Duration {
	var all uint64
	for _, n := range l.Counts {
		all += n
	}
	if all == 0 {
		return 0
	}
	if !(q <= 1) {
		q = 1
	}
	want, seen := max(uint64(math.Ceil(max(q, 0)*float64(all))), 1), uint64(0)
	for i, n := range l.Counts {
		if seen += n; seen >= want {
			return l.Limit(i)
		}
	}
	return l.Limit(latencyBuckets - 1)
}

// latencyBucket returns the index of the bucket of a time in nanoseconds.
func latencyBucket(ns int64) int {
	past := (max(ns, 1) - 1) / 1000 // whole microseconds that it is longer than none
	return min(bits.Len64(uint64(past)), latencyBuckets-1)
}

// Latencies returns for each stage, in the order of [Watch.Stats], how long its batches
// took from when it sent them until the stages after it on the same goroutine, to the sink
// or to a stage that begins another goroutine, had returned. It may be called while streams
// run.
func (w *Watch) Latencies() []Latency {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]Latency, 0, len(w.stages))
	for i := len(w.stages) - 1; i >= 0; i-- {
		c := w.stages[i]
		l := Latency{Pipeline: w.name, Stage: c.node.title()}
		for b := range l.Counts {
			l.Counts[b] = c.took[b].Load()
		}
		all = append(all, l)
	}
	return all
}
