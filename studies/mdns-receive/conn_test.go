package mdnsreceive

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/ipv4"
)

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
		delivered := 0
		took, err := a.on(t, c).Receive(4, func(Packet) {
			if delivered++; delivered == 3 { // the fourth does not come, however long one waits
				if err := c.Stop(); err != nil {
					t.Error(err)
				}
			}
		})
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

// The published calls hand their context's deadline to the socket.
func TestACallEndsWithItsContextsDeadline(t *testing.T) {
	c := listen(t)
	for try := 1; ; try++ {
		start := time.Now()
		if err := c.Fill(nil); err != nil { // the socket's own deadline is far away
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := NewPool(c).Next(ctx); !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v, want a timeout", err)
		}
		waited := time.Since(start)
		switch {
		case waited < lossTimeout:
			return
		case try == 3: // more than a machine that stands still for seconds
			t.Fatalf("ended after %s, with the socket's deadline and not the context's", waited)
		}
	}
}

// Where the kernel does not tell the interface, a responder must not guess.
func TestPacketsWithoutAnInterfaceAreAnError(t *testing.T) {
	c := listen(t)
	if err := c.packets.SetControlMessage(ipv4.FlagInterface, false); err != nil {
		t.Fatal(err)
	}
	for _, a := range arms {
		if a.blind || a.conn { // it has the interface told again
			continue
		}
		if err := c.Fill(responses(t, 145, 0, 1)); err != nil {
			t.Fatal(err)
		}
		if took, err := a.on(t, c).Receive(1, func(Packet) {}); took != 0 || !errors.Is(err, errNoInterface) {
			t.Errorf("%s: took %d packets, error %v; want %v", a.name, took, err, errNoInterface)
		}
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
		published := slices.Contains([]string{"make", "pool", "noclear", "used", "querier", "fixed", "locked", "docmake", "docpool"}, a.name)
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
	var took int
	var err error
	// A busy machine takes its time to receive what is there.
	for wait := 50 * time.Millisecond; took < c.Capacity(size) && wait < time.Minute; wait *= 10 {
		for range n {
			if err := c.Fill(packet); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.udp.SetReadDeadline(time.Now().Add(wait)); err != nil {
			t.Fatal(err)
		}
		took, err = NewMsg(c).Receive(n, func(Packet) {})
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) || took >= n || took < c.Capacity(size) {
		t.Errorf("received %d of %d packets, error %v; want at least the %d that there is room for, and a timeout", took, n, err, c.Capacity(size))
	}
	if text := c.Lost(took, n, size, err).Error(); !strings.Contains(text, "net.core.rmem_max") {
		t.Errorf("the error does not say what to do: %s", text)
	}
}
