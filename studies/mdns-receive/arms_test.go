package mdnsreceive

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// listen returns a Conn of the test's own.
func listen(t *testing.T) *Conn {
	t.Helper()
	c, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// on returns a Receiver of the arm that reads c.
func (a arm) on(t *testing.T, c *Conn) Receiver {
	t.Helper()
	r, err := a.open(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// responses returns n responses of size bytes, serial numbers from first on.
func responses(t *testing.T, size, first, n int) (packets [][]byte) {
	t.Helper()
	for serial := first; serial < first+n; serial++ {
		p, err := Response(size, serial)
		if err != nil {
			t.Fatal(err)
		}
		packets = append(packets, p)
	}
	return packets
}

// receive fills the queue and has r take the packets.
func receive(t *testing.T, c *Conn, r Receiver, packets [][]byte, deliver func(Packet)) {
	t.Helper()
	for len(packets) > 0 {
		now := packets[:min(len(packets), c.Capacity(len(packets[0])))]
		packets = packets[len(now):]
		if err := c.Fill(now); err != nil {
			t.Fatal(err)
		}
		if took, err := r.Receive(len(now), deliver); took != len(now) || err != nil {
			t.Fatal(c.Lost(took, len(now), len(now[0]), err))
		}
	}
}

// Run in every binary of the study before anything is timed.
func TestArmsAgree(t *testing.T) {
	c := listen(t)
	for _, size := range sizes {
		packets := responses(t, size, 0, 2*batch+3) // two full batches and a part of one
		var sent Consumer
		for _, p := range packets {
			sent.Deliver(Packet{Data: p})
		}
		loopback := 0
		for _, a := range arms {
			r := a.on(t, c)
			for range 2 { // the second time with memory that was used
				next := 0
				var got Consumer
				receive(t, c, r, packets, func(p Packet) {
					if !bytes.Equal(p.Data, packets[next]) {
						t.Errorf("%s: packet %d of %d bytes is not what was sent", a.name, next, size)
					}
					if p.Src != c.Source() {
						t.Errorf("%s: packet %d came from %v, sent from %v", a.name, next, p.Src, c.Source())
					}
					if loopback == 0 {
						loopback = p.IfIndex
					}
					if p.IfIndex != loopback || p.IfIndex <= 0 {
						t.Errorf("%s: packet %d came in on interface %d, others on %d", a.name, next, p.IfIndex, loopback)
					}
					next++
					got.Deliver(p)
				})
				if got != sent {
					t.Errorf("%s: received %+v, sent %+v", a.name, got, sent)
				}
			}
		}
		t.Logf("result: sum-%d %d", size, sent.Sum)
	}
}

// A packet that is its caller's must stay as it is for good, whatever is
// received later.
func TestOwnedPacketsDoNotChangeAfterDelivery(t *testing.T) {
	c := listen(t)
	for _, a := range arms {
		if a.lends {
			continue
		}
		r := a.on(t, c)
		packets := responses(t, 145, 0, 200)
		var kept []Packet
		keep := func(p Packet) { kept = append(kept, p) }
		receive(t, c, r, packets, keep)
		receive(t, c, r, responses(t, 145, 1000, 200), func(Packet) {})
		for i, p := range kept {
			if !bytes.Equal(p.Data, packets[i]) {
				t.Errorf("%s: packet %d has changed after it was delivered", a.name, i)
				break
			}
		}
		// To write to one's own packet must not be seen by anybody either.
		for _, p := range kept {
			clear(p.Data[:cap(p.Data)])
		}
		next := 0
		receive(t, c, r, packets, func(p Packet) {
			if !bytes.Equal(p.Data, packets[next]) {
				t.Errorf("%s: packet %d shares memory with one that was delivered before", a.name, next)
			}
			next++
		})
	}
}

// A lent packet is valid until deliver returns: then its memory holds a later
// one. This test shows that the memory does come back, as the contract warns.
func TestLentPacketsAreOverwrittenByLaterOnes(t *testing.T) {
	if raceDetector {
		t.Skip("sync.Pool drops objects at random under the race detector")
	}
	c := listen(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so that the pool gives back what was put
	for _, a := range arms {
		if !a.lends {
			continue
		}
		r := a.on(t, c)
		memory := map[*byte]bool{}
		receive(t, c, r, responses(t, 145, 0, 4*batch), func(p Packet) { memory[unsafe.SliceData(p.Data)] = true })
		if most := max(1, a.slots); len(memory) > most {
			t.Errorf("%s: packets lay at %d addresses, want %d at most", a.name, len(memory), most)
		}
	}
}

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

// 100 receivers on one socket, as published. Each keeps the packet that it owns
// and gives way to others before it looks at the bytes.
func TestManyReceiversGetEveryPacketIntact(t *testing.T) {
	n := 40000
	if testing.Short() {
		n = 4000
	}
	packets := responses(t, 200, 0, 1000)
	var want Consumer
	for range n / len(packets) {
		for _, p := range packets {
			want.Deliver(Packet{Data: p})
		}
	}
	for _, a := range arms {
		if !a.shared {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			c := listen(t)
			crew, err := newCrew(c, arm{shared: true, open: func(c *Conn) (Receiver, error) {
				r, err := a.open(c)
				return yielding{r}, err
			}}, 100)
			if err != nil {
				t.Fatal(err)
			}
			defer crew.dismiss()
			total := new(Consumer)
			for range n / len(packets) {
				for left := packets; len(left) > 0; {
					now := left[:min(len(left), c.Capacity(200))]
					left = left[len(now):]
					if err := c.Fill(now); err != nil {
						t.Fatal(err)
					}
					if took, err := crew.receive(len(now), total); err != nil {
						t.Fatal(c.Lost(took, len(now), 200, err))
					}
				}
			}
			if *total != want {
				t.Errorf("received %+v, sent %+v", *total, want)
			}
		})
	}
}

// yielding gives way to other goroutines while it is in possession of a
// packet, and before it is read.
type yielding struct{ Receiver }

func (y yielding) Receive(n int, deliver func(Packet)) (int, error) {
	return y.Receiver.Receive(n, func(p Packet) {
		runtime.Gosched()
		deliver(p)
	})
}

func TestPooledBuffersAreCleanedAsTheArmSays(t *testing.T) {
	if raceDetector {
		t.Skip("sync.Pool drops objects at random under the race detector")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so that the pool gives back what was put
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

func TestABufferIsPutOnceForEachGet(t *testing.T) {
	if raceDetector {
		t.Skip("sync.Pool drops objects at random under the race detector")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
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

func TestLostPacketsAreAnErrorThatSaysSo(t *testing.T) {
	c := listen(t)
	packets := responses(t, 145, 0, 3)
	for _, a := range arms {
		if a.name == "querier" {
			continue // has a timeout of its own
		}
		if err := c.Fill(packets); err != nil {
			t.Fatal(err)
		}
		if err := c.udp.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		delivered := 0
		took, err := a.on(t, c).Receive(4, func(Packet) { delivered++ })
		if took != 3 || delivered != 3 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: took %d and delivered %d of 4 packets of which one was not sent, error %v; want 3, 3 and a timeout", a.name, took, delivered, err)
		}
	}
}

func TestACallWithAnEndedContextReceivesNothing(t *testing.T) {
	c := listen(t)
	if err := c.Fill(responses(t, 145, 0, 1)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, next := range map[string]func(context.Context) (Packet, error){
		"make": NewMake(c).Next, "pool": NewPool(c).Next, "querier": NewQuerier(c).Next,
	} {
		var e *ReceiveError
		if p, err := next(ctx); p.Data != nil || !errors.As(err, &e) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v and %v, want a ReceiveError", name, p, err)
		}
	}
	if p, err := NewPool(c).Next(t.Context()); err != nil || len(p.Data) != 145 {
		t.Errorf("the packet is not there: %v", err)
	}
}

// Longer packets than RFC 6762 allows: our own ways report them, the published
// one cuts them without a word.
func TestTooLongPacketsAreNotDeliveredShort(t *testing.T) {
	c := listen(t)
	long := [][]byte{make([]byte, BufferSize+1)}
	for _, a := range arms {
		if err := c.Fill(long); err != nil {
			t.Skip("no packets of this size here:", err)
		}
		size := -1
		_, err := a.on(t, c).Receive(1, func(p Packet) { size = len(p.Data) })
		published := slices.Contains([]string{"make", "pool", "noclear", "used", "querier", "fixed", "locked"}, a.name)
		switch {
		case published && (err != nil || size != BufferSize):
			t.Errorf("%s: %d bytes and error %v, want the first %d bytes, as published", a.name, size, err, BufferSize)
		case !published && !errors.Is(err, errTruncated):
			t.Errorf("%s: %d bytes and error %v, want %v", a.name, size, err, errTruncated)
		}
	}
}

func TestWaitingReceiversAreStopped(t *testing.T) {
	c := listen(t)
	for _, a := range arms {
		if a.name == "querier" {
			continue // sets the deadline anew
		}
		r := a.on(t, c)
		if err := c.Fill(responses(t, 145, 0, 1)); err != nil { // ends the last Stop
			t.Fatal(err)
		}
		ended := make(chan error)
		var delivering sync.WaitGroup
		delivering.Add(1)
		go func() {
			_, err := r.Receive(2, func(Packet) { delivering.Done() })
			ended <- err
		}()
		delivering.Wait()
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: stopped with %v", a.name, err)
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

func TestTheQueueHoldsItsCapacity(t *testing.T) {
	c := listen(t)
	for _, size := range sizes {
		n := c.Capacity(size)
		l, err := loadOf(size, n)
		if err != nil {
			t.Fatal(err)
		}
		var got Consumer
		receive(t, c, NewMsg(c), l.packets, got.Deliver)
		if err := l.check(got); err != nil {
			t.Errorf("%d packets of %d bytes: %v", n, size, err)
		}
		t.Logf("%d bytes of buffer: room for %d packets of %d bytes, an operation has %d", c.granted, n, size, operation(size))
	}
}

func TestPacketsThatTheQueueCannotHoldAreNoticed(t *testing.T) {
	c := listen(t)
	const size = 8900
	n := 4 * c.Capacity(size)
	packet := responses(t, size, 0, 1)
	for range n {
		if err := c.Fill(packet); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.udp.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	took, err := NewMsg(c).Receive(n, func(Packet) {})
	if !errors.Is(err, os.ErrDeadlineExceeded) || took >= n || took < c.Capacity(size) {
		t.Errorf("received %d of %d packets, error %v; want at least the %d that there is room for, and a timeout", took, n, err, c.Capacity(size))
	}
	if text := c.Lost(took, n, size, err).Error(); !strings.Contains(text, "net.core.rmem_max") {
		t.Errorf("the error does not say what to do: %s", text)
	}
}
