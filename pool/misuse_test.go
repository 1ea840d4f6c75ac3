//go:build !poolproofdebug

package pool_test

import (
	"testing"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/pool"
)

// What the normal build does with bad use. The checked build's side is in
// misuse_checked_test.go; copies are go vet's, in tool_test.go.

func TestASecondPutOfAnObjectThatWaitsIsRefusedAtTheLevelLeaks(t *testing.T) {
	p := pool.New(pool.Options[item]{Stats: pool.Leaks})
	x := p.Get()
	p.Put(x)
	p.Put(x)
	if s := p.Stats(); s.Dropped != (pool.Drops{Twice: 1}) || s.InUse != 0 {
		t.Errorf("%+v, want one Put refused", s)
	}
	if first, second := p.Get(), p.Get(); first == second {
		t.Error("an object that was put twice has two owners")
	}
	foreign := new(item)
	p.Put(foreign)
	p.Put(foreign)
	if s := p.Stats(); s.Dropped.Twice != 2 {
		t.Errorf("%d Puts refused, want 2: that of an object of other origin too", s.Dropped.Twice)
	}
}

// Below the level Leaks nothing tells a second Put from a first. The test is
// here so that a change of this is noticed and documented.
func TestASecondPutIsNotSeenBelowTheLevelLeaks(t *testing.T) {
	exactly(t)
	for _, level := range []pool.StatsLevel{pool.Misses, pool.Uses} {
		p := pool.New(pool.Options[item]{Stats: level})
		x := p.Get()
		p.Put(x)
		p.Put(x) //poolproof:ignore that nothing refuses it is what is tested
		if first, second := p.Get(), p.Get(); first != second {
			t.Errorf("%s: a second Put was refused; the documentation says that it is not", level)
		}
	}
}

func TestAnObjectThatIsNeverPutIsLostAtTheLevelLeaks(t *testing.T) {
	p := pool.New(pool.Options[item]{Stats: pool.Leaks})
	lose(p, 1)
	expect.AfterGC(t, "lost", func() bool { return p.Stats().Lost == 1 })
	if n := p.Stats().InUse; n != 0 {
		t.Errorf("%d in use, want 0", n)
	}
}

func TestAnObjectThatIsNeverPutIsSimplyCollectedBelowTheLevelLeaks(t *testing.T) {
	p := pool.New(pool.Options[item]{Stats: pool.Uses})
	lose(p, 10)
	gcepoch.Collect(3)
	if s := p.Stats(); s.Lost != 0 || s.InUse != 0 || s.Gets != 10 {
		t.Errorf("%+v, want 10 Gets and nothing known of the rest", s)
	}
}

func TestAnObjectOfAnotherPoolIsForeign(t *testing.T) {
	a, b := pool.New(pool.Options[item]{Stats: pool.Leaks}), pool.New(pool.Options[item]{Stats: pool.Leaks})
	x := a.Get()
	b.Put(x)
	if sa, sb := a.Stats(), b.Stats(); sa.InUse != 1 || sb.InUse != 0 || sb.Foreign != 1 {
		t.Errorf("%d and %d in use, %d foreign; want it out of its own pool, and foreign in the other", sa.InUse, sb.InUse, sb.Foreign)
	}
	a.Put(x) //poolproof:ignore two pools hold it now, which neither can know
}

func TestLeaksIsForTheCheckedBuild(t *testing.T) {
	p := pool.New(pool.Options[item]{Stats: pool.Leaks})
	x := p.Get()
	if got := p.Leaks(); got != nil {
		t.Errorf("Leaks returned %q", got)
	}
	p.Put(x)
}
