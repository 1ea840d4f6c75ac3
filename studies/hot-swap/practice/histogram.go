package practice

import (
	"math/bits"
	"time"
)

// Histogram counts durations. Up to 256 ns each nanosecond has its own bucket,
// above that 128 buckets share each power of two, so that a quantile is less
// than 0.8 % too small. It takes 22 KiB, of which the usual durations touch a
// few cache lines, and Add neither allocates nor searches: it stands beside what
// is measured. The zero value is empty.
type Histogram struct {
	buckets [subBuckets * (2 + maxShift)]uint32
	count   uint64
	max     time.Duration
}

const (
	subBits    = 7
	subBuckets = 1 << subBits // of a power of two
	maxShift   = 40           // a duration of some 3 days; longer ones share the last bucket
)

// Add counts one duration. A negative one counts as zero.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	h.buckets[bucket(d)]++
	h.count++
	h.max = max(h.max, d)
}

// bucket returns the bucket of d.
func bucket(d time.Duration) int {
	shift := max(bits.Len64(uint64(d))-subBits-1, 0)
	if shift > maxShift {
		return len(Histogram{}.buckets) - 1
	}
	return shift<<subBits + int(d>>shift)
}

// least returns the least duration of a bucket.
func least(bucket int) time.Duration {
	if bucket < 2*subBuckets {
		return time.Duration(bucket)
	}
	shift := bucket>>subBits - 1
	return time.Duration(bucket-shift<<subBits) << shift
}

// Merge adds what another Histogram has counted.
func (h *Histogram) Merge(other *Histogram) {
	for i, n := range other.buckets {
		h.buckets[i] += n
	}
	h.count += other.count
	h.max = max(h.max, other.max)
}

// Count returns how many durations were counted.
func (h *Histogram) Count() uint64 { return h.count }

// Max returns the longest.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantile returns a duration that a share q of all does not exceed, but for the
// width of a bucket: 0 if nothing was counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank, seen := uint64(q*float64(h.count)), uint64(0)
	rank = min(max(rank, 1), h.count)
	for i, n := range h.buckets {
		if seen += uint64(n); seen >= rank && seen > 0 {
			return least(i)
		}
	}
	return 0
}
