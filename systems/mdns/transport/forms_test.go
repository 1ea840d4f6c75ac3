package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/pooltest"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// Each form, one packet a call and in batches, of one family and of both,
// delivers what was sent and what is known of it.
func TestFormsDeliverWhatWasSent(t *testing.T) {
	pooltest.Check(t)
	for _, batch := range []int{1, 8, 64} {
		for _, networks := range [][]string{ipv4Only, {"udp6"}, both} {
			for _, f := range forms {
				t.Run(fmt.Sprintf("%s/batch=%d/%v", f.name, batch, networks), func(t *testing.T) {
					l := open(t, transport.Config{Batch: batch}, networks...)
					ctx := within(t)
					for round := range 3 { // the second and third with memory that was used
						for _, size := range []int{8, 145, 1433, 8900, transport.BufferSize} {
							const n = 19
							sent := packets(size, round*n, n)
							l.send(t, sent...)
							seen := map[int]bool{}
							err := f.take(ctx, l.Conn, n, func(data []byte, meta transport.Meta) {
								i, ok := number(data)
								if !ok || seen[i] || len(data) != size || cap(data) != size && f.lends {
									t.Errorf("a packet of %d bytes is damaged, or came twice", len(data))
								}
								seen[i] = true
								if want := l.senders[(i-round*n)%len(l.senders)]; meta.Src != want {
									t.Errorf("packet %d came from %v, sent from %v", i, meta.Src, want)
								}
								if f.name != "Receive" {
									checkMeta(t, l, meta)
								}
							})
							if err != nil || len(seen) != n {
								t.Fatalf("%d of %d packets, %v", len(seen), n, err)
							}
						}
					}
					if s := l.Stats(); s.Received != 3*5*19 || s.Dropped != 0 || s.Truncated != 0 {
						t.Errorf("%+v", s)
					}
				})
			}
		}
	}
}

func checkMeta(t *testing.T, l *line, m transport.Meta) {
	t.Helper()
	want := netip.MustParseAddr("127.0.0.1")
	if m.Src.Addr().Is6() {
		want = netip.IPv6Loopback()
	}
	if m.Dst != want || m.IfIndex != l.loop.Index || m.HopLimit != 64 || m.Truncated {
		t.Errorf("a packet sent to %v on interface %d with 64 hops has %+v", want, l.loop.Index, m)
	}
}

// A datagram longer than RFC 6762 allows is told to be cut, and counted.
func TestLongPacketsAreTruncatedAndCounted(t *testing.T) {
	for _, batch := range []int{1, 8} {
		for _, f := range forms {
			l := open(t, transport.Config{Batch: batch}, "udp4")
			for _, size := range []int{9001, 20000, 65507} {
				l.send(t, packet(size, 1), packet(100, 2))
				var got []transport.Meta
				if err := f.take(within(t), l.Conn, 2, func(data []byte, meta transport.Meta) {
					if want := min(size, transport.BufferSize); len(got) == 0 && (len(data) != want || data[0] != packet(size, 1)[0]) {
						t.Errorf("%s: %d bytes of %d", f.name, len(data), size)
					}
					got = append(got, meta)
				}); err != nil {
					t.Fatal(err)
				}
				if f.name != "Receive" && (!got[0].Truncated || got[1].Truncated) {
					t.Errorf("%s, batch of %d: truncated %v and %v, want the first", f.name, batch, got[0].Truncated, got[1].Truncated)
				}
			}
			if s := l.Stats(); s.Truncated != 3 || s.Received != 6 {
				t.Errorf("%s: %+v", f.name, s)
			}
		}
	}
}

func TestEmptyPackets(t *testing.T) {
	for _, batch := range []int{1, 8} {
		for _, f := range forms {
			l := open(t, transport.Config{Batch: batch}, "udp4")
			l.send(t, nil, packet(9, 1))
			var sizes []int
			if err := f.take(within(t), l.Conn, 2, func(data []byte, meta transport.Meta) {
				sizes = append(sizes, len(data))
				if data == nil {
					t.Errorf("%s: nil data", f.name)
				}
			}); err != nil || fmt.Sprint(sizes) != "[0 9]" {
				t.Errorf("%s: sizes %v, %v", f.name, sizes, err)
			}
		}
	}
}

// What is copied is the caller's, and stays as it is, whatever comes later.
func TestCopiesStayAsTheyAre(t *testing.T) {
	for _, f := range forms {
		if f.allocs == 0 {
			continue
		}
		l := open(t, transport.Config{}, "udp4")
		var kept [][]byte
		keep := func(data []byte, _ transport.Meta) { kept = append(kept, data) }
		const n = 40
		for round := range 2 {
			l.send(t, packets(300, round*n, n)...)
			if err := f.take(within(t), l.Conn, n, keep); err != nil {
				t.Fatal(err)
			}
		}
		for i, data := range kept {
			if got, ok := number(data); !ok || got != i {
				t.Fatalf("%s: packet %d has changed after it was delivered", f.name, i)
			}
		}
	}
}

// An owned packet stays as it is until its last Release, and then its memory
// is used again.
func TestOwnedPacketsStayUntilTheLastRelease(t *testing.T) {
	pooltest.Check(t)
	l := open(t, transport.Config{}, "udp4")
	ctx := within(t)
	const n = 40
	l.send(t, packets(300, 0, n)...)
	var kept []*transport.Owned
	for range n {
		o, err := l.ReceiveOwned(ctx)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, o.Retain())
	}
	if s := l.Stats(); s.Live != n || s.Gets != n {
		t.Errorf("%+v, want %d live", s, n)
	}
	for _, o := range kept {
		o.Release()
	}
	l.send(t, packets(300, n, n)...)
	for range n {
		o, err := l.ReceiveOwned(ctx)
		if err != nil {
			t.Fatal(err)
		}
		o.Release()
	}
	for i, o := range kept {
		clone := o.Clone()
		if got, ok := number(o.Data); !ok || got != i || !equal(clone, o.Data) || unsafe.SliceData(clone) == unsafe.SliceData(o.Data) {
			t.Fatalf("packet %d has changed while it had an owner", i)
		}
		o.Release()
	}
}

