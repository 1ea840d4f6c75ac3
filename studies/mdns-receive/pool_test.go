package mdnsreceive

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

func TestCountedPacketsAreValidUntilTheLastRelease(t *testing.T) {
	c := listen(t)
	r := NewCounted(c)
	packets := responses(t, 145, 0, 100)
	if err := c.Fill(packets); err != nil {
		t.Fatal(err)
	}
	var kept []*Owned
	for range packets {
		o, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, o.Retain())
		o.Release()
	}
	receive(t, c, r, responses(t, 145, 1000, 100), func(Packet) {})
	for i, o := range kept {
		if !bytes.Equal(o.Data, packets[i]) {
			t.Fatalf("packet %d has changed before its last Release", i)
		}
		o.Release()
		if o.Data != nil {
			t.Fatalf("packet %d still has its bytes after the last Release", i)
		}
	}
}

func TestACountedPacketThatIsNotReceivedGoesBack(t *testing.T) {
	exact.Pools(t)
	c := listen(t)
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	o := owned.Get()
	owned.Put(o)
	if _, err := NewCounted(c).Next(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("receiving nothing ends with %v", err)
	}
	if owned.Get() != o {
		t.Error("the object did not come back after an error")
	}
}

func TestReleaseAndRetainOfANobodysPacketPanic(t *testing.T) {
	for name, misuse := range map[string]func(*Owned){
		"Release": (*Owned).Release,
		"Retain":  func(o *Owned) { o.Retain() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a packet that nobody owns did not panic", name)
				}
			}()
			misuse(new(Owned))
		}()
	}
}

func TestPooledBuffersAreCleanedAsTheArmSays(t *testing.T) {
	exact.Pools(t)
	c := listen(t)
	for _, arm := range []struct {
		name    string
		pool    *bufferPool
		r       *Pool
		cleaned bool
	}{
		{"pool", cleared, NewPool(c), true},
		{"noclear", uncleared, NewPoolNoClear(c), false},
		{"used", usedCleared, NewPoolClearUsed(c), true},
	} {
		for _, size := range sizes {
			receive(t, c, arm.r, responses(t, size, 0, 3), func(Packet) {})
			buf := arm.pool.get()
			if len(*buf) != BufferSize {
				t.Errorf("%s: a buffer of %d bytes, want %d", arm.name, len(*buf), BufferSize)
			}
			dirty := slices.ContainsFunc(*buf, func(b byte) bool { return b != 0 })
			if dirty == arm.cleaned {
				t.Errorf("%s: after a packet of %d bytes: dirty is %v, want %v", arm.name, size, dirty, !arm.cleaned)
			}
			arm.pool.put(buf, BufferSize)
		}
	}
}

func TestCleaningTouchesNoMoreThanTheArmSays(t *testing.T) {
	const used = 10
	for _, c := range []struct {
		name  string
		clean func([]byte, int)
		zeros int // from the front
	}{
		{"pool", clearAll, BufferSize},
		{"noclear", clearNothing, 0},
		{"used", clearUsed, used},
	} {
		buf := bytes.Repeat([]byte{1}, BufferSize)
		c.clean(buf, used)
		want := append(make([]byte, c.zeros), bytes.Repeat([]byte{1}, BufferSize-c.zeros)...)
		if !bytes.Equal(buf, want) {
			t.Errorf("%s: not the first %d bytes were cleared, and no others", c.name, c.zeros)
		}
	}
}

func TestABufferIsPutOnceForEachGet(t *testing.T) {
	exact.Pools(t)
	c := listen(t)
	r := NewPool(c)
	receiveNothing := func() {
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Receive(1, func(Packet) {}); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("receiving nothing ends with %v", err)
		}
	}
	for name, use := range map[string]func(){
		"a packet": func() { receive(t, c, r, responses(t, 145, 0, 1), func(Packet) {}) },
		"an error": receiveNothing,
	} {
		use()
		first := cleared.get()
		use() // finds no buffer, so it makes one, and puts it
		second, third := cleared.get(), cleared.get()
		if first == second || second == third || first == third {
			t.Errorf("after %s two owners have one buffer", name)
		}
		cleared.put(first, 0)
		use()
		if again := cleared.get(); again != first {
			t.Errorf("after %s the buffer did not come back", name)
		}
	}
}

func TestIsolatedArmsUseTheirBuffers(t *testing.T) {
	seen := 0
	s := NewIsolated(func(buf []byte) int {
		if len(buf) != BufferSize {
			t.Fatalf("a buffer of %d bytes, want %d", len(buf), BufferSize)
		}
		seen++
		buf[0] = 1
		return 1
	})
	for name, run := range map[string]func(int) int{"make": s.Make, "pool": s.Pool, "noclear": s.NoClear, "used": s.Used} {
		seen = 0
		if used := run(5); used != 5 || seen != 5 {
			t.Errorf("%s: %d bytes of %d buffers used, want 5 of 5", name, used, seen)
		}
	}
}
