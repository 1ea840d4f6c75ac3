package mdns

import (
	"net/netip"
	"slices"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// packet is a message as it came in, lent while it is handled.
type packet struct {
	msg   []byte
	at    place
	src   netip.AddrPort
	group bool // sent to the group
	echo  bool // we have sent it
}

// receive handles a packet that the network lends.
func (n *Node) receive(p *transport.Packet) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return
	}
	if p.Truncated {
		n.stats.Malformed[message.OK]++
		return
	}
	if fault := message.Check(p.Data); fault.Reason != message.OK {
		n.stats.Malformed[fault.Reason]++
		return
	}
	m := packet{msg: p.Data, at: place{p.IfIndex, p.Src.Addr().Is6()}, src: p.Src}
	if !slices.Contains(n.at, m.at) {
		n.stats.Ignored++ // of an interface that another program has joined the group on
		return
	}
	m.group = !p.Dst.IsValid() || p.Dst.IsMulticast()
	if !m.group && !n.onLink(p.IfIndex, p.Src.Addr()) {
		n.stats.OffLink++
		return
	}
	h, _ := message.ReadHeader(p.Data)
	if !h.Flags.Plain() {
		n.stats.Ignored++
		return
	}
	if h.Flags&message.Response == 0 {
		n.stats.Queries++
		m.echo = n.echoes.has(p.Data)
		n.query(&m, h)
		return
	}
	// Responses come from port 5353 (RFC 6762, section 6).
	if p.Src.Port() != transport.Port {
		n.stats.Ignored++
		return
	}
	n.stats.Responses++
	m.echo = n.echoes.has(p.Data)
	n.response(&m)
}

// onLink reports whether an address is in a subnet of an interface.
func (n *Node) onLink(ifIndex int, a netip.Addr) bool {
	if a.IsLinkLocalUnicast() && a.Is6() {
		return true
	}
	for _, p := range n.addrs[ifIndex] {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// ownAddr reports whether an address is one of ours on an interface.
func (n *Node) ownAddr(ifIndex int, a netip.Addr) bool {
	return slices.ContainsFunc(n.addrs[ifIndex], func(p netip.Prefix) bool { return p.Addr() == a })
}

// response takes what a response says: as conflicts with our claims, as answers
// that another host gave in our place, and into the cache.
func (n *Node) response(m *packet) {
	if !m.echo {
		n.contest(m)
		n.spare(m)
	}
	n.learn(m)
}
