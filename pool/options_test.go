package pool_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/pool"
)

func TestRulesThatContradictThemselvesAreRefused(t *testing.T) {
	size := func(*item) int { return 0 }
	for _, c := range []struct {
		rules pool.Options[item]
		want  string
	}{
		{pool.Options[item]{MaxSize: -1, Size: size}, "pool: Options.MaxSize is -1; it must be a number of bytes, or 0 for no bound"},
		{pool.Options[item]{MaxSize: 1}, "pool: Options.MaxSize needs Options.Size, which is nil"},
		{pool.Options[item]{DropUnderused: true, Used: size}, "pool: Options.DropUnderused needs Options.Size, which is nil"},
		{pool.Options[item]{DropUnderused: true, Size: size}, "pool: Options.DropUnderused needs Options.Used, which is nil"},
		{pool.Options[item]{Reserve: -3}, "pool: Options.Reserve is -3; it must be a number of objects, or 0 for none"},
		{pool.Options[item]{Stats: 3}, "pool: Options.Stats is 3; it must be Misses, Uses or Leaks"},
		{pool.Options[item]{}, ""},
		{pool.Options[item]{Size: size, Used: size}, ""},
		{pool.Options[item]{Size: size, MaxSize: 1, Used: size, DropUnderused: true, Reserve: 1, Stats: pool.Leaks}, ""},
	} {
		if got := expect.Panic(func() { pool.New(c.rules) }); got != c.want {
			t.Errorf("New(%+v) panicked with %q, want %q", c.rules, got, c.want)
		}
	}
}

// sized is an object that says its sizes itself.
type sized struct {
	size, used int
	resets     int
}

func sizeOf(x *sized) int { return x.size }
func usedOf(x *sized) int { return x.used }

var levels = []pool.StatsLevel{pool.Misses, pool.Uses, pool.Leaks}

func TestWhatIsLargerThanMaxSizeIsDropped(t *testing.T) {
	exactly(t)
	for _, level := range levels {
		p := pool.New(pool.Options[sized]{Size: sizeOf, MaxSize: 100, Reset: func(x *sized) { x.resets++ }, Stats: level})
		for _, c := range []struct {
			size int
			kept bool
		}{{0, true}, {99, true}, {100, true}, {101, false}, {math.MaxInt, false}, {-1, true}} {
			x := &sized{size: c.size}
			dropped := p.Stats().Dropped.MaxSize
			p.Put(x)
			kept := p.Get() == x
			resets := x.resets //poolproof:ignore it looks whether Put has reset what it kept
			if kept != c.kept || (resets == 1) != c.kept || p.Stats().Dropped.MaxSize-dropped == 0 != c.kept {
				t.Errorf("%s, size %d: kept %t, %d resets, %d dropped before and %d after; want kept %t",
					level, c.size, kept, resets, dropped, p.Stats().Dropped.MaxSize, c.kept)
			}
		}
	}
}

func TestKeepDecides(t *testing.T) {
	exactly(t)
	for _, level := range levels {
		p := pool.New(pool.Options[sized]{
			Keep:  func(x *sized) bool { return x.size == 1 },
			Reset: func(x *sized) { x.resets++ },
			Stats: level,
		})
		good, bad := &sized{size: 1}, &sized{size: 2}
		p.Put(bad)
		if p.Get() == bad || bad.resets != 0 || p.Stats().Dropped != (pool.Drops{Keep: 1}) {
			t.Errorf("%s: an object that Keep refused came back, or %d resets, or dropped %+v", level, bad.resets, p.Stats().Dropped)
		}
		p.Put(good)
		back, resets := p.Get() == good, good.resets //poolproof:ignore it looks whether Put has reset what it kept
		if !back || resets != 1 || p.Stats().Dropped.Total() != 1 {
			t.Errorf("%s: an object that Keep accepted did not come back, or %d resets, or dropped %+v", level, resets, p.Stats().Dropped)
		}
	}
}