func TestMisuseOfOwnedPacketsPanics(t *testing.T) {
	l := open(t, transport.Config{}, "udp4")
	for name, misuse := range map[string]func(o *transport.Owned){
		"Release": func(o *transport.Owned) { o.Release() },
		"Retain":  func(o *transport.Owned) { o.Retain() },
	} {
		l.send(t, packet(50, 1))
		o, err := l.ReceiveOwned(within(t))
		if err != nil {
			t.Fatal(err)
		}
		o.Release()
		if o.Data != nil {
			t.Errorf("a released packet has %d bytes", len(o.Data))
		}
		func() {
			defer func() {
				if r := recover(); r == nil {
					t.Errorf("%s after Release did not panic", name)
				}
			}()
			misuse(o)
		}()
	}
	if s := l.Stats(); s.Gets != 2 || s.Puts != 2 {
		t.Errorf("%+v", s)
	}
}

// A break, a handler that panics, and a call that takes one packet leave the
// others of the batch.
func TestPacketsThatWereNotHandedOutStay(t *testing.T) {
	pooltest.Check(t)
	for _, networks := range [][]string{ipv4Only, both} {
		l := open(t, transport.Config{Batch: 8}, networks...)
		ctx := within(t)
		l.send(t, packets(100, 0, 8)...)
		seen := map[int]bool{}
		see := func(data []byte) {
			i, ok := number(data)
			if !ok || seen[i] {
				t.Errorf("packet %d is damaged or came twice", i)
			}
			seen[i] = true
		}
		for p, err := range l.Packets(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			see(p.Data)
			break
		}
		func() {
			defer func() {
				if r := recover(); r != "of the handler" {
					t.Errorf("recovered %v", r)
				}
			}()
			l.Serve(ctx, func(p *transport.Packet) {
				see(p.Data)
				panic("of the handler")
			})
		}()
		o, err := l.ReceiveOwned(ctx)
		if err != nil {
			t.Fatal(err)
		}
		see(o.Data)
		o.Release()
		data, _, err := l.ReceiveCopy(ctx)
		if err != nil {
			t.Fatal(err)
		}
		see(data)
		for range 4 {
			for p, err := range l.Packets(ctx) {
				if err != nil {
					t.Fatal(err)
				}
				see(p.Data)
				break
			}
		}
		if len(seen) != 8 {
			t.Errorf("%d of 8 packets", len(seen))
		}
	}
}

func TestServeAndPacketsHaveTheConnAlone(t *testing.T) {
	l := open(t, transport.Config{}, "udp4")
	ctx := within(t)
	l.send(t, packet(20, 0))
	for _, err := range l.Packets(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Serve(ctx, func(*transport.Packet) {}); !errors.Is(err, transport.ErrBusy) {
			t.Errorf("Serve within Packets: %v", err)
		}
		if _, err := l.ReceiveOwned(ctx); !errors.Is(err, transport.ErrBusy) {
			t.Errorf("ReceiveOwned within Packets: %v", err)
		}
		if _, _, err := l.Receive(ctx); !errors.Is(err, transport.ErrBusy) {
			t.Errorf("Receive within Packets: %v", err)
		}
		break
	}
}

func TestSendingWithoutADestinationIsAnError(t *testing.T) {
	l := open(t, transport.Config{}, "udp4")
	for name, c := range map[string]struct {
		ifIndex int
		dst     netip.AddrPort
		want    error
	}{
		"zero":           {l.loop.Index, netip.AddrPort{}, transport.ErrNoDestination},
		"unspecified":    {l.loop.Index, netip.MustParseAddrPort("0.0.0.0:5353"), transport.ErrNoDestination},
		"port 0":         {l.loop.Index, netip.MustParseAddrPort("127.0.0.1:0"), transport.ErrNoDestination},
		"no interface":   {0, l.LocalAddr(), nil},
		"another one":    {9999, l.LocalAddr(), nil},
		"another family": {l.loop.Index, netip.MustParseAddrPort("[::1]:5353"), nil},
	} {
		err := l.Send(c.ifIndex, c.dst, []byte("x"))
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := l.Send(l.loop.Index, l.LocalAddr(), packet(33, 7)); err != nil {
		t.Fatal(err)
	}
	data, meta, err := l.ReceiveCopy(within(t))
	if n, ok := number(data); err != nil || !ok || n != 7 || meta.Src != l.LocalAddr() {
		t.Errorf("%d bytes from %v, %v", len(data), meta.Src, err)
	}
}

func TestConfigurationsThatCannotBe(t *testing.T) {
	if _, err := transport.New(transport.Config{}); err == nil {
		t.Error("a Conn without sockets")
	}
	var sockets []*net.UDPConn
	for range 2 {
		udp, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		defer udp.Close()
		sockets = append(sockets, udp)
	}
	if _, err := transport.New(transport.Config{Interfaces: []net.Interface{loopback(t)}}, sockets...); err == nil {
		t.Error("a Conn with two sockets of a family")
	}
	if _, err := transport.Listen(context.Background(), transport.Config{Interfaces: []net.Interface{{Index: 123456, Name: "none0"}}}); err == nil {
		t.Error("a Conn on an interface that does not exist")
	}
}
