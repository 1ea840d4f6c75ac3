package poolswap_test

import (
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/poolproof/poolproof/hotswap/poolswap"
	"github.com/poolproof/poolproof/internal/expect"
)

// One free object more than there are processors: the next Update drops one, and
// no more.
func TestFreeObjectsBeyondOneForEachProcessorAreDropped(t *testing.T) {
	for _, procs := range []int{1, 2, 3} {
		before := runtime.GOMAXPROCS(procs)
		made := 0
		p := poolswap.NewPool(func() *payload { made++; return new(payload) }, nil)
		runtime.GOMAXPROCS(before)
		c := poolswap.NewEmptyContainer(p)

		objects := make(map[*payload]bool)
		for range procs + 2 {
			objects[p.Get()] = true
		}
		var first *payload
		for x := range objects {
			if first == nil {
				first = x
				c.Update(x)
			} else {
				p.Release(x)
			}
		}
		current := p.Get()
		delete(objects, current)
		c.Update(current) // the first one is free now: procs+1 are

		for range procs {
			delete(objects, p.Get())
		}
		if made != procs+2 || len(objects) != 1 {
			t.Fatalf("%d processors: %d objects made for %d, %d not used again; want as many, and 1", procs, made, procs+2, len(objects))
		}
		if p.Get(); made != procs+3 {
			t.Errorf("%d processors: more free objects were kept than that", procs)
		}
		for dropped := range objects {
			if got := expect.Panic(func() { p.Release(dropped) }); !strings.Contains(got, "that no pool knows") {
				t.Errorf("%d processors: Release of the dropped object panicked with %q", procs, got)
			}
			c.Update(dropped) // a foreign object now
			if x := c.Acquire(); x != dropped || x.DebugPeekRef() != 2 {
				t.Errorf("%d processors: the dropped object cannot be current again", procs)
			}
		}
	}
}

// forget gets an object and keeps nothing of it.
//
//go:noinline
func forget(p *poolswap.Pool[payload, *payload]) weak.Pointer[payload] { return weak.Make(p.Get()) }

func TestAnObjectThatGetReturnedAndNobodyKeptIsCollected(t *testing.T) {
	p := newPool()
	a := forget(p) // a new one
	p.Release(p.Get())
	b := forget(p) // one that was free
	runtime.GC()
	runtime.GC()
	if a.Value() != nil || b.Value() != nil {
		t.Errorf("the new object is collected: %t, the used one: %t; want both", a.Value() == nil, b.Value() == nil)
	}
	p.Release(p.Get()) // the pool lives, and is sound
}
