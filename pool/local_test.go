package pool_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/pool"
)

func TestALocalKeepsUpToItsNumberAndGivesThePoolTheRest(t *testing.T) {
	exactly(t)
	for name, rules := range map[string]pool.Options[item]{"no rules": {}, "Reset": {Reset: clean}, "Reserve": {Reserve: 10}} {
		p := pool.New(rules)
		l := p.Local(3)
		var all []*item
		for range 5 {
			all = append(all, l.Get())
		}
		for _, x := range all {
			l.Put(x)
		}
		for i := 2; i >= 0; i-- {
			if got := l.Get(); got != all[i] {
				t.Errorf("%s: Get returned %p, want %p, which was put last", name, got, all[i])
			}
		}
		misses := p.Stats().Misses
		if x, y := l.Get(), l.Get(); x != all[3] && x != all[4] || y != all[3] && y != all[4] || x == y {
			t.Errorf("%s: the objects for which there was no room are not in the pool", name)
		}
		if p.Stats().Misses != misses {
			t.Errorf("%s: objects were made while some waited", name)
		}
	}
}

func TestALocalKeepsItsObjectsAcrossCollections(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{})
	l := p.Local(1)
	x := l.Get()
	l.Put(x)
	gcepoch.Collect(4)
	if l.Get() != x {
		t.Error("the object is gone")
	}
}

func TestALocalDoesNotKeepWhatItGaveOut(t *testing.T) {
	if ledger.Checked {
		t.Skip("the checked build keeps an object that is out in no Local")
	}
	p := pool.New(pool.Options[item]{})
	l := p.Local(3)
	handles := func() (all []weak.Pointer[item]) {
		held := []*item{l.Get(), l.Get(), l.Get()}
		for _, x := range held {
			l.Put(x)
		}
		for range held {
			x := l.Get()
			x.words[0]++
			all = append(all, weak.Make(x))
		}
		return all
	}()
	gcepoch.Collect(2)
	for i, w := range handles {
		if w.Value() != nil {
			t.Errorf("the Local still refers to object %d, which it gave out", i)
		}
	}
	runtime.KeepAlive(l)
}

//poolproof:ignore it looks at objects that wait in a Local
func TestRulesApplyWhenALocalGetsAnObjectBack(t *testing.T) {
	exactly(t)
	resets := 0
	p := pool.New(pool.Options[sized]{
		Size: sizeOf, Used: usedOf, MaxSize: 1 << 20, DropUnderused: true,
		Keep:  func(x *sized) bool { return x.resets >= 0 },
		Reset: func(x *sized) { resets++; *x = sized{} },
	})
	l := p.Local(2)
	for name, x := range map[string]*sized{"MaxSize": {size: 1<<20 + 1}, "Keep": {resets: -1}} {
		l.Put(x)
		if l.Get() == x || resets != 0 {
			t.Errorf("%s: the object came back, or was reset (%d)", name, resets)
		}
	}
	if got, want := p.Stats().Dropped, (pool.Drops{MaxSize: 1, Keep: 1}); got != want {
		t.Errorf("dropped %+v, want %+v", got, want)
	}
	x := &sized{size: 100}
	l.Put(x)
	if resets != 1 || l.Get() != x || x.size != 0 {
		t.Errorf("%d resets, size %d, want 1 and 0", resets, x.size)
	}
	l.Put(x)
	l.Put(new(sized))
	l.Put(new(sized)) // no room: straight to the pool
	if resets != 4 {
		t.Errorf("%d resets after 4 Puts, want one for each", resets)
	}
	l.Close()
	if resets != 4 {
		t.Errorf("Close reset objects again: %d resets", resets)
	}
	for range 3 {
		p.Get()
	}
	if m := p.Stats().Misses; m != 2 { // those of the two Gets above
		t.Errorf("%d misses, want 2: Close gave the objects to the pool", m)
	}
}

func TestALocalThatIsClosed(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{})
	l := p.Local(4)
	x := l.Get()
	l.Put(x)
	l.Close()
	l.Close() // harmless
	if p.Get() != x {
		t.Error("Close did not give the object to the pool")
	}
	for name, use := range map[string]func(){
		"Get of a Local":    func() { l.Get() },
		"Put to a Local":    func() { l.Put(x) },
		"Put to a Local ()": func() { l.Put(nil) },
	} {
		if got, want := expect.Panic(use), "pool: "+name[:14]+" that was closed, or not made by Pool.Local"; got != want {
			t.Errorf("%s panicked with %q, want %q", name, got, want)
		}
	}
}

