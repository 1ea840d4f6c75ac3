package hotswap_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

// table is a large value.
type table struct{ entries map[int]int }

// change sets a few entries.
type change map[int]int

// book is a table under a Delta, and how often its functions were called.
type book struct {
	p               *hotswap.Pool[table]
	c               *hotswap.Container[table]
	d               *hotswap.Delta[table, change]
	applied, cloned int
	fail            bool
}

func newBook(o hotswap.Options[table]) *book {
	o.New = func() *table { return &table{make(map[int]int)} }
	b := &book{p: hotswap.NewPool(o)}
	b.c = hotswap.New(b.p)
	b.d = hotswap.NewDelta(b.c, b.apply, b.clone)
	return b
}

func (b *book) apply(x *table, d change) {
	b.applied++
	if b.fail {
		x.entries[-1] = -1
		panic("cannot apply")
	}
	maps.Copy(x.entries, d)
}

func (b *book) clone(dst, src *table) {
	b.cloned++
	clear(dst.entries)
	maps.Copy(dst.entries, src.entries)
}

func (b *book) mustBe(t *testing.T, want map[int]int) {
	t.Helper()
	b.c.Do(func(x *table) {
		if !maps.Equal(x.entries, want) {
			t.Errorf("the current value is %v, want %v", x.entries, want)
		}
	})
}

// replace publishes other entries, not by the Delta.
func (b *book) replace(t *testing.T, entries change) {
	t.Helper()
	d := b.p.Get()
	clear(d.Value().entries)
	maps.Copy(d.Value().entries, entries)
	if err := b.c.Update(&d); err != nil {
		t.Fatal(err)
	}
}

// current returns where the current value is.
func (b *book) current() (x *table) {
	b.c.Do(func(now *table) { x = now })
	return x
}

func TestADeltaReplaysWhatAFreeValueMissed(t *testing.T) {
	b := newBook(hotswap.Options[table]{})
	want := make(map[int]int)
	for i := range 100 {
		if err := b.d.Update(change{i % 10: i}); err != nil {
			t.Fatal(err)
		}
		want[i%10] = i
		b.mustBe(t, want)
	}
	// The first two values are a new one and a clone; each later update makes
	// the change that its value missed, and its own.
	if b.cloned != 1 || b.applied != 2+2*98 {
		t.Errorf("%d clones and %d changes made, want 1 and 198", b.cloned, b.applied)
	}
	if s := b.p.Stats(); s.News != 2 {
		t.Errorf("%d values made, want 2", s.News)
	}
}

