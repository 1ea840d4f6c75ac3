package transport

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// Send sends msg to dst from an interface of the Conn. Any number of goroutines
// may call it. It returns [ErrNoDestination] if dst has no address or port, and
// an error that names the interface if the Conn does not have it, or dst's
// family.
func (c *Conn) Send(ifIndex int, dst netip.AddrPort, msg []byte) error {
	addr := dst.Addr().Unmap()
	if !addr.IsValid() || addr.IsUnspecified() || dst.Port() == 0 {
		return ErrNoDestination
	}
	s := c.socket(addr.Is6())
	if s == nil {
		return fmt.Errorf("transport: %v: the connection has no socket of its family", dst)
	}
	route, ok := (*s.routes.Load())[ifIndex]
	if !ok {
		return fmt.Errorf("transport: interface %d is not one of the connection's", ifIndex)
	}
	// The interface is said for each packet: what is set for a socket would be
	// shared by all that send.
	if _, _, err := s.udp.WriteMsgUDPAddrPort(msg, route, netip.AddrPortFrom(s.scoped(addr, ifIndex), dst.Port())); err != nil {
		return fmt.Errorf("transport: sending %d bytes from %s: %w", len(msg), c.zone(ifIndex), err)
	}
	return nil
}

// SendGroup sends msg to the group of a family from an interface.
func (c *Conn) SendGroup(ifIndex int, ipv6 bool, msg []byte) error {
	group := GroupIPv4
	if ipv6 {
		group = GroupIPv6
	}
	return c.Send(ifIndex, netip.AddrPortFrom(group, Port), msg)
}

// zone is the name of an interface, or its number if it is none of ours.
func (c *Conn) zone(ifIndex int) string {
	for _, i := range *c.interfaces.Load() {
		if i.Index == ifIndex {
			return i.Name
		}
	}
	return strconv.Itoa(ifIndex)
}

// scoped adds the zone that systems other than Linux want; there the control
// bytes suffice, and a zone costs a lookup.
func (s *socket) scoped(a netip.Addr, ifIndex int) netip.Addr {
	if routed || a.Is4() || !(a.IsLinkLocalUnicast() || a.IsLinkLocalMulticast()) {
		return a
	}
	return a.WithZone(s.conn.zone(ifIndex))
}

// routes returns the control bytes that send from each interface.
func routes(udp *net.UDPConn, v6 bool, interfaces []net.Interface) (map[int][]byte, error) {
	all := make(map[int][]byte, len(interfaces))
	for _, i := range interfaces {
		b, err := route(udp, v6, i)
		if err != nil {
			return nil, fmt.Errorf("sending from interface %s: %w", i.Name, err)
		}
		all[i.Index] = b
	}
	return all, nil
}
