package hotswap_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

func TestAnEmptyContainerHasNoValue(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	ref := c.Acquire()
	if ref.Ok() || ref.Value() != nil || ref.Generation() != 0 {
		t.Errorf("Ok %t, value %p, generation %d of nothing", ref.Ok(), ref.Value(), ref.Generation())
	}
	ref.Release()
	clone := ref.Clone()
	clone.Release()
	if c.Do(func(*config) { t.Error("Do called its function") }) {
		t.Error("Do reported true")
	}
	r := c.Reader()
	for range 2 {
		if r.Load() != nil {
			t.Error("a Reader loaded something")
		}
	}
	publish(t, c, p, 1)
	if x := r.Load(); x == nil || x.version != 1 {
		t.Errorf("after the first Update a Reader loads %v", x)
	}
	r.Release()
	c.Clear()
	c.Clear()
	ref = c.Acquire()
	if ref.Ok() || r.Load() != nil {
		t.Error("a cleared container has a value")
	}
	r.Release()
}

func TestGenerationsRise(t *testing.T) {
	p := hotswap.NewPool(options())
	a, b := hotswap.New(p), hotswap.New(p)
	last := uint64(0)
	for i := range 20 {
		publish(t, a, p, i+1)
		publish(t, b, p, i+1)
		if i == 10 {
			a.Clear()
			publish(t, a, p, i+1)
		}
		ref := a.Acquire()
		if g := ref.Generation(); g <= last {
			t.Errorf("generation %d after %d", g, last)
		} else {
			last = g
		}
		ref.Release()
	}
	if last != 22 {
		t.Errorf("generation %d after 22 publications, that of nothing among them", last)
	}
}

func TestUpdateIfPublishesOnlyInPlaceOfWhatTheCallerHas(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	nothing := c.Acquire()
	for _, cur := range []*hotswap.Ref[config]{nil, new(hotswap.Ref[config]), &nothing} {
		c.Clear()
		d := p.Get()
		d.Value().version = 1
		if ok, err := c.UpdateIf(cur, &d); !ok || err != nil {
			t.Fatalf("UpdateIf of an empty container: %t, %v", ok, err)
		}
	}
	d := p.Get()
	if ok, err := c.UpdateIf(nil, &d); ok || err != nil {
		t.Errorf("UpdateIf with a nil Ref of a container that is not empty: %t, %v", ok, err)
	}
	d.Discard()
	d = p.Get()
	if ok, err := c.UpdateIf(&nothing, &d); ok || err != nil || d.Value() == nil {
		t.Errorf("UpdateIf of a container that is not empty any more: %t, %v, draft %p", ok, err, d.Value())
	}
	first := c.Acquire()
	d.Value().version = 2
	if ok, err := c.UpdateIf(&first, &d); !ok || err != nil || d.Value() != nil {
		t.Errorf("UpdateIf of the current value: %t, %v, draft %p", ok, err, d.Value())
	}
	d = p.Get()
	if ok, err := c.UpdateIf(&first, &d); ok || err != nil || d.Value() == nil {
		t.Errorf("UpdateIf of a replaced value: %t, %v, draft %p", ok, err, d.Value())
	}
	other := hotswap.New(p)
	publish(t, other, p, 9)
	elsewhere := other.Acquire()
	if ok, err := c.UpdateIf(&elsewhere, &d); ok || err != nil {
		t.Errorf("UpdateIf with the current value of another container: %t, %v", ok, err)
	}
	elsewhere.Release()
	first.Release()
	if ok, err := c.UpdateIf(&first, &d); ok || err != nil {
		t.Errorf("UpdateIf with a released Ref asks for an empty container: %t, %v", ok, err)
	}
	d.Discard()
	if ok, err := c.UpdateIf(&first, &d); ok || err != hotswap.ErrUsed {
		t.Errorf("UpdateIf with a discarded draft: %t, %v, want ErrUsed", ok, err)
	}
	if current(c) != 2 {
		t.Errorf("version %d is current, want 2", current(c))
	}
}

func TestDoEndsItsHoldInAnyCase(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	if got := expect.Panic(func() { c.Do(func(*config) { panic("boom") }) }); got != "boom" {
		t.Errorf("Do panicked with %q", got)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Do(func(*config) { runtime.Goexit() })
	}()
	<-done
	if s := p.Stats(); s.Outstanding != 0 {
		t.Errorf("%d holds are left", s.Outstanding)
	}
}