func TestADeltaClonesWhenSomebodyElseHasUpdated(t *testing.T) {
	others := map[string]func(t *testing.T, b *book, want map[int]int){
		"by Update": func(t *testing.T, b *book, want map[int]int) {
			clear(want)
			want[7] = 7
			b.replace(t, change{7: 7})
		},
		"by RCU": func(t *testing.T, b *book, want map[int]int) {
			want[8] = 8
			err := b.c.RCU(context.Background(), func(next, cur *table) error {
				next.entries = maps.Clone(cur.entries)
				next.entries[8] = 8
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		},
		"by Clear": func(t *testing.T, b *book, want map[int]int) {
			b.c.Clear()
			clear(want)
		},
		"a draft, and discarded it": func(t *testing.T, b *book, _ map[int]int) {
			d := b.p.Get()
			d.Value().entries[99] = 99
			d.Discard()
		},
		"another container": func(t *testing.T, b *book, _ map[int]int) {
			other := hotswap.New(b.p)
			d := b.p.Get()
			d.Value().entries[99] = 99
			if err := other.Update(&d); err != nil {
				t.Fatal(err)
			}
			other.Clear()
		},
	}
	for name, other := range others {
		t.Run(name, func(t *testing.T) {
			b := newBook(hotswap.Options[table]{})
			want := make(map[int]int)
			for i := range 20 {
				if i%5 == 4 {
					other(t, b, want)
				}
				if err := b.d.Update(change{i: i}); err != nil {
					t.Fatal(err)
				}
				want[i] = i
				b.mustBe(t, want)
			}
		})
	}
}

// Two updates by others bring a slot back into the container: the current slot is
// the one of the Delta's last update, and what is in it is not.
func TestADeltaForgetsItsVersionsWhenItsSlotWasPublishedByOthers(t *testing.T) {
	b := newBook(hotswap.Options[table]{Keep: 2})
	want := make(map[int]int)
	update := func(i int) {
		t.Helper()
		if err := b.d.Update(change{i: i}); err != nil {
			t.Fatal(err)
		}
		want[i] = i
		b.mustBe(t, want)
	}
	update(1)
	update(2)
	ref := b.c.Acquire() // so this version will be free later than the next ones
	update(3)
	x := b.current()
	b.replace(t, change{7: 7})
	b.replace(t, change{7: 7})
	if b.current() != x {
		t.Fatal("the second update by others did not use the Delta's value again: this test tests nothing")
	}
	want = map[int]int{7: 7}
	update(4)
	ref.Release()
	update(5)
	update(6)
}

func TestADeltaBringsTheNewestFreeValueUpToDate(t *testing.T) {
	b := newBook(hotswap.Options[table]{Keep: 4})
	want := make(map[int]int)
	update := func(i int) *hotswap.Ref[table] {
		t.Helper()
		if err := b.d.Update(change{i: i}); err != nil {
			t.Fatal(err)
		}
		want[i] = i
		b.mustBe(t, want)
		r := new(hotswap.Ref[table])
		*r = b.c.Acquire()
		return r
	}
	r1, r2, r3, r4 := update(1), update(2), update(3), update(4)
	r1.Release()
	r2.Release()
	r3.Release()
	cloned := b.cloned
	b.applied = 0
	r5 := update(5) // 1, 2 and 3 are free
	if b.applied != 2 {
		t.Errorf("update 5 made %d changes, want the one that version 3 missed and its own", b.applied)
	}
	b.applied = 0
	r6 := update(6) // 1 and 2 are free
	if b.applied != 4 {
		t.Errorf("update 6 made %d changes, want the three that version 2 missed and its own", b.applied)
	}
	if b.cloned != cloned {
		t.Errorf("%d clones, want none", b.cloned-cloned)
	}
	r4.Release()
	r5.Release()
	r6.Release()
}

func TestADeltaWhoseChangePanicsPublishesNothing(t *testing.T) {
	drops := 0
	b := newBook(hotswap.Options[table]{OnDrop: func(*table) { drops++ }})
	want := make(map[int]int)
	for i := range 10 {
		if i%3 == 2 {
			b.fail = true
			if got := expect.Panic(func() { _ = b.d.Update(change{i: i}) }); got != "cannot apply" {
				t.Errorf("Update panicked with %q", got)
			}
			b.fail = false
			b.mustBe(t, want)
		}
		if err := b.d.Update(change{i: i}); err != nil {
			t.Fatal(err)
		}
		want[i] = i
		b.mustBe(t, want)
	}
	if drops != 3 {
		t.Errorf("%d values dropped, want the 3 that were changed by half", drops)
	}
	if s := b.p.Stats(); s.Drafts != 0 {
		t.Errorf("%d drafts are left", s.Drafts)
	}
}

// Each Update would clone the whole value, where O(change) is what a Delta is for.
func TestADeltaRefusesAResetOnRelease(t *testing.T) {
	reset := func(*table) bool { return true }
	text := expect.Panic(func() { newBook(hotswap.Options[table]{ResetOn: hotswap.OnRelease, Reset: reset}) })
	expect.InOrder(t, text, "hotswap: NewDelta", "OnRelease", "OnGet")
	for _, o := range []hotswap.Options[table]{{ResetOn: hotswap.OnRelease}, {Reset: reset}} {
		b := newBook(o)
		for i := range 20 {
			if err := b.d.Update(change{i: i}); err != nil {
				t.Fatal(err)
			}
		}
		if b.cloned > 1 {
			t.Errorf("%d clones in 20 updates", b.cloned)
		}
	}
}

// weighed is a change that says when it is collected.
func weighed(alive *atomic.Int64) *[64]int {
	d := new([64]int)
	alive.Add(1)
	runtime.AddCleanup(d, func(n *atomic.Int64) { n.Add(-1) }, alive)
	return d
}

// A reader that holds an old version for long must not make the log grow without
// bound, nor may what has left the log stay alive.
func TestTheLogOfADeltaIsBoundedAndForgets(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[config]{New: func() *config { return new(config) }})
	c := hotswap.New(p)
	x := hotswap.NewDelta(c, func(v *config, d *[64]int) { v.version += d[0] + 1 }, func(dst, src *config) { dst.version = src.version })
	var alive atomic.Int64
	update := func(n int) {
		for range n {
			if err := x.Update(weighed(&alive)); err != nil {
				t.Fatal(err)
			}
		}
	}
	update(1)
	held := c.Acquire()
	update(1000)
	if n := alive.Load(); n < 1000 { // of which the version that is held lacks each
		t.Errorf("%d changes are left, want 1000", n)
	}
	update(2000)
	expect.AfterGC(t, "the changes beyond the log collected", func() bool { return alive.Load() <= 1024+8 })
	held.Release()
	update(100)
	expect.AfterGC(t, "the changes that no value lacks collected", func() bool { return alive.Load() <= 8 })
	if got := current(c); got != 3101 {
		t.Errorf("the sum is %d, want 3101", got)
	}
	runtime.KeepAlive(x)
}

func TestADeltaOfAClosedContainer(t *testing.T) {
	b := newBook(hotswap.Options[table]{})
	if err := b.d.Update(change{1: 1}); err != nil {
		t.Fatal(err)
	}
	if err := b.c.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := b.d.Update(change{2: 2}); err != hotswap.ErrClosed {
		t.Errorf("Update returned %v, want ErrClosed", err)
	}
	if err := b.p.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := b.d.Update(change{2: 2}); err != hotswap.ErrClosed {
		t.Errorf("Update with a closed pool returned %v, want ErrClosed", err)
	}
}

// TestADeltaAgainstAModel has readers hold values for as long as they like, so
// that versions come back in any order, or so late that they must be cloned.
func TestADeltaAgainstAModel(t *testing.T) {
	runs, updates := 40, 200
	if testing.Short() {
		runs = 10
	}
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 3))
		b := newBook(hotswap.Options[table]{Keep: 1 + rng.IntN(4)})
		want := make(map[int]int)
		type held struct {
			ref  hotswap.Ref[table]
			want map[int]int
		}
		var holds []*held
		for i := range updates {
			d := change{}
			for range rng.IntN(4) {
				d[rng.IntN(50)] = i
			}
			if rng.IntN(40) == 0 {
				want = map[int]int{i: i}
				b.replace(t, change{i: i})
			}
			if err := b.d.Update(d); err != nil {
				t.Fatal(err)
			}
			maps.Copy(want, d)
			b.mustBe(t, want)
			for rng.IntN(2) == 0 {
				h := &held{want: maps.Clone(want)}
				h.ref = b.c.Acquire()
				holds = append(holds, h)
			}
			for len(holds) > 0 && rng.IntN(2) == 0 {
				j := rng.IntN(len(holds))
				if !maps.Equal(holds[j].ref.Value().entries, holds[j].want) {
					t.Fatalf("seed %d: a held value changed", seed)
				}
				holds[j].ref.Release()
				holds = append(holds[:j], holds[j+1:]...)
			}
		}
		for _, h := range holds {
			h.ref.Release()
		}
	}
}

