package poolswap_test

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/poolswap"
	"github.com/poolproof/poolproof/internal/expect"
)

// payload is a value that knows whether it is free.
type payload struct {
	poolswap.Ref
	id    int64
	free  atomic.Bool
	bytes []byte
}

func newPool() *poolswap.Pool[payload, *payload] {
	return poolswap.NewPool(
		func() *payload { return &payload{bytes: make([]byte, 0, 10)} },
		func(x *payload) bool {
			x.free.Store(true)
			x.bytes = x.bytes[:0]
			return true
		},
	)
}

// get returns an object that is marked as in use.
func get(p *poolswap.Pool[payload, *payload], id int64) *payload {
	x := p.Get()
	x.free.Store(false)
	x.id = id
	return x
}

func TestResetRunsInTheReleaseThatEndsTheLastReference(t *testing.T) {
	p := newPool()
	x := get(p, 1)
	if n := x.DebugPeekRef(); n != 1 {
		t.Errorf("a new object has %d references, want 1", n)
	}
	p.Release(x)
	if !x.free.Load() || x.DebugPeekRef() != 0 {
		t.Errorf("after its Release: reset %t, %d references", x.free.Load(), x.DebugPeekRef())
	}
	resets := 0
	p.Reset = func(*payload) bool { resets++; return false }
	c := poolswap.NewContainer(p, get(p, 2))
	x = c.Acquire()
	c.Update(nil)
	if resets != 0 {
		t.Error("an object was reset while it was held")
	}
	c.Release(x)
	if resets != 1 {
		t.Errorf("%d resets after the last Release, want 1", resets)
	}
	if y := get(p, 3); y == x {
		t.Error("an object that Reset refused is used again")
	}
	p.Release(nil)
}

// A reset of that kind clears the Ref too.
func TestResetMayClearTheWholeObject(t *testing.T) {
	p := poolswap.NewPool(
		func() *payload { return new(payload) },
		func(x *payload) bool {
			clear(unsafe.Slice(x, 1))
			return true
		},
	)
	c := poolswap.NewEmptyContainer(p)
	made := make(map[*payload]bool)
	for id := range int64(10) {
		x := c.GetNew()
		made[x] = true
		if x.id != 0 || x.DebugPeekRef() != 1 {
			t.Errorf("a used object has id %d and %d references, want 0 and 1", x.id, x.DebugPeekRef())
		}
		x.id = id + 1
		c.Update(x)
		if y := c.Acquire(); y != x || y.DebugPeekRef() != 2 {
			t.Errorf("Acquire returned %p with %d references, want %p with 2", y, y.DebugPeekRef(), x)
		}
		c.Release(x)
	}
	if len(made) != 2 {
		t.Errorf("%d objects for 10 updates, want 2", len(made))
	}
}

func TestAnObjectNeedNotComeFromThePool(t *testing.T) {
	p := newPool()
	mine := &payload{id: 1}
	c := poolswap.NewContainer(p, mine)
	if x := c.Acquire(); x != mine || x.DebugPeekRef() != 2 {
		t.Errorf("Acquire returned %p with %d references, want %p with 2", x, x.DebugPeekRef(), mine)
	}
	c.Release(mine)
	other := &payload{id: 2}
	c.Update(other)
	if !mine.free.Load() {
		t.Error("the replaced object was not reset")
	}
	if x := get(p, 3); x != mine {
		t.Error("the replaced object was not used again")
	}
}

func TestWithAcquire(t *testing.T) {
	p := newPool()
	c := poolswap.NewEmptyContainer(p)
	called := 0
	c.WithAcquire(func(x *payload) {
		called++
		if x != nil {
			t.Error("an empty container has an object")
		}
	})
	x := c.GetNew()
	x.id = 7
	c.Update(x)
	func() {
		defer func() { _ = recover() }()
		c.WithAcquire(func(x *payload) {
			called++
			if x.id != 7 || x.DebugPeekRef() != 2 {
				t.Errorf("object %d with %d references, want 7 with 2", x.id, x.DebugPeekRef())
			}
			panic("boom")
		})
	}()
	if called != 2 || x.DebugPeekRef() != 1 {
		t.Errorf("called %d times, %d references left; want 2 and 1", called, x.DebugPeekRef())
	}
}

func TestWithAcquireAndAWarmUpdateAllocateNothing(t *testing.T) {
	p := newPool()
	c := poolswap.NewContainer(p, get(p, 1))
	sum := int64(0)
	for name, use := range map[string]func(){
		"WithAcquire":      func() { c.WithAcquire(func(x *payload) { sum += x.id }) },
		"Acquire, Release": func() { x := c.Acquire(); sum += x.id; c.Release(x) },
		"Get, Update":      func() { c.Update(p.Get()) },
	} {
		use()
		use()
		if got := testing.AllocsPerRun(100, use); got != 0 {
			t.Errorf("%s: %v allocations, want 0", name, got)
		}
	}
}

func TestObjectsAreUsedAgainAcrossCollections(t *testing.T) {
	p := newPool()
	made := make(map[*payload]bool)
	c := poolswap.NewEmptyContainer(p)
	for range 50 {
		x := p.Get()
		made[x] = true
		c.Update(x)
		runtime.GC()
		runtime.GC()
	}
	if len(made) != 2 {
		t.Errorf("%d objects for 50 updates, want 2", len(made))
	}
}

