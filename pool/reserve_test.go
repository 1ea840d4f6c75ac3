package pool_test

import (
	"testing"
	"weak"

	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/pool"
)

func TestRareUsesOfAPoolWithReserveMakeOneObject(t *testing.T) {
	exactly(t)
	for _, level := range []pool.StatsLevel{pool.Misses, pool.Uses, pool.Leaks} {
		for _, c := range []struct {
			reserve int
			made    uint64
		}{{0, 50}, {1, 1}, {8, 1}} {
			p := pool.New(pool.Options[item]{Reserve: c.reserve, Stats: level})
			for range 50 {
				p.Put(p.Get())
				gcepoch.Collect(3)
			}
			s := p.Stats()
			if s.Misses != c.made || s.FromReserve != 50-c.made {
				t.Errorf("reserve of %d at %s: %d objects made and %d from the reserve for 50 uses, want %d and %d",
					c.reserve, level, s.Misses, s.FromReserve, c.made, 50-c.made)
			}
		}
	}
}

func TestTheReserveIsBoundedAndDecays(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[sized]{Reserve: 3, Size: func(*sized) int { return 100 }})
	for range 2 {
		var burst []*sized
		for range 10 {
			burst = append(burst, p.Get())
		}
		for _, x := range burst {
			p.Put(x)
		}
		if s := p.Stats(); s.Reserved != 3 || s.ReservedBytes != 300 {
			t.Errorf("%d objects of %d bytes in reserve, want 3 of 300", s.Reserved, s.ReservedBytes)
		}
		gcepoch.Collect(3)
	}
	if s := p.Stats(); s.Misses != 17 || s.FromReserve != 3 {
		t.Errorf("two bursts of 10 made %d objects and took %d from the reserve, want 17 and 3", s.Misses, s.FromReserve)
	}
	gcepoch.Collect(8)
	if s := p.Stats(); s.Reserved != 0 || s.ReservedBytes != 0 || s.Decayed != 3 {
		t.Errorf("after 11 idle collections %d objects of %d bytes are in reserve and %d decayed, want 0, 0, 3", s.Reserved, s.ReservedBytes, s.Decayed)
	}
}

func TestWhatAFullReserveDoesNotTakeIsKept(t *testing.T) {
	exactly(t)
	for _, level := range levels {
		p := pool.New(pool.Options[sized]{Reserve: 3, Stats: level})
		var burst []*sized
		for range 10 {
			burst = append(burst, p.Get())
		}
		for _, x := range burst {
			p.Put(x)
		}
		if s := p.Stats(); s.Reserved != 3 || s.ReservedBytes != 0 {
			t.Errorf("at %s %d objects of %d bytes are in reserve, want 3 of 0", level, s.Reserved, s.ReservedBytes)
		}
		for range 10 {
			p.Get()
		}
		if s := p.Stats(); s.Misses != 10 {
			t.Errorf("at %s two bursts of 10 made %d objects, want 10", level, s.Misses)
		}
	}
}

func TestTheReserveWeighsAnObjectAsResetLeftIt(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[sized]{Reserve: 1, Size: sizeOf, Reset: func(x *sized) { x.size = 10 }})
	x := p.Get()
	x.size = 1000
	p.Put(x)
	if s := p.Stats(); s.ReservedBytes != 10 {
		t.Errorf("%d bytes in reserve, want 10", s.ReservedBytes)
	}
}

func TestAHotLoopDoesNotGoThroughTheReserve(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{Reserve: 4})
	for range 1000 {
		p.Put(p.Get())
	}
	if s := p.Stats(); s.Misses != 1 || s.FromReserve > 1 {
		t.Errorf("%d made and %d taken from the reserve in a loop, want 1 and at most 1", s.Misses, s.FromReserve)
	}
}

func TestStatsOfThePoolWithoutReserve(t *testing.T) {
	p := pool.New(pool.Options[item]{})
	if s := p.Stats(); s.Reserved != 0 || s.ReservedBytes != 0 {
		t.Errorf("%+v, want 0 objects of unknown size", s)
	}
}

// Nothing that a pool registers itself with may keep it alive.
func TestAPoolThatNobodyUsesIsCollected(t *testing.T) {
	p := pool.New(pool.Options[sized]{Name: "collected", Reserve: 4, Stats: pool.Leaks,
		Size: sizeOf, Used: usedOf, DropUnderused: true, Reset: func(x *sized) { *x = sized{} }})
	p.Put(p.Get())
	w := weak.Make(p)
	p = nil
	gcepoch.Collect(4) // sync.Pool itself holds on for two
	if w.Value() != nil {
		t.Error("the pool is still alive")
	}
	for s := range pool.All() {
		if s.Name == "collected" {
			t.Error("the pool is still listed")
		}
	}
}
