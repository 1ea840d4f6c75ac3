//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package arrowallocators

import (
	"strings"
	"testing"
)

func newOffheap(t *testing.T) *Offheap {
	t.Helper()
	o, err := NewOffheap()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOffheapRefusesWhatIsNotItsOwn(t *testing.T) {
	o := newOffheap(t)
	defer o.Close()
	foreign := alignedMake(4096)
	if text := panicOf(func() { o.Free(foreign) }); !strings.Contains(text, "no block of this allocator") {
		t.Errorf("a foreign slice: panic %q", text)
	}
	b := o.Allocate(4096)
	if text := panicOf(func() { o.Free(b[64:2048:2048]) }); text != "none" {
		t.Errorf("a part whose capacity is no class: panic %q, want it ignored", text)
	}
	if text := panicOf(func() { o.Free(b[1024:2048:2048]) }); !strings.Contains(text, "no block of this allocator") {
		t.Errorf("a part: panic %q", text)
	}
	if text := panicOf(func() { o.Free(b[:1024:1024]) }); !strings.Contains(text, "no block of this allocator") {
		t.Errorf("the first part: panic %q", text)
	}
	o.Free(b)
	if text := panicOf(func() { o.Free(b) }); !strings.Contains(text, "freed twice") {
		t.Errorf("a second time: panic %q", text)
	}
}

func TestOffheapCloseSaysWhatIsStillOut(t *testing.T) {
	o := newOffheap(t)
	o.Free(o.Allocate(100))
	o.Allocate(300)
	o.Allocate(5 << 20)
	err := o.Close()
	if want := "2 blocks of 5243200 bytes in all were not freed"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if err := o.Close(); err != nil || o.Held() != 0 {
		t.Errorf("the second time: error %v, %d bytes held", err, o.Held())
	}
}

func TestOffheapCutsSmallBlocksFromOneMapping(t *testing.T) {
	o := newOffheap(t)
	defer o.Close()
	for range 100 {
		o.Allocate(1000)
	}
	if o.Held() != slabSize {
		t.Errorf("%d bytes are mapped for 100 small blocks, want %d", o.Held(), slabSize)
	}
	o.Allocate(2 << 20)
	if o.Held() != slabSize+2<<20 {
		t.Errorf("%d bytes are mapped, want one slab and 2 MiB", o.Held())
	}
}