func TestMisusePanicsWhereItCanBeKnown(t *testing.T) {
	p, other := newPool(), newPool()
	c, d := poolswap.NewEmptyContainer(p), poolswap.NewEmptyContainer(p)
	x := get(p, 1)
	c.Update(x)
	const notTheCallers = "poolswap: Update with an object that is not the caller's"
	for _, misuse := range []struct {
		name, want string
		do         func()
	}{
		{"Update with the current object", notTheCallers, func() { c.Update(x) }},
		{"Update of another container with it", notTheCallers, func() { d.Update(x) }},
		{"Update with an object of another pool", "poolswap: Update with an object of another pool", func() { c.Update(other.Get()) }},
		{"Release of an unknown object", "poolswap: Release of an object that no pool knows", func() { p.Release(new(payload)) }},
		{"Release of a free object", "poolswap: Release of an object that was released more often", func() {
			y := p.Get()
			p.Release(y)
			p.Release(y)
		}},
		{"Update with a free object", notTheCallers, func() {
			y := p.Get()
			p.Release(y)
			c.Update(y)
		}},
	} {
		if got := expect.Panic(misuse.do); !strings.HasPrefix(got, misuse.want) {
			t.Errorf("%s panicked with %q, want %q", misuse.name, got, misuse.want)
		}
		if c.Acquire() != x || x.free.Load() {
			t.Errorf("%s: the current object is gone", misuse.name)
		}
		c.Release(x)
	}
}

func TestAReleaseTooManyNeverResetsTheCurrentObject(t *testing.T) {
	p := newPool()
	c := poolswap.NewEmptyContainer(p)
	x := get(p, 1)
	c.Update(x)
	c.Acquire()
	c.Release(x)
	c.Release(x) // too many
	if x.free.Load() {
		t.Error("the current object was reset")
	}
	c.Update(get(p, 2))
	for range 5 {
		if p.Get() == x {
			t.Error("an object that was released too often is used again")
		}
	}
}

func TestAFactoryThatFailsLeavesThePoolSound(t *testing.T) {
	fail := true
	p := poolswap.NewPool(func() *payload {
		if fail {
			return nil
		}
		return new(payload)
	}, func(*payload) bool { panic("cannot clean") })
	for range 3 {
		if got := expect.Panic(func() { p.Get() }); got != "poolswap: the factory returned nil" {
			t.Errorf("Get panicked with %q", got)
		}
	}
	fail = false
	x := p.Get()
	if got := expect.Panic(func() { p.Release(x) }); got != "cannot clean" {
		t.Errorf("Release panicked with %q", got)
	}
	if p.Get() == x {
		t.Error("an object that was not reset is used again")
	}
	c := poolswap.NewContainer(p, p.Get())
	if got := expect.Panic(func() { c.Update(nil) }); got != "cannot clean" {
		t.Errorf("Update panicked with %q", got)
	}
}

// TestReferencesAgainstAModel counts them beside the container, in random order.
func TestReferencesAgainstAModel(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 40
	}
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := newPool()
		c := poolswap.NewEmptyContainer(p)
		references := make(map[*payload]int64)
		var active *payload
		var held []*payload
		next := int64(0)
		for range 200 {
			switch rng.IntN(4) {
			case 0:
				next++
				x := get(p, next)
				if references[x] != 0 {
					t.Fatalf("seed %d: an object with %d references is used again", seed, references[x])
				}
				references[x] = 1
				if active != nil {
					references[active]--
				}
				active = x
				c.Update(x)
			case 1, 2:
				x := c.Acquire()
				if x != active {
					t.Fatalf("seed %d: Acquire returned %p, want %p", seed, x, active)
				}
				if x != nil {
					references[x]++
					held = append(held, x)
				}
			case 3:
				if len(held) > 0 {
					i := rng.IntN(len(held))
					references[held[i]]--
					c.Release(held[i])
					held = append(held[:i], held[i+1:]...)
				}
			}
			for x, want := range references {
				if got := x.DebugPeekRef(); got != want {
					t.Fatalf("seed %d: object %d has %d references, want %d", seed, x.id, got, want)
				}
				if x.free.Load() != (want == 0) {
					t.Fatalf("seed %d: object %d with %d references is free: %t", seed, x.id, want, x.free.Load())
				}
			}
		}
	}
}

// TestReadersAndWritersAtOnce is for the race detector too.
func TestReadersAndWritersAtOnce(t *testing.T) {
	p := newPool()
	c := poolswap.NewEmptyContainer(p)
	updates := 3000
	if testing.Short() {
		updates = 500
	}
	var readers, writers sync.WaitGroup
	var done atomic.Bool
	var ids atomic.Int64
	for range 6 {
		readers.Go(func() {
			for !done.Load() {
				x := c.Acquire()
				if x == nil {
					runtime.Gosched()
					continue
				}
				id := x.id
				runtime.Gosched()
				if x.free.Load() || x.id != id {
					t.Error("an object was used again while it was held")
				}
				c.Release(x)
			}
		})
	}
	for range 2 {
		writers.Go(func() {
			for range updates {
				x := p.Get()
				x.id = ids.Add(1)
				x.free.Store(false)
				x.bytes = append(x.bytes, "value"...)
				c.Update(x)
			}
		})
	}
	writers.Wait()
	done.Store(true)
	readers.Wait()
	x := c.Acquire()
	if n := x.DebugPeekRef(); n != 2 {
		t.Errorf("%d references at the end, want 2", n)
	}
	c.Release(x)
}
