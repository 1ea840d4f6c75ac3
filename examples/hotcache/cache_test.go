package main

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/internal/ledger"
)

// counting is a source of n entries, whose values are all the number of the build.
type counting struct {
	entries int
	builds  int
	err     error // of the next build, half way
}

func (s *counting) build(ctx context.Context, put func(int, int)) error {
	s.builds++
	for i := range s.entries {
		if i == s.entries/2 && s.err != nil {
			return s.err
		}
		put(i, s.builds)
	}
	return ctx.Err()
}

func mustRebuild[K comparable, V any](t *testing.T, c *cache[K, V]) {
	t.Helper()
	if err := c.rebuild(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestACacheHasWhatTheLastBuildPut(t *testing.T) {
	s := &counting{entries: 100}
	c := newCache(s.build)
	if _, ok := c.get(0); ok || c.view(func(map[int]int, time.Time) {}) {
		t.Error("an empty cache has something")
	}
	mustRebuild(t, c)
	s.entries = 50
	before := time.Now()
	mustRebuild(t, c)
	for key := range 100 {
		value, ok := c.get(key)
		if want := key < 50; ok != want || ok && value != 2 {
			t.Errorf("entry %d is %d, %t", key, value, ok)
		}
	}
	c.view(func(entries map[int]int, built time.Time) {
		if len(entries) != 50 || built.Before(before) {
			t.Errorf("%d entries, built %v before the build", len(entries), before.Sub(built))
		}
	})
}

// The reason for all this: however often it is built, and whatever the collector
// does in between, there are two maps.
func TestTwoMapsServeAnyNumberOfBuilds(t *testing.T) {
	usesAgain(t)
	for _, collections := range []int{0, 1, 2} {
		s := &counting{entries: 100}
		c := newCache(s.build)
		for range 50 {
			mustRebuild(t, c)
			c.get(0)
			for range collections {
				runtime.GC()
			}
		}
		if made, reused := c.stats(); made != 2 || reused != 48 {
			t.Errorf("%d collections between builds: %d maps made and %d used again, want 2 and 48", collections, made, reused)
		}
	}
}

func TestARebuildAllocatesNoMap(t *testing.T) {
	usesAgain(t)
	s := &counting{entries: 10_000}
	c := newCache(s.build)
	for range 3 {
		mustRebuild(t, c)
	}
	const rebuilds = 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rebuilds {
		mustRebuild(t, c)
	}
	runtime.ReadMemStats(&after)
	// A map of so many entries takes 160,000 bytes at least.
	if n := (after.TotalAlloc - before.TotalAlloc) / rebuilds; n > 16_000 {
		t.Errorf("a rebuild of 10,000 entries allocates %d bytes, want a closure or two", n)
	}
}

func TestOneBuildRunsAtATime(t *testing.T) {
	usesAgain(t)
	var running, builds atomic.Int64
	c := newCache(func(_ context.Context, put func(int, int)) error {
		if running.Add(1) != 1 {
			t.Error("two builds run at a time")
		}
		defer running.Add(-1)
		for i := range 10 {
			put(i, int(builds.Load()))
			runtime.Gosched()
		}
		builds.Add(1)
		return nil
	})
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range 20 {
				before := builds.Load()
				mustRebuild(t, c)
				if builds.Load() == before {
					t.Error("a rebuild ended without a build that began after its call")
				}
			}
		})
	}
	callers.Wait()
	if builds.Load() != 8*20 {
		t.Errorf("%d builds for %d calls", builds.Load(), 8*20)
	}
	if made, _ := c.stats(); made != 2 {
		t.Errorf("%d maps made, want 2", made)
	}
}

func TestAFailedBuildLeavesTheOldMap(t *testing.T) {
	usesAgain(t)
	s := &counting{entries: 100}
	c := newCache(s.build)
	s.err = errors.New("no connection")
	if err := c.rebuild(t.Context()); !errors.Is(err, s.err) || c.view(func(map[int]int, time.Time) {}) {
		t.Errorf("the first build failed with %v, and there is a map", err)
	}
	s.err = nil
	mustRebuild(t, c)
	s.err = errors.New("no connection")
	for range 5 {
		if err := c.rebuild(t.Context()); !errors.Is(err, s.err) || !errors.Is(c.lastError(), s.err) {
			t.Errorf("the build failed with %v, and the last error is %v", err, c.lastError())
		}
		c.view(func(entries map[int]int, _ time.Time) {
			if len(entries) != 100 || entries[0] != 2 || entries[99] != 2 {
				t.Errorf("%d entries of build %d and %d, want 100 of build 2", len(entries), entries[0], entries[99])
			}
		})
	}
	s.err = nil
	mustRebuild(t, c)
	if c.lastError() != nil {
		t.Errorf("after a good build the last error is %v", c.lastError())
	}
	if made, _ := c.stats(); made != 2 {
		t.Errorf("%d maps made, want 2: what failed is used again", made)
	}
	// Half of a build that failed must not be in the next one.
	s.entries = 10
	mustRebuild(t, c)
	c.view(func(entries map[int]int, _ time.Time) {
		if len(entries) != 10 {
			t.Errorf("%d entries, want 10", len(entries))
		}
	})
}

