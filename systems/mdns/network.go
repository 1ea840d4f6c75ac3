package mdns

import (
	"context"
	"net"
	"net/netip"
	"slices"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// place is where a message is sent or received: an interface and a family. The
// two families of an interface are links of their own (RFC 6762, section 20).
type place struct {
	ifIndex int
	ipv6    bool
}

// network is the Node's way to the outside. Its methods are called with the
// Node's lock held.
type network interface {
	// changes returns a channel that has an element after something may have
	// changed, until ctx ends; nil if the network does not tell.
	changes(ctx context.Context) <-chan struct{}
	// refresh looks at the world. What the methods below return stays the same
	// until the next call. An error says what cannot be used.
	refresh() error
	// places returns the places from which can be sent: those that have an
	// address.
	places() []place
	// zone is the name of an interface, "" if it is none of the network's.
	zone(ifIndex int) string
	// mtu is the largest IP packet of an interface in bytes.
	mtu(ifIndex int) int
	// addrs returns the addresses of an interface.
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

// family is the place's family in logs.
func (p place) family() string {
	if p.ipv6 {
		return "IPv6"
	}
	return "IPv4"
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
	conn  *transport.Conn
	links []link // in the order of the Conn's interfaces
}

// link is an interface and its addresses.
type link struct {
	net.Interface
	addresses []netip.Prefix
}

func (s *sockets) changes(ctx context.Context) <-chan struct{} {
	c, err := transport.Changes(ctx)
	if err != nil {
		return nil // the node looks from time to time
	}
	return c
}

func (s *sockets) refresh() error {
	// A group that cannot be joined on an interface is tried again the next time.
	_, err := s.conn.Refresh()
	interfaces := s.conn.Interfaces()
	all, failed := addresses(interfaces)
	if failed != nil {
		all = eachAddresses(interfaces)
	}
	s.links = s.links[:0]
	for _, i := range interfaces {
		s.links = append(s.links, link{i, all[i.Index]})
	}
	return err
}

func (s *sockets) places() (all []place) {
	ipv4, ipv6 := s.conn.Families()
	for _, l := range s.links {
		if ipv4 && l.has(netip.Addr.Is4) {
			all = append(all, place{l.Index, false})
		}
		if ipv6 && l.has(netip.Addr.Is6) {
			all = append(all, place{l.Index, true})
		}
	}
	return all
}

func (l *link) has(family func(netip.Addr) bool) bool {
	return slices.ContainsFunc(l.addresses, func(p netip.Prefix) bool { return family(p.Addr()) })
}

// link returns the interface with an index, an empty one if there is none.
func (s *sockets) link(ifIndex int) link {
	for _, l := range s.links {
		if l.Index == ifIndex {
			return l
		}
	}
	return link{}
}

func (s *sockets) zone(ifIndex int) string { return s.link(ifIndex).Name }

func (s *sockets) mtu(ifIndex int) int { return s.link(ifIndex).MTU }

func (s *sockets) addrs(ifIndex int) []netip.Prefix { return s.link(ifIndex).addresses }

// eachAddresses asks each interface for its addresses.
func eachAddresses(interfaces []net.Interface) map[int][]netip.Prefix {
	all := map[int][]netip.Prefix{}
	for _, i := range interfaces {
		addrs, err := i.Addrs()
		if err != nil {
			continue // the interface has gone
		}
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				all[i.Index] = append(all[i.Index], p)
			}
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
