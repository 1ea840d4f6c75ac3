package ledger

import (
	"strings"
	"testing"
	"unsafe"
)

func watch(b *Book, x *item) []Written {
	return b.Watch(x.p(), itemSize, Entry{Pool: b.Name(), Addr: uintptr(x.p()), Size: itemSize})
}

func TestAWriteUnderWatchIsFoundOnce(t *testing.T) {
	b := NewBook("watched")
	quiet, written := new(item), new(item)
	if found := append(watch(b, quiet), watch(b, written)...); found != nil {
		t.Fatalf("found %v before anything was written", found)
	}
	if found := b.Verify(); found != nil {
		t.Fatalf("found %v before anything was written", found)
	}
	written.n = 7
	found := b.Verify()
	if len(found) != 1 || found[0].Addr != uintptr(written.p()) {
		t.Fatalf("found %v, want the object at %p", found, written)
	}
	if text := found[0].String(); !strings.Contains(text, "watched: an object of 16 bytes at ") || !strings.Contains(text, "was written after Put") {
		if unsafe.Sizeof(item{}) == 16 {
			t.Errorf("the find reads\n%s", text)
		}
	}
	if found := b.Verify(); found != nil {
		t.Errorf("the same write was found again: %v", found)
	}
	written.n = 8
	if found := b.Drain(); len(found) != 1 || b.Watched() != 0 {
		t.Errorf("Drain found %d and left %d, want 1 and 0", len(found), b.Watched())
	}
	written.n = 9
	if found := b.Verify(); found != nil {
		t.Errorf("found %v after the watch has ended", found)
	}
}

func TestTheWatchIsBoundedAndLooksAtWhatLeaves(t *testing.T) {
	b := NewBook("bounded")
	first := new(item)
	watch(b, first)
	first.n = 7
	for i := range maxWatched - 1 {
		if found := watch(b, new(item)); found != nil {
			t.Fatalf("the watch over the first ended after %d others", i+1)
		}
	}
	found := watch(b, new(item))
	if len(found) != 1 || found[0].Addr != uintptr(first.p()) || b.Watched() != maxWatched {
		t.Errorf("found %v with %d under watch, want the first and %d", found, b.Watched(), maxWatched)
	}
	for range 3 * maxWatched {
		if found := watch(b, new(item)); found != nil {
			t.Errorf("found %v, which nobody wrote", found)
		}
	}
	if b.Watched() != maxWatched {
		t.Errorf("%d under watch, want %d", b.Watched(), maxWatched)
	}
}

func TestTheWatchIsBoundedInBytes(t *testing.T) {
	b := NewBook("large")
	const size = maxWatchedBytes/2 + 1
	large := func() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]byte, size))) }
	b.Watch(large(), size, Entry{})
	b.Watch(large(), size, Entry{})
	if b.Watched() != 1 {
		t.Errorf("%d objects of half the bound and more are under watch, want 1", b.Watched())
	}
	huge := unsafe.Pointer(unsafe.SliceData(make([]byte, maxWatchedBytes+1)))
	b.Watch(huge, maxWatchedBytes+1, Entry{})
	if b.Watched() != 1 || b.quarantine.bytes != maxWatchedBytes+1 {
		t.Errorf("%d objects of %d bytes, want the last, whatever its size", b.Watched(), b.quarantine.bytes)
	}
}

func TestVerifyLooksAtAllPoolsAndAtThoseThatAreGone(t *testing.T) {
	if !Checked {
		t.Skip("the normal build lists no books")
	}
	Verify()
	here, gone := NewBook("here"), NewBook("gone")
	x, y := new(item), new(item)
	watch(here, x)
	watch(gone, y)
	x.n, y.n = 7, 7
	gone.Close()
	var pools []string
	for _, w := range Verify() {
		pools = append(pools, w.Pool)
	}
	if got := strings.Join(pools, " "); got != "here gone" {
		t.Errorf("found %q, want here and gone", got)
	}
	if found := Verify(); found != nil {
		t.Errorf("found again: %v", found)
	}
	here.Close()
}
