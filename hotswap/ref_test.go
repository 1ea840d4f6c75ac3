package hotswap_test

import (
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

func TestAGuardIsFourWords(t *testing.T) {
	if size := unsafe.Sizeof(hotswap.Ref[config]{}); size != 4*unsafe.Sizeof(uintptr(0)) && unsafe.Sizeof(uintptr(0)) == 8 {
		t.Errorf("a Ref has %d bytes, want 32", size)
	}
}

func TestReleaseIsIdempotentForOneVariable(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := c.Acquire()
	other := c.Acquire()
	ref.Release()
	ref.Release()
	if ref.Value() != nil || ref.Ok() || ref.Generation() != 0 {
		t.Error("a released Ref has a value")
	}
	if s := p.Stats(); s.Outstanding != 1 {
		t.Errorf("%d holds, want 1", s.Outstanding)
	}
	other.Release()
}

func TestACloneIsAHoldOfItsOwn(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	ref := c.Acquire()
	clone := ref.Clone()
	generation := ref.Generation()
	ref.Release()
	publish(t, c, p, 2)
	d := p.Get()
	if d.Value() == clone.Value() || clone.Value().version != 1 || clone.Generation() != generation {
		t.Errorf("the clone has version %d of generation %d, and a writer has got %p", clone.Value().version, clone.Generation(), d.Value())
	}
	d.Discard()
	clone.Release()
	none := ref.Clone()
	if none.Ok() {
		t.Error("a clone of nothing holds something")
	}
	if s := p.Stats(); s.Outstanding != 0 || s.Retired != 0 {
		t.Errorf("%+v, want no holds", s)
	}
}

func TestMapTurnsAHoldIntoOneOnAPart(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 7)
	ref := c.Acquire()
	if got := expect.Panic(func() { hotswap.Map(&ref, func(*config) *int { panic("boom") }) }); got != "boom" || !ref.Ok() {
		t.Errorf("f panicked with %q, and r has a value: %t", got, ref.Ok())
	}
	part := hotswap.Map(&ref, func(x *config) *int { return &x.version })
	if ref.Ok() || ref.Value() != nil {
		t.Error("r still holds something")
	}
	publish(t, c, p, 8)
	d := p.Get() // must not be version 7
	if *part.Value() != 7 || !part.Ok() || part.Generation() != 1 {
		t.Errorf("the part is %d of generation %d", *part.Value(), part.Generation())
	}
	d.Discard()
	nothing := hotswap.Map(&part, func(*int) *string { return nil })
	if nothing.Value() != nil || !nothing.Ok() {
		t.Error("a Map to nil is not Ok, but it holds the value")
	}
	nothing.Release()
	if s := p.Stats(); s.Outstanding != 0 || s.Retired != 0 {
		t.Errorf("%+v, want no holds", s)
	}
	empty := hotswap.Map(&ref, func(*config) *int { t.Error("called without a value"); return nil })
	if empty.Ok() {
		t.Error("a Map of nothing holds something")
	}
}

func TestAReaderKeepsItsValueUntilItLoadsAnother(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	r := c.Reader()
	x := r.Load()
	if r.Load() != x || x.version != 1 {
		t.Error("two Loads of one publication differ")
	}
	publish(t, c, p, 2)
	publish(t, c, p, 3)
	if x.version != 1 {
		t.Error("the value changed before the next Load")
	}
	if y := r.Load(); y.version != 3 {
		t.Errorf("Load returned version %d, want 3", y.version)
	}
	r.Release()
	r.Release()
	if s := p.Stats(); s.Outstanding != 0 || s.Retired != 0 {
		t.Errorf("%+v, want no holds", s)
	}
	if y := r.Load(); y.version != 3 {
		t.Errorf("Load after Release returned version %d, want 3", y.version)
	}
	r.Release()
}
