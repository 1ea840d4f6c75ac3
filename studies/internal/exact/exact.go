// Package exact counts what a call allocates. Unlike times, these counts are
// the same on each run and each machine, so that a test can demand them.
//
// They are those of a normal build for a 64-bit machine with one version of Go:
// the race detector makes sync.Pool drop one in four of what is put, pointers
// of 32 bits make smaller objects, and compilers differ in what they keep on
// the stack. Under the race detector and on 32 bits the tests are skipped.
//
// All functions change settings of the whole process. So tests that call them
// must not run in parallel with others.
package exact

import (
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
)

// calls of run are made. The first of them fill pools and do not count. Of the
// others strays may have more, because the runtime allocates for itself now and
// then, and a map that is filled again has another seed, with which one of its
// tables may overflow; so may all by a share of the count, in percent, which is
// nothing where the count is small.
const (
	calls  = 17
	first  = 3
	strays = 2
	share  = 3
)

// Counters returns what one call of run allocates: the number of objects, and
// their bytes, each rounded up to its size class. (Objects without pointers of
// less than 16 bytes share blocks, so that their bytes are not exact.) It skips
// the test where the counters are those of another build.
//
// Run is called several times, on one processor and without collections other
// than its own, so that a pool gives back what was put. The first calls, which
// fill pools, do not count, and what the runtime allocates for itself now and
// then neither: each result is the least of the other calls. The test fails if
// several of them have more: code that reuses its memory every other time has no
// count.
func Counters(t testing.TB, run func()) (allocs, bytes uint64) {
	t.Helper()
	return CountersAfter(t, func() {}, run)
}

// CountersAfter is Counters with a call of prepare before each call of run.
// What prepare allocates does not count.
func CountersAfter(t testing.TB, prepare, run func()) (allocs, bytes uint64) {
	t.Helper()
	if !countable(RaceDetector, bits.UintSize) {
		t.Skip("the counters are those of a normal build for a 64-bit machine")
	}
	defer still()()
	var objects, sizes [calls]uint64
	var before, after runtime.MemStats
	for i := range calls {
		prepare()
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		objects[i], sizes[i] = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	}
	return agreed(t, "objects", objects[first:]), agreed(t, "bytes", sizes[first:])
}

// agreed returns the least count, and fails the test if more than strays of them
// are larger by more than the share.
func agreed(t testing.TB, what string, counts []uint64) uint64 {
	t.Helper()
	least, larger := slices.Min(counts), 0
	for _, n := range counts {
		if n > least+least*share/100 {
			larger++
		}
	}
	if larger > strays {
		t.Errorf("the calls allocate different numbers of %s: %d", what, counts)
	}
	return least
}

func countable(race bool, wordBits int) bool { return !race && wordBits == 64 }

// Pools makes a sync.Pool give back what was put, for the rest of the test: one
// processor, and no collections but those that the test asks for. It skips the
// test under the race detector, where none of this is enough.
func Pools(t testing.TB) {
	t.Helper()
	if RaceDetector {
		t.Skip("under the race detector sync.Pool drops objects at random")
	}
	t.Cleanup(still())
}

// still leaves one processor and no collections but those asked for, until
// restore.
func still() (restore func()) {
	procs, percent := runtime.GOMAXPROCS(1), debug.SetGCPercent(-1)
	return func() {
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(procs)
	}
}
