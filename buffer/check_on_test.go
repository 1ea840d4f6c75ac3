//go:build poolproofdebug

package buffer

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/ledger"
)

func TestLeaksNameThePlaceOfEachGet(t *testing.T) {
	p := New(Options{Name: "leaky"})
	p.Get(100).Release()
	b := p.Get(100)
	x := p.Bytes(200)
	y := p.Sized(300).GetPtr()
	s := filled(p, 400).Share()
	r := s.Retain()
	s.Release()
	leaks := p.Leaks()
	if len(leaks) != 4 {
		t.Fatalf("%d leaks, want 4: %q", len(leaks), leaks)
	}
	for i, want := range []string{"of 128 bytes", "of 256 bytes", "of 320 bytes", "of 400 bytes"} {
		if !strings.Contains(leaks[i], "leaky") || !strings.Contains(leaks[i], want) || !strings.Contains(leaks[i], "TestLeaksNameThePlaceOfEachGet") {
			t.Errorf("leak %d is %q, want one %s", i, leaks[i], want)
		}
	}
	b.Release()
	p.Free(x)
	p.Sized(300).PutPtr(y)
	r.Own().CopyAndRelease()
	if leaks := p.Leaks(); len(leaks) != 0 {
		t.Errorf("after all was given back: %q", leaks)
	}
}

// Package pooltest asks the ledger.
func TestTheLedgerFindsMemoryThatWasWrittenAndWaits(t *testing.T) {
	if guarded {
		t.Skip("in guard mode the write would fault")
	}
	p := New(Options{Name: "written"})
	b, x := p.Get(100), p.Bytes(100)
	stale := b.Bytes()
	b.Release()
	p.Free(x)
	find := func() (n int) {
		for _, w := range ledger.Verify() {
			if w.Pool == "written" {
				n++
			}
		}
		return n
	}
	if n := find(); n != 0 {
		t.Fatalf("%d finds before the write", n)
	}
	stale[3], x[3] = 1, 1
	if n := find(); n != 2 {
		t.Errorf("%d finds after two writes, want 2", n)
	}
	if n := find(); n != 0 {
		t.Errorf("%d finds the second time, want each once", n)
	}
	mustPanic(t, func() {
		stale[3] = 1
		p.Trim(0)
	}, "byte 3 of a buffer of 128 bytes was written after the buffer was given up")
}

// What has waited longest makes room, and is looked at when it does.
func TestMemoryThatWaitsIsBounded(t *testing.T) {
	p := New(Options{})
	var all []*Buffer
	for range 3 * graveItems {
		all = append(all, p.Get(100))
	}
	for _, b := range all {
		b.Release()
	}
	if n := len(p.plain.class(p.plain.of(100)).waiting.headers.items); n != graveItems {
		t.Errorf("%d wait, want %d", n, graveItems)
	}
	large := []*Buffer{p.Get(1 << 20), p.Get(1 << 20), p.Get(1 << 20), p.Get(1 << 20), p.Get(1 << 20), p.Get(1 << 20)}
	for _, b := range large {
		b.Release()
	}
	if n := len(p.plain.class(len(p.options.Classes) - 1).waiting.headers.items); n > graveBytes>>20 && !guarded {
		t.Errorf("%d of 1 MiB wait, want %d at most", n, graveBytes>>20)
	}
}