func TestSynchronizeWaitsForReadersOfWhatWasReplaced(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	if err := c.Synchronize(ended()); err != nil {
		t.Errorf("with nothing to wait for: %v", err)
	}
	publish(t, c, p, 1)
	first := c.Acquire()
	publish(t, c, p, 2)
	second := c.Acquire()
	err := c.Synchronize(ended())
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("with a reader of version 1: %v, want that its context has ended", err)
	}
	expect.InOrder(t, err.Error(), "Synchronize waited for readers; the pool has 2 values: 1 current, 1 replaced and still read")
	done := make(chan error)
	go func() { done <- c.Synchronize(context.Background()) }()
	first.Release()
	if err := <-done; err != nil {
		t.Errorf("Synchronize: %v", err)
	}
	second.Release()
}

func TestSynchronizeDoesNotWaitForOtherContainers(t *testing.T) {
	p := hotswap.NewPool(options())
	a, b := hotswap.New(p), hotswap.New(p)
	publish(t, a, p, 1)
	publish(t, b, p, 1)
	ref := a.Acquire()
	publish(t, a, p, 2)
	publish(t, b, p, 2)
	if err := b.Synchronize(ended()); err != nil {
		t.Errorf("a container waits for readers of another one: %v", err)
	}
	ref.Release()
}

func TestClose(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := c.Acquire()
	reader := c.Reader()
	reader.Load()
	d := p.Get()

	if err := c.Close(ended()); !errors.Is(err, context.Canceled) {
		t.Fatalf("Close with readers returned %v", err)
	}
	if err := c.Update(&d); err != hotswap.ErrClosed || d.Value() == nil {
		t.Errorf("Update after Close returned %v, draft %p; want ErrClosed and the draft left", err, d.Value())
	}
	if ok, err := c.UpdateIf(&ref, &d); ok || err != hotswap.ErrClosed {
		t.Errorf("UpdateIf after Close returned %t, %v", ok, err)
	}
	if err := c.RCU(context.Background(), func(_, _ *config) error { return nil }); err != hotswap.ErrClosed {
		t.Errorf("RCU after Close returned %v", err)
	}
	late := c.Acquire()
	if late.Ok() {
		t.Error("Acquire after Close got a value")
	}
	c.Clear()
	if err := c.RCU(context.Background(), func(_, _ *config) error { t.Error("a build in a closed container"); return nil }); err != hotswap.ErrClosed {
		t.Errorf("RCU after Close and Clear returned %v", err)
	}
	done := make(chan error)
	go func() { done <- c.Close(context.Background()) }()
	if ref.Value().version != 1 {
		t.Error("the value changed under its reader")
	}
	ref.Release()
	if reader.Load() != nil {
		t.Error("a Reader loaded a value after Close")
	}
	if err := <-done; err != nil {
		t.Errorf("Close returned %v after all readers have left", err)
	}
	if err := c.Close(ended()); err != nil {
		t.Errorf("a third Close returned %v", err)
	}
	other := hotswap.New(p)
	if err := other.Update(&d); err != nil {
		t.Errorf("the draft of the closed container cannot be published elsewhere: %v", err)
	}
	if s := p.Stats(); s.Live != 1 || s.Retired != 0 || s.Drafts != 0 {
		t.Errorf("%+v, want one current value", s)
	}
}