func TestLocalsOfOddNumbers(t *testing.T) {
	p := pool.New(pool.Options[item]{Reset: clean})
	if got, want := expect.Panic(func() { p.Local(-1) }), "pool: Local of -1 objects; it must be 0 or more"; got != want {
		t.Errorf("Local(-1) panicked with %q, want %q", got, want)
	}
	l := p.Local(0)
	l.Put(l.Get())
	l.Put(nil)
	l.Close()
}

// At these levels, and in the checked build, the numbers are exact, so every
// call reaches the pool.
func TestALocalIsCountedAsItsPoolIs(t *testing.T) {
	for _, level := range []pool.StatsLevel{pool.Uses, pool.Leaks} {
		p := pool.New(pool.Options[item]{Stats: level})
		l := p.Local(8)
		x := l.Get()
		for range 9 {
			l.Put(x)
			x = l.Get()
		}
		s := p.Stats()
		if s.Gets != 10 || s.Puts != 9 || level == pool.Leaks && s.InUse != 1 {
			t.Errorf("at %s: %+v, want 10 Gets, 9 Puts, 1 in use", level, s)
		}
		l.Put(x)
		l.Close()
	}
}

func TestLocalsOfManyGoroutinesShareWhatTheyDoNotNeed(t *testing.T) {
	for _, n := range []int{0, 1, 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := pool.New(pool.Options[item]{Reset: func(x *item) { *x = item{} }})
			var wg sync.WaitGroup
			for owner := range uint64(16) {
				wg.Go(func() {
					l := p.Local(n)
					defer l.Close()
					for range 300 {
						held := [3]*item{l.Get(), l.Get(), l.Get()}
						for _, x := range held {
							if *x != (item{}) {
								t.Errorf("owner %d got an object that holds %v", owner, x.words)
							}
							x.words[0] = owner + 1
						}
						runtime.Gosched()
						for _, x := range held {
							if x.words[0] != owner+1 {
								t.Errorf("owner %d found the stamp of owner %d", owner, x.words[0]-1)
							}
							l.Put(x)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// A Local keeps nothing that the rules of its pool would not keep.
func TestALocalObeysTheRules(t *testing.T) {
	exactly(t)
	for name, o := range map[string]pool.Options[item]{
		"Keep":    {Keep: func(x *item) bool { return x.words[0] == 0 }},
		"MaxSize": {Size: func(x *item) int { return int(x.words[0]) }, MaxSize: 5},
	} {
		p := pool.New(o)
		for _, keeps := range []int{1, 2, 0} {
			l := p.Local(keeps)
			before := p.Stats().Dropped.Total()
			good, bad := l.Get(), l.Get()
			bad.words[0] = 6
			l.Put(bad)
			l.Put(good)
			if x := l.Get(); x != good && !ledger.Checked {
				t.Errorf("%s, a Local of %d: the object that the rule keeps is gone", name, keeps)
			}
			if x := l.Get(); x == bad {
				t.Errorf("%s, a Local of %d: it keeps what the rule drops", name, keeps)
			}
			if n := p.Stats().Dropped.Total() - before; n != 1 {
				t.Errorf("%s, a Local of %d: %d drops counted, want 1", name, keeps, n)
			}
		}
	}
}

func TestAZeroLocalPanicsInWords(t *testing.T) {
	for name, use := range map[string]func(*pool.Local[item]){
		"Get of": func(l *pool.Local[item]) { l.Get() },
		"Put to": func(l *pool.Local[item]) { l.Put(new(item)) },
	} {
		if got := expect.Panic(func() { use(new(pool.Local[item])) }); !strings.HasPrefix(got, "pool: "+name+" a Local that was closed, or not made") {
			t.Errorf("%s a zero Local: %q", name, got)
		}
	}
}

// The number bounds what a Local keeps: it asks for no memory by itself.
func TestALocalOfManyObjectsIsNotLarge(t *testing.T) {
	l := pool.New(pool.Options[item]{}).Local(math.MaxInt)
	var all []*item
	for range 3000 {
		all = append(all, l.Get())
	}
	for _, x := range all {
		l.Put(x)
	}
	l.Close()
}
