package mdnspublished

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
	mdnsreceive "github.com/poolproof/poolproof/studies/mdns-receive"
)

func listen(t *testing.T) *mdnsreceive.Conn {
	t.Helper()
	c, err := mdnsreceive.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// That the benchmark measures nothing is no fault of the code that it calls:
// with packets both arms receive.
func TestBothArmsReceivePackets(t *testing.T) {
	c := listen(t)
	for _, transport := range transports {
		r := transport.open(c)
		var packets [][]byte
		for serial := range 10 {
			p, err := mdnsreceive.Response(145, serial)
			if err != nil {
				t.Fatal(err)
			}
			packets = append(packets, p)
		}
		if err := c.Fill(packets); err != nil {
			t.Fatal(err)
		}
		var kept []mdnsreceive.Packet
		for range packets {
			p, err := r.Receive(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, p)
		}
		for i, p := range kept {
			if !bytes.Equal(p.Data, packets[i]) || p.Src != c.Source() || p.IfIndex <= 0 {
				t.Errorf("%s: packet %d is not what was sent, or has changed since", transport.name, i)
			}
		}
	}
}

func TestPooledBuffersGoBackOnceAndCleared(t *testing.T) {
	exact.Pools(t)
	c := listen(t)
	r := NewPool(c)
	use := func() {
		p, err := mdnsreceive.Response(145, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Fill([][]byte{p}); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Receive(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	use()
	first, second := getBuffer(), getBuffer()
	if first == second {
		t.Error("two owners have one buffer")
	}
	if slices.ContainsFunc(*first, func(b byte) bool { return b != 0 }) {
		t.Error("a buffer of the pool holds bytes of a packet")
	}
	putBuffer(first)
	use()
	if getBuffer() != first {
		t.Error("the buffer did not come back")
	}
}

// Published were 48 bytes and one allocation for the pool. They are those of
// the error, and of both arms.
func TestAnEndedContextCostsOneErrorInBothArms(t *testing.T) {
	c := listen(t)
	if err := c.Fill(nil); err != nil { // so that a call that waits does not wait for ever
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	if _, err := transports[0].open(c).Receive(ctx); !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the first call ends with %v, want a timeout", err)
	}
	<-ctx.Done()
	for _, transport := range transports {
		r := transport.open(c)
		const calls = 1000
		allocs, size := exact.Counters(t, func() {
			for range calls {
				if _, err := r.Receive(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("%s: %v, want that the context has ended", transport.name, err)
				}
			}
		})
		if allocs != calls || size != 48*calls {
			t.Errorf("%s: %d calls make %d allocations of %d bytes, want one of 48 each", transport.name, calls, allocs, size)
		}
	}
}
