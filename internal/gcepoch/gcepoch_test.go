package gcepoch

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"
)

// noGC stops collections that nobody asks for until the test ends.
func noGC(t *testing.T) {
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
}

func TestEpochEndsWithACollectionAndNotBetween(t *testing.T) {
	noGC(t)
	runtime.GC() // one that was running before SetGCPercent
	const collections = 100
	missed := 0
	for range collections {
		before := Epoch()
		if again := Epoch(); again != before {
			t.Fatalf("the epoch went from %d to %d without a collection", before, again)
		}
		runtime.GC()
		switch after := Epoch(); after {
		case before + 1:
		case before:
			missed++ // its cleanup was just looking at the sentinel
		default:
			t.Fatalf("the epoch went from %d to %d by one collection, want %d", before, after, before+1)
		}
	}
	if missed > collections/10 {
		t.Errorf("%d of %d collections were not noticed at once", missed, collections)
	}
}

func TestEpochIsNeverAheadOfTheCollections(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	first := Epoch()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			last := Epoch()
			for range 200 {
				runtime.GC()
				if now := Epoch(); now < last {
					t.Errorf("the epoch fell from %d to %d", last, now)
				} else {
					last = now
				}
				if testing.Short() {
					return
				}
			}
		})
	}
	wg.Wait()
	epochs := Epoch() - first
	runtime.ReadMemStats(&after)
	// An epoch that was running before may have been ended by the first call.
	if cycles := uint64(after.NumGC - before.NumGC); epochs > cycles+1 {
		t.Errorf("%d epochs in %d collections", epochs, cycles)
	}
}

func TestSubscribersAreToldOncePerEpoch(t *testing.T) {
	noGC(t)
	Collect(1)
	type ager struct{ told atomic.Int64 }
	a, b := new(ager), new(ager)
	older := func(a *ager) { a.told.Add(1) }
	OnGC(a, older)
	Collect(3)
	OnGC(b, older)
	Collect(4)
	if a.told.Load() != 7 || b.told.Load() != 4 {
		t.Errorf("told %d and %d times, want 7 and 4", a.told.Load(), b.told.Load())
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
}

func TestSubscribersAreToldWhenNobodyAsksForTheEpoch(t *testing.T) {
	type ager struct{ told atomic.Int64 }
	a := new(ager)
	OnGC(a, func(a *ager) { a.told.Add(1) })
	for deadline := time.Now().Add(30 * time.Second); a.told.Load() < 3; runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatalf("told %d times in 30 s of collections", a.told.Load())
		}
	}
}

func TestASubscriberThatNobodyUsesIsCollected(t *testing.T) {
	type ager struct {
		told int
		_    [64]byte
	}
	a := new(ager)
	OnGC(a, func(a *ager) { a.told++ })
	w := weak.Make(a)
	a = nil
	Collect(3)
	if w.Value() != nil {
		t.Error("the subscription keeps its subscriber alive")
	}
	Collect(1)
	subscribers.telling.Lock()
	defer subscribers.telling.Unlock()
	subscribers.mu.Lock()
	defer subscribers.mu.Unlock()
	for _, told := range subscribers.list {
		if !told() {
			t.Error("a subscriber that is gone is still listed")
		}
	}
}

func TestAPartOfAnObjectCanSubscribe(t *testing.T) {
	type whole struct {
		_    [3]uint64
		part atomic.Int64
	}
	w := new(whole)
	OnGC(&w.part, func(p *atomic.Int64) { p.Add(1) })
	Collect(2)
	if got := w.part.Load(); got < 2 {
		t.Errorf("told %d times in two collections", got)
	}
}

func TestASubscriberMaySubscribe(t *testing.T) {
	type ager struct{ told atomic.Int64 }
	first, second := new(ager), new(ager)
	OnGC(first, func(a *ager) {
		if a.told.Add(1) == 1 {
			OnGC(second, func(a *ager) { a.told.Add(1) })
		}
	})
	done := make(chan bool)
	go func() { Collect(3); close(done) }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("Collect does not come back")
	}
	if first.told.Load() < 3 || second.told.Load() < 2 {
		t.Errorf("told %d and %d times, want at least 3 and 2", first.told.Load(), second.told.Load())
	}
	runtime.KeepAlive(first)
	runtime.KeepAlive(second)
}

func TestManyGoroutinesSeeOneCount(t *testing.T) {
	noGC(t)
	var wg sync.WaitGroup
	for range 10 {
		runtime.GC()
		epochs := make([]uint64, 16)
		for i := range epochs {
			wg.Go(func() { epochs[i] = Epoch() })
		}
		wg.Wait()
		for _, e := range epochs {
			if e != epochs[0] {
				t.Fatalf("epochs of the same moment: %v", epochs)
			}
		}
	}
}
