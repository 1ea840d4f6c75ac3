//go:build poolproofdebug

package hotswap_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/ledger"
)

func TestCheckedAFreeValueIsEmptyAndComesBackAsItWas(t *testing.T) {
	o := options()
	o.Reset = nil
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	publish(t, c, p, 1)
	stale := c.Acquire()
	x := stale.Value()
	stale.Release()
	publish(t, c, p, 2)
	if x.version != 0 || x.names != nil {
		t.Errorf("a free value still holds %+v", *x)
	}
	d := p.Get()
	if d.Value() != x || x.version != 1 || x.names == nil {
		t.Errorf("a writer gets %+v, want version 1 as it was", *d.Value())
	}
	d.Discard()
}

func TestCheckedAWriteToAFreeValueIsFoundByItsNextWriter(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	stale := c.Acquire()
	x := stale.Value()
	stale.Release()
	publish(t, c, p, 2)
	x.version = 99
	text := expect.Panic(func() { d := p.Get(); d.Discard() })
	expect.InOrder(t, text, "hotswap: a free value (*hotswap_test.config) was written, after",
		"its last writer got it at", "hotswap_test.publish", "it became free at", "and the write was found at", "TestCheckedAWriteToAFreeValueIsFoundByItsNextWriter")
	d := p.Get()
	if d.Value() == x {
		t.Error("the value is used again")
	}
	d.Discard()
}

func TestCheckedAWriteToAFreeValueIsFoundByADelta(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[config]{New: func() *config { return new(config) }, MaxLive: 2})
	c := hotswap.New(p)
	d := hotswap.NewDelta(c, func(x *config, d int) { x.version += d }, func(dst, src *config) { dst.version = src.version })
	for range 2 {
		if err := d.Update(1); err != nil {
			t.Fatal(err)
		}
	}
	stale := c.Acquire()
	x := stale.Value()
	stale.Release()
	if err := d.Update(1); err != nil {
		t.Fatal(err)
	}
	x.version = 99
	text := expect.Panic(func() { _ = d.Update(1) })
	expect.InOrder(t, text, "was written, after the Release, Discard or Update", "its last writer got it at", "it became free at")
	for range 3 { // both values are in use again, of which one is new
		if err := d.Update(1); err != nil {
			t.Fatal(err)
		}
	}
	if got := current(c); got != 6 {
		t.Errorf("the sum is %d, want 6", got)
	}
}

func TestCheckedAlwaysTraces(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := acquireHere(c)
	if n := len(p.Outstanding()); n != 1 {
		t.Errorf("%d holders, want 1", n)
	}
	ref.Release()
}

// Package pooltest reports what is in the ledger.
func TestCheckedHoldersAreInTheLedger(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	out := func() (n int) {
		for _, e := range ledger.Outstanding() {
			if e.Pool == "hotswap.Pool[hotswap_test.config]" && strings.Contains(e.Got.String(), "TestCheckedHolders") {
				n++
			}
		}
		return n
	}
	ref := acquireHere(c)
	d := getHere(p)
	if n := out(); n != 2 {
		t.Errorf("%d holders in the ledger, want 2", n)
	}
	ref.Release()
	d.Discard()
	if n := out(); n != 0 {
		t.Errorf("%d holders in the ledger after all were released", n)
	}
}

// A late reader sees nothing while fewer values have become free after its own than
// the checked build waits for; a late write is found by the next writer, and by
// package pooltest.
func TestCheckedAValueWaitsForOthers(t *testing.T) {
	defer hotswap.SetDelay(8)()
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	stale := c.Acquire()
	x := stale.Value()
	stale.Release()
	for version := 2; version < 10; version++ {
		publish(t, c, p, version)
		if x.version != 0 || x.names != nil {
			t.Fatalf("after %d more versions a late reader sees %+v", version-1, *x)
		}
	}
	x.version = 99
	n := 0
	for _, w := range ledger.Verify() {
		if strings.Contains(w.Pool, "config") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d late writes in the ledger, want 1", n)
	}
	x.version = 99
	expect.InOrder(t, expect.Panic(func() { p.Get() }), "was written, after the Release, Discard or Update", "its last writer got it at", "it became free at")
	d := p.Get()
	d.Discard()
}

// A bound of values comes before the wait: a writer gets the value at once if it
// would have to wait for a reader otherwise.
func TestCheckedMaxLiveComesBeforeTheWait(t *testing.T) {
	defer hotswap.SetDelay(8)()
	o := options()
	o.MaxLive = 2
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	for version := range 20 {
		publish(t, c, p, version)
	}
	if s := p.Stats(); s.News != 2 {
		t.Errorf("%d values made, want 2", s.News)
	}
}