// A pool that bounds the size, or that has a reserve, asks its rules in a function of
// its own.
func TestKeepDecidesBesideABoundOrAReserve(t *testing.T) {
	exactly(t)
	even := func(x *sized) bool { return x.used%2 == 0 }
	for _, c := range []struct {
		rules         pool.Options[sized]
		keep, maxSize uint64 // dropped
	}{
		{pool.Options[sized]{Size: sizeOf, MaxSize: 1}, 0, 2},
		{pool.Options[sized]{Size: sizeOf, MaxSize: 1, Keep: even}, 1, 2},
		{pool.Options[sized]{Size: sizeOf, MaxSize: 3, Keep: even}, 2, 0},
		{pool.Options[sized]{Reserve: 2, Keep: even}, 2, 0},
		{pool.Options[sized]{Reserve: 2}, 0, 0},
	} {
		for _, level := range levels {
			rules, resets := c.rules, uint64(0)
			rules.Stats, rules.Reset = level, func(*sized) { resets++ }
			p := pool.New(rules)
			for i := range 4 {
				p.Put(&sized{size: i, used: i})
			}
			got := p.Stats().Dropped
			if got.Keep != c.keep || got.MaxSize != c.maxSize || resets != 4-c.keep-c.maxSize {
				t.Errorf("MaxSize %d, Reserve %d, Keep %t at %s: %d dropped by Keep, %d by MaxSize, %d reset; want %d, %d, %d",
					rules.MaxSize, rules.Reserve, rules.Keep != nil, level, got.Keep, got.MaxSize, resets, c.keep, c.maxSize, 4-c.keep-c.maxSize)
			}
		}
	}
}

func TestRulesAreAskedInOrder(t *testing.T) {
	var calls []string
	called := func(name string) { calls = append(calls, name) }
	p := pool.New(pool.Options[sized]{
		New:           func() *sized { called("New"); return new(sized) },
		Reset:         func(x *sized) { called("Reset"); *x = sized{} },
		Keep:          func(x *sized) bool { called("Keep"); return x.resets == 0 },
		Size:          func(x *sized) int { called("Size"); return x.size },
		MaxSize:       1 << 20,
		Used:          func(x *sized) int { called("Used"); return x.used },
		DropUnderused: true,
	})
	x := p.Get()
	x.size, x.used = 8<<10, 8<<10
	p.Put(x)
	if want := []string{"New", "Size", "Used", "Keep", "Reset"}; !slices.Equal(calls, want) {
		t.Errorf("the order was %v, want %v", calls, want)
	}
	for _, c := range []struct {
		x    sized
		want []string
	}{
		{sized{size: 1<<20 + 1}, []string{"Size"}},
		{sized{size: 100}, []string{"Size", "Keep", "Reset"}}, // small: Used does not matter
		{sized{resets: 1}, []string{"Size", "Keep"}},
	} {
		calls = nil
		p.Put(&c.x)
		if !slices.Equal(calls, c.want) {
			t.Errorf("of %+v the order was %v, want %v", c.x, calls, c.want)
		}
	}
}

// A rule that panics must not put the object, must not hold a lock, and must let
// the panic through.
func TestARuleThatPanicsDropsTheObjectAndLeavesThePoolSound(t *testing.T) {
	boom := func() { panic("boom") }
	for name, break1 := range map[string]func(r *pool.Options[sized], when func(*sized)){
		"Reset": func(r *pool.Options[sized], when func(*sized)) { r.Reset = when },
		"Keep":  func(r *pool.Options[sized], when func(*sized)) { r.Keep = func(x *sized) bool { when(x); return true } },
		"Size": func(r *pool.Options[sized], when func(*sized)) {
			r.Size = func(x *sized) int { when(x); return 8 << 10 }
		},
		"Used": func(r *pool.Options[sized], when func(*sized)) { r.Used = func(x *sized) int { when(x); return 0 } },
	} {
		for _, level := range levels {
			t.Run(fmt.Sprintf("%s at %s", name, level), func(t *testing.T) {
				r := pool.Options[sized]{Size: func(*sized) int { return 8 << 10 }, Used: func(*sized) int { return 8 << 10 }, MaxSize: 1 << 20, DropUnderused: true, Reserve: 2, Stats: level}
				break1(&r, func(x *sized) {
					if x.resets == -1 {
						boom()
					}
				})
				p := pool.New(r)
				bad := p.Get()
				bad.resets = -1
				if got := expect.Panic(func() { p.Put(bad) }); got != "boom" {
					t.Errorf("Put panicked with %q, want boom", got)
				}
				for range 10 {
					x := p.Get()
					if x == bad {
						t.Error("the object of the panic came back")
					}
					p.Put(x)
				}
				if s := p.Stats(); level == pool.Leaks && s.InUse != 0 {
					t.Errorf("%d in use after all were put", s.InUse)
				}
				local := p.Local(2)
				bad = local.Get()
				bad.resets = -1
				if got := expect.Panic(func() { local.Put(bad) }); got != "boom" {
					t.Errorf("Put of a Local panicked with %q, want boom", got)
				}
				if local.Get() == bad {
					t.Error("the object of the panic came back from a Local")
				}
			})
		}
	}
}

