package transport

import (
	"context"
	"net"
	"testing"
	"time"
)

// inside opens a Conn whose memory the tests look into.
func inside(t *testing.T, config Config) (*Conn, net.Conn) {
	t.Helper()
	udp, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	to, err := net.Dial("udp4", udp.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	lo, err := net.InterfaceByName("lo")
	if err != nil {
		t.Skip(err)
	}
	config.Interfaces = []net.Interface{*lo}
	c, err := New(config, udp)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); to.Close() })
	return c, to
}

func fill(n int, b byte) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = b
	}
	return p
}

// The bytes of a packet are cleared, lent or owned, and those after them are
// not touched: what stands there was cleared when its own packet ended.
func TestUsedBytesAreClearedAndNoOthers(t *testing.T) {
	if checked {
		t.Skip("the checked build notices that this test writes to what it has released")
	}
	for _, batch := range []int{1, 4} {
		c, to := inside(t, Config{Batch: batch, ClearUsed: true})
		const mark = 0x77
		for _, size := range []int{500, 100, 300} {
			// Owned.
			to.Write(fill(size, 0xAA))
			o, err := c.ReceiveOwned(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			buf := &o.buf
			buf[size] = mark
			o.Release()
			for i, b := range buf[:size] {
				if b != 0 {
					t.Fatalf("owned packet of %d bytes: byte %d is %#x after Release", size, i, b)
				}
			}
			if buf[size] != mark {
				t.Errorf("owned packet of %d bytes: a byte after it was cleared", size)
			}
			buf[size] = 0

			// Lent: it ends with the next read.
			to.Write(fill(size, 0xBB))
			var lent *Owned
			for p := range c.Packets(t.Context()) {
				lent = c.sockets[0].slots[c.sockets[0].next-1]
				if &lent.Packet != p {
					t.Fatal("not the slot's packet")
				}
				break
			}
			lent.buf[size] = mark
			c.sockets[0].retire()
			for i, b := range lent.buf[:size] {
				if b != 0 {
					t.Fatalf("lent packet of %d bytes: byte %d is %#x after its end", size, i, b)
				}
			}
			if lent.buf[size] != mark {
				t.Errorf("lent packet of %d bytes: a byte after it was cleared", size)
			}
			lent.buf[size] = 0
		}
	}
}

// The kernel overwrites the lengths of the address and of the control bytes
// with what it has written; the next call takes them for the room that there is.
func TestEachReadTellsTheKernelItsRoom(t *testing.T) {
	if !canBatch {
		t.Skip("for batches only")
	}
	c, to := inside(t, Config{Batch: 4})
	corrupt(c.sockets[0])
	for range 8 {
		to.Write(fill(145, 1))
	}
	for range 8 {
		_, meta, err := c.ReceiveCopy(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if meta.Src.String() != to.LocalAddr().String() || meta.IfIndex == 0 || !meta.Dst.IsValid() || meta.HopLimit < 1 {
			t.Errorf("%+v, sent from %v", meta, to.LocalAddr())
		}
	}
}

// A wake that was meant for a caller who has gone, or a deadline that is left of
// one, does not end the wait of the next.
func TestALateWakeEndsNobody(t *testing.T) {
	c, to := inside(t, Config{})
	got := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	go func() {
		o, err := c.ReceiveOwned(ctx)
		if err == nil {
			o.Release()
		}
		got <- err
	}()
	for range 5 {
		c.wake()
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-got:
		t.Fatalf("ended with %v", err)
	default:
	}
	to.Write(fill(10, 1))
	if err := <-got; err != nil {
		t.Error(err)
	}
}

// In the checked build a late reader of a lent packet sees that it is late.
func TestMemoryWithoutAUserIsPoisoned(t *testing.T) {
	c, to := inside(t, Config{Batch: 1})
	to.Write(fill(100, 1))
	var late []byte
	for p := range c.Packets(t.Context()) {
		late = p.Data
		break
	}
	c.sockets[0].retire()
	if got := late[0] == poison && late[99] == poison; got != checked {
		t.Errorf("poisoned: %v, checked build: %v", got, checked)
	}
}
