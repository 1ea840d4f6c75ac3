package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/pooltest"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

func TestWaitingEndsWithTheContext(t *testing.T) {
	for _, networks := range [][]string{ipv4Only, both} {
		for _, batch := range []int{1, 8} {
			for _, f := range forms {
				t.Run(fmt.Sprintf("%s/batch=%d/%v", f.name, batch, networks), func(t *testing.T) {
					l := open(t, transport.Config{Batch: batch}, networks...)
					for range 3 {
						ctx, cancel := context.WithCancel(within(t))
						ended := make(chan error, 1)
						go func() { ended <- f.take(ctx, l.Conn, 1, func([]byte, transport.Meta) {}) }()
						time.Sleep(2 * time.Millisecond)
						cancel()
						select {
						case err := <-ended:
							if !errors.Is(err, context.Canceled) {
								t.Fatalf("ended with %v", err)
							}
						case <-time.After(10 * time.Second):
							t.Fatal("still waits")
						}
						// The end of one call leaves nothing that ends the next.
						l.send(t, packet(40, 5))
						if err := f.take(within(t), l.Conn, 1, func(data []byte, _ transport.Meta) {
							if n, ok := number(data); !ok || n != 5 {
								t.Error("the packet is damaged")
							}
						}); err != nil {
							t.Fatal(err)
						}
						// A context that has ended returns before it reads.
						if err := f.take(ctx, l.Conn, 1, func([]byte, transport.Meta) {}); !errors.Is(err, context.Canceled) {
							t.Errorf("an ended context: %v", err)
						}
					}
				})
			}
		}
	}
}

// The context of one caller must neither wake another for good nor leave one
// asleep: many goroutines with contexts that end at random, and all packets
// arrive.
func TestContextsOfManyCallersDoNotDisturbEachOther(t *testing.T) {
	pooltest.Check(t)
	n := 2000
	if testing.Short() {
		n = 300
	}
	for _, networks := range [][]string{ipv4Only, both} {
		l := open(t, transport.Config{}, networks...)
		all := within(t)
		window := make(chan struct{}, 200) // no more in flight than the socket's buffer holds for certain
		var mu sync.Mutex
		seen := map[int]bool{}
		var readers sync.WaitGroup
		for r := range 16 {
			readers.Go(func() {
				for try := 0; ; try++ {
					mu.Lock()
					done := len(seen) == n
					mu.Unlock()
					if done || all.Err() != nil {
						return
					}
					ctx, cancel := context.WithTimeout(all, time.Duration((r*7+try*13)%50)*100*time.Microsecond)
					o, err := l.ReceiveOwned(ctx)
					cancel()
					if err != nil {
						if !errors.Is(err, context.DeadlineExceeded) {
							t.Errorf("ended with %v", err)
							return
						}
						continue
					}
					i, ok := number(o.Data)
					mu.Lock()
					if !ok || seen[i] {
						t.Error("a packet is damaged or came twice")
					}
					seen[i] = true
					mu.Unlock()
					o.Release()
					<-window
				}
			})
		}
		for i := range n {
			select {
			case window <- struct{}{}:
			case <-all.Done():
				t.Fatal("packets are lost")
			}
			l.send(t, packet(60, i))
			if i%8 == 0 {
				time.Sleep(200 * time.Microsecond)
			}
		}
		readers.Wait()
		if len(seen) != n {
			t.Errorf("%v: %d of %d packets arrived", networks, len(seen), n)
		}
	}
}

func TestCloseEndsAllThatWait(t *testing.T) {
	pooltest.Check(t)
	for _, networks := range [][]string{ipv4Only, both} {
		for _, f := range forms {
			t.Run(fmt.Sprintf("%s/%v", f.name, networks), func(t *testing.T) {
				l := open(t, transport.Config{}, networks...)
				waiters := 1
				if f.shared {
					waiters = 5
				}
				ended := make(chan error, waiters)
				for range waiters {
					go func() { ended <- f.take(within(t), l.Conn, 1, func([]byte, transport.Meta) {}) }()
				}
				time.Sleep(2 * time.Millisecond)
				for range 2 {
					if err := l.Close(); err != nil {
						t.Error(err)
					}
				}
				for range waiters {
					select {
					case err := <-ended:
						if !errors.Is(err, net.ErrClosed) {
							t.Errorf("ended with %v", err)
						}
					case <-time.After(10 * time.Second):
						t.Fatal("still waits")
					}
				}
				if err := f.take(t.Context(), l.Conn, 1, func([]byte, transport.Meta) {}); !errors.Is(err, net.ErrClosed) {
					t.Errorf("after Close: %v", err)
				}
			})
		}
	}
}

func TestAHandlerMayCloseTheConn(t *testing.T) {
	pooltest.Check(t)
	for _, networks := range [][]string{ipv4Only, both} {
		l := open(t, transport.Config{}, networks...)
		l.send(t, packets(30, 0, 4)...)
		calls := 0
		err := l.Serve(within(t), func(p *transport.Packet) {
			calls++
			l.Close()
			if _, ok := number(p.Data); !ok {
				t.Error("the packet is damaged once the Conn is closed")
			}
		})
		if !errors.Is(err, net.ErrClosed) || calls < 1 {
			t.Errorf("%d calls, %v", calls, err)
		}
	}
}

// Packets with an owner outlive their Conn.
func TestOwnedPacketsOutliveTheConn(t *testing.T) {
	l := open(t, transport.Config{}, "udp4")
	l.send(t, packet(500, 3))
	o, err := l.ReceiveOwned(within(t))
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if n, ok := number(o.Data); !ok || n != 3 {
		t.Error("the packet is damaged")
	}
	if s := l.Stats(); s.Live != 1 {
		t.Errorf("%+v", s)
	}
	o.Release()
}