func TestANewThatPanicsLeavesThePoolSound(t *testing.T) {
	for _, level := range levels {
		fail := true
		p := pool.New(pool.Options[item]{Reserve: 1, Stats: level, New: func() *item {
			if fail {
				panic("boom")
			}
			return new(item)
		}})
		if got := expect.Panic(func() { p.Get() }); got != "boom" {
			t.Errorf("Get panicked with %q, want boom", got)
		}
		if got := expect.Panic(func() { p.Put(new(item)); p.Trim() }); level == pool.Misses && got != "boom" && got != "" {
			t.Errorf("Trim panicked with %q", got)
		}
		fail = false
		p.Put(p.Get())
		p.Trim()
		if s := p.Stats(); s.Misses == 0 || level >= pool.Leaks && s.InUse != 0 {
			t.Errorf("%s: after a panic and a good pair: %+v", level, s)
		}
	}
}

func TestWithPutsTheObjectUnlessTheFunctionDoesNotReturn(t *testing.T) {
	for _, level := range levels {
		resets := 0
		p := pool.New(pool.Options[item]{Stats: level, Reset: func(x *item) { resets++ }})
		var got *item
		p.With(func(x *item) { got = x })
		if got == nil || resets != 1 || p.Stats().Dropped.Abandoned != 0 {
			t.Errorf("%s: object %p, %d resets, %+v", level, got, resets, p.Stats().Dropped)
		}
		if text := expect.Panic(func() { p.With(func(x *item) { panic("boom") }) }); text != "boom" {
			t.Errorf("%s: With panicked with %q, want boom", level, text)
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			p.With(func(x *item) { goexit() })
		}()
		<-done
		if s := p.Stats(); resets != 1 || s.Dropped.Abandoned != 2 || level == pool.Leaks && (s.InUse != 0 || s.Lost != 0) {
			t.Errorf("%s: after a panic and a Goexit: %d resets, %+v", level, resets, s)
		}
	}
}

// With has given the object up by then: it is not counted as abandoned too.
func TestARuleThatPanicsInWith(t *testing.T) {
	for _, level := range levels {
		p := pool.New(pool.Options[item]{Stats: level, Reset: func(*item) { panic("boom") }})
		if text := expect.Panic(func() { p.With(func(*item) {}) }); text != "boom" {
			t.Errorf("%s: With panicked with %q, want boom", level, text)
		}
		if s := p.Stats(); s.Dropped.Total() != 0 || level == pool.Leaks && s.InUse != 0 {
			t.Errorf("%s: %+v, want nothing dropped and nothing in use", level, s)
		}
	}
}

func TestThePanicOfANilFromNewNamesTheRule(t *testing.T) {
	for _, level := range levels {
		p := pool.New(pool.Options[item]{Stats: level, New: func() *item { return nil }})
		if got := expect.Panic(func() { p.Get() }); !strings.Contains(got, "Options.New returned nil") {
			t.Errorf("%s: Get panicked with %q", level, got)
		}
	}
}