func TestTheLogOfADeltaIsBounded(t *testing.T) {
	b := newBook(hotswap.Options[table]{})
	if err := b.d.Update(change{0: 0}); err != nil {
		t.Fatal(err)
	}
	ref := b.c.Acquire()
	for i := range 3000 {
		if err := b.d.Update(change{1: i}); err != nil {
			t.Fatal(err)
		}
	}
	ref.Release() // 3000 changes are missing, of which the log has 1024
	before := b.cloned
	for i := range 4 {
		if err := b.d.Update(change{2: i}); err != nil {
			t.Fatal(err)
		}
	}
	b.mustBe(t, map[int]int{0: 0, 1: 2999, 2: 3})
	if b.cloned > before+1 {
		t.Errorf("%d clones, want the old value cloned at most once", b.cloned-before)
	}
}

func TestADeltaUnderConcurrentUpdatesAndReads(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[table]{New: func() *table { return &table{make(map[int]int)} }, Keep: 3})
	c := hotswap.New(p)
	d := hotswap.NewDelta(c, func(x *table, d change) { maps.Copy(x.entries, d) }, func(dst, src *table) {
		clear(dst.entries)
		maps.Copy(dst.entries, src.entries)
	})
	const writers, each = 4, 100
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := d.Update(change{w: i}); err != nil {
					t.Error(err)
				}
				c.Do(func(x *table) {
					if x.entries[w] != i {
						t.Errorf("writer %d reads %d after it wrote %d", w, x.entries[w], i)
					}
				})
			}
		})
	}
	wg.Wait()
	if s := p.Stats(); s.Outstanding != 0 || s.Drafts != 0 {
		t.Errorf("%+v, want no holds and drafts", s)
	}
}

