package flow

import (
	"context"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// allocs returns what a run allocates, on one processor and without collections.
// All runs but the first must agree.
func allocs(t *testing.T, run func()) int {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // one that was running before SetGCPercent
	run()
	var counts []int
	var before, after runtime.MemStats
	for range 5 {
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		counts = append(counts, int(after.Mallocs-before.Mallocs))
	}
	if slices.Max(counts)-slices.Min(counts) > 4 { // the runtime's own, and the goroutine of a tick, now and then
		t.Errorf("runs allocate %v times", counts)
	}
	return slices.Min(counts)
}

func skipUnlessExact(t *testing.T) {
	t.Helper()
	if raceDetector || checked {
		t.Skip("the counters are those of a normal build")
	}
}

// TestARunAllocatesNothingForAnItem compares a run with one of ten times as many
// items. What a run allocates once is counted exactly where one goroutine does all.
func TestARunAllocatesNothingForAnItem(t *testing.T) {
	skipUnlessExact(t)
	ctx := context.Background()
	defer func(d time.Duration) { long = d }(long)
	long = time.Hour
	same := func(s Stream[int]) Stream[int] { return s }
	count := func(_ context.Context, v int) (int, error) { return v + 1, nil }
	for _, c := range []struct {
		name  string
		s     func(Stream[int]) Stream[int]
		exact int // of a run; -1 where the scheduler has a say
	}{
		{"source and sink", same, 13},
		{"map", func(s Stream[int]) Stream[int] { return Map(s, plusOne) }, 19},
		{"filter", func(s Stream[int]) Stream[int] { return s.Filter(odd) }, 18},
		{"flat map", func(s Stream[int]) Stream[int] { return FlatMap(s, five) }, 19},
		{"take and skip", func(s Stream[int]) Stream[int] { return s.Skip(3).Take(1 << 40) }, 19},
		{"map, flat map, filter", func(s Stream[int]) Stream[int] { return pipelineL(s, same) }, 32},
		{"async", func(s Stream[int]) Stream[int] { return s.Async(4) }, -1},
		{"async everywhere", func(s Stream[int]) Stream[int] {
			return pipelineL(s, func(s Stream[int]) Stream[int] { return s.Async(4) })
		}, -1},
		{"async, small batches", func(s Stream[int]) Stream[int] { return Map(s.Async(4), plusOne).Async(4).Size(16) }, -1},
		{"merge", func(s Stream[int]) Stream[int] { return Merge(s, s) }, -1},
		{"zip", func(s Stream[int]) Stream[int] {
			return Map(Zip(s, s), func(p Pair[int, int]) (int, error) { return p.A + p.B, nil })
		}, -1},
		{"ordered", func(s Stream[int]) Stream[int] { return MapOrdered(s, 4, count) }, -1},
		{"unordered", func(s Stream[int]) Stream[int] { return MapUnordered(s, 4, count) }, -1},
		{"watched", func(s Stream[int]) Stream[int] { return Map(s.Async(2), plusOne).Watch(NewWatch("")) }, -1},
	} {
		of := func(n int) int {
			s := c.s(FromSlice(inputs[:n]))
			return allocs(t, func() {
				items := 0
				if err := s.Each(ctx, func(int, error) error { items++; return nil }); err != nil || items == 0 {
					t.Errorf("%s: %d items and error %v", c.name, items, err)
				}
			})
		}
		few, many := of(2000), of(20_000)
		if c.exact >= 0 && few != c.exact {
			t.Errorf("%s: a run allocates %d times, want %d", c.name, few, c.exact)
		}
		limit := few
		if c.exact < 0 {
			limit += 40 // how many batches are made is up to the scheduler, within bounds
		}
		if many > limit {
			t.Errorf("%s: 2,000 items allocate %d times, 20,000 items %d times", c.name, few, many)
		}
	}
}

// Lines cost one allocation for each read.
func TestReadingAllocatesForEachChunkOnly(t *testing.T) {
	skipUnlessExact(t)
	text := strings.Repeat("a line of text, as it comes\n", 40_000)
	chunks := len(text)/chunkSize + 1
	got := allocs(t, func() {
		n := 0
		FromLines(strings.NewReader(text)).Each(context.Background(), func(string, error) error { n++; return nil })
		if n != 40_000 {
			t.Errorf("%d lines", n)
		}
	})
	if got > chunks+26 {
		t.Errorf("%d allocations for %d chunks", got, chunks)
	}
	got = allocs(t, func() {
		FromSlice(inputs).WriteTo(context.Background(), io.Discard, func(dst []byte, v int) ([]byte, error) {
			return strconv.AppendInt(dst, int64(v), 10), nil
		})
	})
	if got > 21 {
		t.Errorf("WriteTo allocates %d times", got)
	}
}
