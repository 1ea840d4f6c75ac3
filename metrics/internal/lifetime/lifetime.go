// Package lifetime is a test that each way to show pools must pass: a pool that has a
// name is shown from its making until it is collected.
package lifetime

import (
	"runtime"
	"testing"
	"time"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/pool"
)

// Check makes pools of that name, which no other test may use, and drops them. shown
// reports whether the name is shown.
func Check(t *testing.T, name string, shown func() bool) {
	t.Helper()
	if shown() {
		t.Fatal("the pools are shown before they exist")
	}
	p := pool.New(pool.Options[[64]byte]{Name: name})
	b := buffer.New(buffer.Options{Name: name, Stats: pool.Leaks, Reserve: 1 << 20})
	v := hotswap.NewPool(hotswap.Options[[64]byte]{Name: name, New: func() *[64]byte { return new([64]byte) }})
	d := v.Get()
	d.Discard()
	p.Put(p.Get())
	b.Get(64).Release()
	if !shown() {
		t.Error("the pools are not shown while they are in use")
	}
	runtime.KeepAlive(p)
	runtime.KeepAlive(b)
	runtime.KeepAlive(v)
	for deadline := time.Now().Add(time.Minute); shown(); runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatal("the pools are still shown after many collections")
		}
	}
}
