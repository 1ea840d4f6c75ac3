package mdnsreceive

import (
	"bytes"
	"runtime"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/studies/internal/exact"
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
					if loopback == 0 && !a.blind {
						loopback = p.IfIndex
					}
					if !a.blind && (p.IfIndex != loopback || p.IfIndex <= 0) {
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
	exact.Pools(t)
	c := listen(t)
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

func TestReceiversLeavePacketsThatTheyWereNotAskedFor(t *testing.T) {
	c := listen(t)
	packets := responses(t, 145, 0, 3)
	for _, a := range arms {
		r := a.on(t, c)
		if err := c.Fill(packets); err != nil {
			t.Fatal(err)
		}
		next := 0
		for _, ask := range []int{2, 0, 1} {
			took, err := r.Receive(ask, func(p Packet) {
				if !bytes.Equal(p.Data, packets[next]) {
					t.Errorf("%s: packet %d is not what was sent", a.name, next)
				}
				next++
			})
			if took != ask || err != nil {
				t.Fatalf("%s: asked for %d packets, took %d, error %v", a.name, ask, took, err)
			}
		}
	}
}
