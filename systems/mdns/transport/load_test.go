package transport_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// 100 goroutines share a Conn. Each gives way to others while it holds a packet,
// before it looks at the bytes.
func TestManyReceiversGetEveryPacketIntact(t *testing.T) {
	n := 40000
	if testing.Short() || raceEnabled {
		n = 4000
	}
	for _, f := range forms {
		if !f.shared {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			l := open(t, transport.Config{}, "udp4")
			ctx := within(t)
			var intact, damaged atomic.Int64
			window := make(chan struct{}, 500) // no more in flight than the socket's buffer holds for certain
			var receivers sync.WaitGroup
			for r := range 100 {
				receivers.Go(func() {
					err := f.take(ctx, l.Conn, n/100, func(data []byte, _ transport.Meta) {
						runtime.Gosched()
						if _, ok := number(data); ok {
							intact.Add(1)
						} else {
							damaged.Add(1)
						}
						<-window
					})
					if err != nil {
						t.Errorf("receiver %d: %v", r, err)
					}
				})
			}
			for i := range n {
				select {
				case window <- struct{}{}:
				case <-ctx.Done():
					t.Fatal("packets are lost")
				}
				l.send(t, packet(200, i))
			}
			receivers.Wait()
			if intact.Load() != int64(n) || damaged.Load() != 0 {
				t.Errorf("%d packets intact, %d damaged, %d sent", intact.Load(), damaged.Load(), n)
			}
			if s := l.Stats(); f.name == "ReceiveOwned" && (s.Gets != uint64(n) || s.Puts != s.Gets) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A burst is kept whole by the socket's buffer, or its drops are counted.
func TestABurstIsKeptOrCounted(t *testing.T) {
	const n = 2000
	for _, buffer := range []int{0, 64 << 10} {
		l := open(t, transport.Config{RecvBuffer: buffer}, "udp4")
		l.send(t, packets(1433, 0, n)...) // on loopback each is delivered when it is sent
		kept, last := 0, false
		for p, err := range l.Packets(within(t)) {
			if err != nil {
				t.Fatal(err)
			}
			i, ok := number(p.Data)
			if !ok {
				t.Fatal("a packet is damaged")
			}
			if i == n {
				last = true
				break
			}
			if kept++; kept == 1 {
				l.send(t, packet(8, n)) // a packet after the drops tells of them
			}
		}
		s := l.Stats()
		t.Logf("%d bytes asked, %d granted: %d of %d packets kept, %d dropped", buffer, s.RecvBuffer, kept, n, s.Dropped)
		if !last || kept+int(s.Dropped) != n {
			t.Errorf("%d packets kept and %d dropped, %d sent", kept, s.Dropped, n)
		}
		if s.RecvBuffer >= 8<<20 && s.Dropped > 0 {
			t.Errorf("%d packets dropped in a buffer of %d bytes", s.Dropped, s.RecvBuffer)
		}
		if buffer == 64<<10 && s.Dropped == 0 {
			t.Error("nothing is dropped in a small buffer: the test shows nothing")
		}
	}
}
