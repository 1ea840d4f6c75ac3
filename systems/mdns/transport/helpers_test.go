package transport_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// line is a Conn on the loopback interface and sockets that send to it.
type line struct {
	*transport.Conn
	to      []*net.UDPConn // one a family
	loop    net.Interface
	senders []netip.AddrPort
}

var (
	ipv4Only = []string{"udp4"}
	both     = []string{"udp4", "udp6"}
)

// open returns a line whose Conn has sockets of these networks. It fails the
// test if packets are left with an owner at the end.
func open(t testing.TB, config transport.Config, networks ...string) *line {
	t.Helper()
	l := &line{loop: loopback(t)}
	config.Interfaces = []net.Interface{l.loop}
	addresses := map[string]string{"udp4": "127.0.0.1:0", "udp6": "[::1]:0"}
	var sockets []*net.UDPConn
	for _, network := range networks {
		udp, err := net.ListenUDP(network, net.UDPAddrFromAddrPort(netip.MustParseAddrPort(addresses[network])))
		if err != nil {
			if network == "udp6" {
				t.Skip("no IPv6 here:", err)
			}
			t.Fatal(err)
		}
		sockets = append(sockets, udp)
		to, err := net.DialUDP(network, nil, udp.LocalAddr().(*net.UDPAddr))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { to.Close() })
		l.to = append(l.to, to)
		l.senders = append(l.senders, to.LocalAddr().(*net.UDPAddr).AddrPort())
	}
	var err error
	if l.Conn, err = transport.New(config, sockets...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if s := l.Stats(); s.Live != 0 || s.Gets != s.Puts {
			t.Errorf("%d packets were handed out, %d came back", s.Gets, s.Puts)
		}
	})
	return l
}

func loopback(t testing.TB) net.Interface {
	t.Helper()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 && i.Flags&net.FlagUp != 0 {
			return i
		}
	}
	t.Skip("no loopback interface")
	return net.Interface{}
}

// send sends packets to the Conn, in turns by each family.
func (l *line) send(t testing.TB, packets ...[]byte) {
	t.Helper()
	for i, p := range packets {
		if _, err := l.to[i%len(l.to)].Write(p); err != nil {
			t.Fatal(err)
		}
	}
}

// packet is number n of size bytes, with a checksum in its first four.
func packet(size, n int) []byte {
	p := make([]byte, size)
	binary.BigEndian.PutUint32(p[4:], uint32(n))
	for i := 8; i < size; i++ {
		p[i] = byte(n*31 + i*7)
	}
	binary.BigEndian.PutUint32(p, crc32.ChecksumIEEE(p[4:]))
	return p
}

// number returns the number of a packet, and false if it is damaged.
func number(p []byte) (int, bool) {
	if len(p) < 8 || binary.BigEndian.Uint32(p) != crc32.ChecksumIEEE(p[4:]) {
		return 0, false
	}
	return int(binary.BigEndian.Uint32(p[4:])), true
}

func packets(size, first, n int) (all [][]byte) {
	for i := range n {
		all = append(all, packet(size, first+i))
	}
	return all
}

// form is a way to receive: it takes n packets and calls use with each.
type form struct {
	name   string
	lends  bool
	shared bool // many goroutines may use it
	allocs int  // per packet
	take   func(ctx context.Context, c *transport.Conn, n int, use func([]byte, transport.Meta)) error
}

var errEnough = errors.New("enough")

var forms = []form{
	{name: "Serve", lends: true, take: func(ctx context.Context, c *transport.Conn, n int, use func([]byte, transport.Meta)) error {
		if n == 0 {
			return nil
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		err := c.Serve(ctx, func(p *transport.Packet) {
			use(p.Data, p.Meta)
			if n--; n == 0 {
				cancel(errEnough)
			}
		})
		if context.Cause(ctx) == errEnough {
			return nil
		}
		return err
	}},
	{name: "Packets", lends: true, take: func(ctx context.Context, c *transport.Conn, n int, use func([]byte, transport.Meta)) error {
		for p, err := range c.Packets(ctx) {
			if err != nil {
				return err
			}
			use(p.Data, p.Meta)
			if n--; n == 0 {
				break
			}
		}
		return nil
	}},
	{name: "ReceiveOwned", shared: true, take: func(ctx context.Context, c *transport.Conn, n int, use func([]byte, transport.Meta)) error {
		for range n {
			o, err := c.ReceiveOwned(ctx)
			if err != nil {
				return err
			}
			use(o.Data, o.Meta)
			o.Release()
		}
		return nil
	}},
	{name: "ReceiveCopy", shared: true, allocs: 1, take: func(ctx context.Context, c *transport.Conn, n int, use func([]byte, transport.Meta)) error {
		for range n {
			data, meta, err := c.ReceiveCopy(ctx)
			if err != nil {
				return err
			}
			use(data, meta)
		}
		return nil
	}},
	{name: "Receive", shared: true, allocs: 3, take: func(ctx context.Context, c *transport.Conn, n int, use func([]byte, transport.Meta)) error {
		for range n {
			data, src, err := c.Receive(ctx)
			if err != nil {
				return err
			}
			use(data, transport.Meta{Src: src.(*net.UDPAddr).AddrPort()})
		}
		return nil
	}},
}

// within returns a context that ends the test's waiting after a while.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func equal(a, b []byte) bool { return bytes.Equal(a, b) }