func TestADeltaGivesUpWhenItIsOvertakenAgainAndAgain(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[config]{New: func() *config { return new(config) }})
	c := hotswap.New(p)
	tries, faster := 0, true
	d := hotswap.NewDelta(c, func(x *config, d int) {
		tries++
		if faster {
			publish(t, c, p, 100)
		}
		x.version += d
	}, func(dst, src *config) { dst.version = src.version })
	if err := d.Update(1); err != hotswap.ErrOvertaken || tries != 32 {
		t.Errorf("%v after %d tries, want ErrOvertaken after 32", err, tries)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := d.UpdateContext(ctx, 1); !errors.Is(err, context.Canceled) || tries != 33 {
		t.Errorf("%v after %d tries, want that the context has ended, after 33", err, tries)
	}
	faster = false
	if err := d.Update(1); err != nil || current(c) != 101 {
		t.Errorf("%v, version %d; want 101: what failed is not kept", err, current(c))
	}
}

func TestADeltaWaitsForItsTurnUntilItsContextEnds(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[config]{New: func() *config { return new(config) }, MaxLive: 2})
	c := hotswap.New(p)
	inside, leave := make(chan bool), make(chan bool)
	d := hotswap.NewDelta(c, func(x *config, d int) {
		if d == 1 {
			inside <- true
			<-leave
		}
		x.version += d
	}, func(dst, src *config) { dst.version = src.version })
	first := make(chan error)
	go func() { first <- d.Update(1) }()
	<-inside
	err := d.UpdateContext(ended(), 10)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that its context has ended", err)
	} else {
		expect.InOrder(t, err.Error(), "Update of a Delta waited for another one")
	}
	leave <- true
	if err := <-first; err != nil || current(c) != 1 {
		t.Errorf("%v, version %d; want 1", err, current(c))
	}
	ref, draft := c.Acquire(), p.Get() // both values are in use
	err = d.UpdateContext(ended(), 10)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that its context has ended", err)
	} else {
		expect.InOrder(t, err.Error(), "Update of a Delta waited for a free value")
	}
	ref.Release()
	draft.Discard()
}