func TestABuildThatPanicsLosesNothing(t *testing.T) {
	usesAgain(t)
	s := &counting{entries: 10}
	bad := false
	c := newCache(func(ctx context.Context, put func(int, int)) error {
		if bad {
			put(1000, 1)
			panic("bad")
		}
		return s.build(ctx, put)
	})
	mustRebuild(t, c)
	bad = true
	for range 3 {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			_ = c.rebuild(t.Context())
		}()
	}
	bad = false
	mustRebuild(t, c) // and is not locked out
	if _, ok := c.get(1000); ok {
		t.Error("what a build that panicked has put is there")
	}
	if made, _ := c.stats(); made != 2 {
		t.Errorf("%d maps made, want 2", made)
	}
}

func TestABuildThatIsCancelledPublishesNothing(t *testing.T) {
	s := &counting{entries: 10}
	c := newCache(s.build)
	mustRebuild(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.rebuild(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if value, _ := c.get(0); value != 1 {
		t.Errorf("build %d is current, want build 1", value)
	}
}

// A Go map never gets smaller.
func TestAMapThatIsFarTooLargeIsNotUsedAgain(t *testing.T) {
	usesAgain(t)
	s := &counting{entries: 100_000}
	c := newCache(s.build)
	mustRebuild(t, c)
	mustRebuild(t, c)
	s.entries = 10
	for range 3 {
		mustRebuild(t, c) // the first two go to a large map each: they knew of nothing else
	}
	if made, _ := c.stats(); made != 3 {
		t.Errorf("%d maps made, want 3: the first of the large ones is dropped with the third small build", made)
	}
	mustRebuild(t, c)
	mustRebuild(t, c)
	if made, _ := c.stats(); made != 4 {
		t.Errorf("%d maps made, want 4: two small ones for two large ones", made)
	}
}

func TestReadersSeeOneBuildAtATime(t *testing.T) {
	s := &counting{entries: 500}
	c := newCache(s.build)
	mustRebuild(t, c)
	var readers sync.WaitGroup
	var done atomic.Bool
	for range 4 {
		readers.Go(func() {
			last := 0
			for end := false; !end; {
				end = done.Load()
				c.view(func(entries map[int]int, _ time.Time) {
					build := entries[0]
					if build < last || len(entries) != 500 {
						t.Errorf("%d entries of build %d after build %d", len(entries), build, last)
					}
					last = build
					for key, value := range entries {
						if value != build {
							t.Errorf("entry %d of build %d is in build %d", key, value, build)
							return
						}
					}
				})
			}
			if last != 101 {
				t.Errorf("build %d is current after the last one, want 101", last)
			}
		})
	}
	for range 100 {
		mustRebuild(t, c)
	}
	done.Store(true)
	readers.Wait()
	if err := c.close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, ok := c.get(0); ok {
		t.Error("a closed cache has something")
	}
}

// The clock is that of synctest.
func TestBuildsFollowEachOtherAndRequestsForThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &counting{entries: 10}
		var down atomic.Bool
		var begun atomic.Int64
		c := newCache(func(ctx context.Context, put func(int, int)) error {
			begun.Add(1)
			time.Sleep(time.Second)
			if err := s.build(ctx, put); err != nil || !down.Load() {
				return err
			}
			return errors.New("no connection")
		})
		var failures []string
		c.failed = func(err error) { failures = append(failures, err.Error()) }
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); c.run(ctx, time.Minute) }()
		sleep := func(d time.Duration) { time.Sleep(d); synctest.Wait() }
		expect := func(when string, builds int64) {
			t.Helper()
			synctest.Wait()
			if got := begun.Load(); got != builds {
				t.Errorf("%s: %d builds, want %d", when, got, builds)
			}
		}
		expect("at once", 1)
		sleep(60 * time.Second)
		expect("59 s after its end", 1)
		sleep(1500 * time.Millisecond)
		expect("60.5 s after its end, with the next one running", 2)
		for range 5 {
			c.want()
		}
		expect("while it runs", 2)
		sleep(time.Second)
		expect("when five have asked for one", 3)
		sleep(10 * time.Second)
		expect("ten seconds later", 3)
		c.want()
		expect("when one asks for one", 4)
		sleep(61 * time.Second)
		expect("a minute after that", 5)
		sleep(time.Second)
		down.Store(true)
		sleep(61 * time.Second)
		expect("with one that fails", 6)
		sleep(time.Second)
		if len(failures) != 1 || !strings.Contains(failures[0], "building the cache: no connection") {
			t.Errorf("failures: %q", failures)
		}
		down.Store(false)
		sleep(61 * time.Second)
		expect("after one that has failed", 7)
		sleep(2 * time.Second)
		c.want()
		expect("when one asks for one again", 8)
		cancel() // in the middle of it
		<-ended
		if len(failures) != 1 { // though a build was cancelled
			t.Errorf("the end is no failure: %q", failures)
		}
		if value, _ := c.get(0); value != 7 {
			t.Errorf("build %d is current, want 7: the eighth was cancelled", value)
		}
	})
}

// usesAgain skips the test in the checked build, where a value is used again only after
// 8 others have become free.
func usesAgain(t *testing.T) {
	t.Helper()
	if ledger.Checked {
		t.Skip("the checked build uses values again late")
	}
}