// TestAgainstAModel compares a container with what it should be: a current
// version and the versions of those who hold one. Every operation is tried in
// random order, by one goroutine.
func TestAgainstAModel(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 60
	}
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 7))
		o := options()
		o.Shards = 1 << rng.IntN(3)
		o.Keep = rng.IntN(4) - 1
		o.ResetOn = hotswap.ResetTime(rng.IntN(2))
		live := make(map[*config]bool) // not dropped
		o.New = func() *config {
			x := &config{names: map[string]string{}}
			live[x] = true
			return x
		}
		o.OnDrop = func(x *config) {
			if !live[x] {
				t.Fatal("a value was dropped twice")
			}
			delete(live, x)
		}
		p := hotswap.NewPool(o)
		c := hotswap.New(p)
		version, now := 0, 0
		type held struct {
			ref     hotswap.Ref[config]
			version int
		}
		var holds []*held
		var drafts []*hotswap.Draft[config]
		reader := c.Reader()
		seen := 0 // by reader
		fill := func(d *hotswap.Draft[config]) {
			for _, h := range holds {
				if h.ref.Value() == d.Value() && d.Value() != nil {
					t.Fatalf("seed %d: a writer gets version %d, which is read", seed, h.version)
				}
			}
			if x := d.Value(); len(x.names) != 0 || x.version != 0 {
				t.Fatalf("seed %d: a writer gets version %d, not reset", seed, x.version)
			}
			version++
			d.Value().version = version
			d.Value().names["k"] = "v"
		}
		for range 200 {
			switch rng.IntN(11) {
			case 0, 1:
				h := &held{version: now}
				h.ref = c.Acquire()
				if h.ref.Ok() != (now != 0) {
					t.Fatalf("seed %d: Ok is %t at version %d", seed, h.ref.Ok(), now)
				}
				if h.ref.Ok() {
					holds = append(holds, h)
				}
			case 2, 3:
				if len(holds) > 0 {
					i := rng.IntN(len(holds))
					holds[i].ref.Release()
					holds[i].ref.Release()
					holds = append(holds[:i], holds[i+1:]...)
				}
			case 4:
				if len(holds) > 0 {
					h := holds[rng.IntN(len(holds))]
					clone := &held{version: h.version}
					clone.ref = h.ref.Clone()
					holds = append(holds, clone)
				}
			case 5:
				if len(holds) > 0 {
					h := holds[rng.IntN(len(holds))]
					moved := &held{version: h.version}
					moved.ref = h.ref.Move()
					if h.ref.Ok() || h.ref.Value() != nil {
						t.Fatal("Move left something")
					}
					h.ref = moved.ref.Move()
				}
			case 6:
				d := new(hotswap.Draft[config])
				*d = p.Get()
				fill(d)
				drafts = append(drafts, d)
			case 7:
				if len(drafts) > 0 {
					d := drafts[0]
					drafts = drafts[1:]
					if rng.IntN(4) == 0 {
						d.Discard()
						continue
					}
					now = d.Value().version
					if err := c.Update(d); err != nil {
						t.Fatal(err)
					}
				}
			case 8:
				if x := reader.Load(); x == nil && now != 0 || x != nil && x.version != now {
					t.Fatalf("seed %d: the Reader loads %v, want version %d", seed, x, now)
				}
				seen = now
			case 9:
				if rng.IntN(3) == 0 {
					c.Clear()
					now = 0
				} else {
					reader.Release()
					seen = 0
				}
			case 10:
				err := c.RCU(context.Background(), func(next, cur *config) error {
					if cur == nil && now != 0 || cur != nil && cur.version != now {
						t.Fatalf("seed %d: RCU sees %v, want version %d", seed, cur, now)
					}
					version++
					next.version = version
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				now = version
			}
			for _, h := range holds {
				if h.ref.Value().version != h.version {
					t.Fatalf("seed %d: version %d became %d while it was held", seed, h.version, h.ref.Value().version)
				}
			}
			want := int64(len(holds))
			distinct := make(map[int]bool)
			if seen != 0 {
				want++
				distinct[seen] = true
			}
			for _, h := range holds {
				distinct[h.version] = true
			}
			delete(distinct, now)
			s := p.Stats()
			if s.Outstanding != want || s.Retired != len(distinct) || s.Drafts != len(drafts) || s.Live+s.Retired+s.Spare+s.Drafts != len(live) {
				t.Fatalf("seed %d: %+v, want %d holds, %d retired, %d drafts, %d values", seed, s, want, len(distinct), len(drafts), len(live))
			}
		}
		reader.Release()
		for _, h := range holds {
			h.ref.Release()
		}
		for _, d := range drafts {
			d.Discard()
		}
		if err := c.Close(ended()); err != nil {
			t.Fatal(err)
		}
		if err := p.Close(ended()); err != nil {
			t.Fatal(err)
		}
		if len(live) != 0 {
			t.Fatalf("seed %d: %d values were never dropped", seed, len(live))
		}
	}
}
