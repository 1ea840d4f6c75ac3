package mdns

import (
	"context"
	"net"
	"net/netip"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// place is where a message is sent or received: an interface and a family. The
// two families of an interface are links of their own (RFC 6762, section 20).
type place struct {
	ifIndex int
	ipv6    bool
}

// network is what a Node needs of the world. Its methods are called with the
// Node's lock held.
type network interface {
	// places returns the places, which stay the same.
	places() []place
	// zone is the name of an interface.
	zone(ifIndex int) string
	// mtu is the largest IP packet of an interface in bytes.
	mtu(ifIndex int) int
	// addrs returns the addresses that an interface has now.
	addrs(ifIndex int) []netip.Prefix
	// send sends to an address from a place.
	send(at place, dst netip.AddrPort, msg []byte) error
	// serve lends packets to h until ctx ends or close is called.
	serve(ctx context.Context, h func(*transport.Packet)) error
	close() error
}

// group is the address of the group at a place.
func (p place) group() netip.AddrPort {
	if p.ipv6 {
		return netip.AddrPortFrom(transport.GroupIPv6, transport.Port)
	}
	return netip.AddrPortFrom(transport.GroupIPv4, transport.Port)
}

// headers is the length of the headers of IP and UDP in bytes.
func (p place) headers() int {
	if p.ipv6 {
		return 40 + 8
	}
	return 20 + 8
}

// sockets is the network of a Conn.
type sockets struct {
	conn       *transport.Conn
	interfaces map[int]net.Interface
}

func newSockets(conn *transport.Conn) *sockets {
	s := &sockets{conn: conn, interfaces: map[int]net.Interface{}}
	for _, i := range conn.Interfaces() {
		s.interfaces[i.Index] = i
	}
	return s
}

func (s *sockets) places() (all []place) {
	ipv4, ipv6 := s.conn.Families()
	for _, i := range s.conn.Interfaces() {
		if ipv4 {
			all = append(all, place{i.Index, false})
		}
		if ipv6 {
			all = append(all, place{i.Index, true})
		}
	}
	return all
}

func (s *sockets) zone(ifIndex int) string { return s.interfaces[ifIndex].Name }

func (s *sockets) mtu(ifIndex int) int { return s.interfaces[ifIndex].MTU }

func (s *sockets) addrs(ifIndex int) (all []netip.Prefix) {
	i, ok := s.interfaces[ifIndex]
	if !ok {
		return nil
	}
	addrs, err := i.Addrs()
	if err != nil {
		return nil // the interface has gone
	}
	for _, a := range addrs {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			all = append(all, p)
		}
	}
	return all
}

func (s *sockets) send(at place, dst netip.AddrPort, msg []byte) error {
	return s.conn.Send(at.ifIndex, dst, msg)
}

func (s *sockets) serve(ctx context.Context, h func(*transport.Packet)) error {
	return s.conn.Serve(ctx, h)
}

func (s *sockets) close() error { return s.conn.Close() }
