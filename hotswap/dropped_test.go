package hotswap_test

import (
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

//go:noinline
func newHere(p *hotswap.Pool[config]) *hotswap.Container[config] { return hotswap.New(p) }

// leaksOf returns options that trace, and what they report. The channel is large
// enough for a test.
func leaksOf() (hotswap.Options[config], <-chan hotswap.Holder) {
	leaks := make(chan hotswap.Holder, 8)
	o := traced()
	o.OnLeak = func(l hotswap.Holder) { leaks <- l }
	return o, leaks
}

// collected reports a leak that n collections find, if there is one.
func collected(leaks <-chan hotswap.Holder, n int) (leak hotswap.Holder, found bool) {
	for range n {
		cleaned := make(chan struct{})
		drop(func() { runtime.AddCleanup(new([64]byte), func(c chan struct{}) { close(c) }, cleaned) })
		runtime.GC()
		<-cleaned
		select {
		case leak = <-leaks:
			return leak, true
		default:
		}
	}
	return leak, false
}

func TestAContainerThatIsDroppedWithAValueIsReported(t *testing.T) {
	o, leaks := leaksOf()
	p := hotswap.NewPool(o)
	drop(func() { publish(t, newHere(p), p, 1) })
	var leak hotswap.Holder
	expect.Eventually(t, "reported as a leak", func() (found bool) {
		leak, found = collected(leaks, 1)
		return found
	})
	if leak.Kind != "Container" || !leak.Leaked || leak.Generation != 0 {
		t.Errorf("%+v, want a Container", leak)
	}
	expect.InOrder(t, leak.String(), "Container, dropped without Close, made ", " ago at\n", "newHere", "dropped_test.go:")
	holders := p.Outstanding()
	if len(holders) != 1 || holders[0].Kind != "Container" {
		t.Errorf("holders are %v, want the container", holders)
	}
	expect.InOrder(t, p.Close(ended()).Error(), "Close of a Pool waited for its values; the pool has 1 values: 1 current", "Container, dropped without Close", "newHere")
}

func TestAContainerThatIsDroppedWithoutAValueIsNotReported(t *testing.T) {
	for name, use := range map[string]func(*hotswap.Container[config], *hotswap.Pool[config]){
		"empty": func(*hotswap.Container[config], *hotswap.Pool[config]) {},
		"cleared": func(c *hotswap.Container[config], p *hotswap.Pool[config]) {
			publish(t, c, p, 1)
			c.Clear()
		},
		"closed": func(c *hotswap.Container[config], p *hotswap.Pool[config]) {
			publish(t, c, p, 1)
			if err := c.Close(t.Context()); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, leaks := leaksOf()
			p := hotswap.NewPool(o)
			drop(func() { use(hotswap.New(p), p) })
			if leak, found := collected(leaks, 4); found {
				t.Errorf("reported: %v", leak)
			}
			if got := p.Outstanding(); got != nil {
				t.Errorf("holders: %v", got)
			}
		})
	}
}

func TestAContainerThatIsFilledAgainAfterClearIsReported(t *testing.T) {
	o, leaks := leaksOf()
	p := hotswap.NewPool(o)
	drop(func() {
		c := hotswap.New(p)
		publish(t, c, p, 1)
		c.Clear()
		publish(t, c, p, 2)
	})
	expect.Eventually(t, "reported as a leak", func() bool {
		_, found := collected(leaks, 1)
		return found
	})
	runtime.KeepAlive(p)
}

// Both are garbage: the pool misses nothing.
func TestAContainerThatIsDroppedWithItsPoolIsNotReported(t *testing.T) {
	o, leaks := leaksOf()
	gone := make(chan struct{})
	drop(func() {
		p := hotswap.NewPool(o)
		runtime.AddCleanup(p, func(c chan struct{}) { close(c) }, gone)
		publish(t, hotswap.New(p), p, 1)
	})
	expect.Eventually(t, "collected", func() bool {
		runtime.GC()
		select {
		case <-gone:
			return true
		default:
			return false
		}
	})
	if leak, found := collected(leaks, 4); found {
		t.Errorf("reported: %v", leak)
	}
}

func TestAContainerThatIsUsedIsNotReported(t *testing.T) {
	o, leaks := leaksOf()
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	if leak, found := collected(leaks, 4); found {
		t.Errorf("reported: %v", leak)
	}
	runtime.KeepAlive(c)
}
