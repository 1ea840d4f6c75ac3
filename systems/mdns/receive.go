package mdns

import (
	"slices"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// receive handles a packet that the network lends.
func (n *Node) receive(p *transport.Packet) {
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	if n.loop.ended {
		return
	}
	stats := &n.loop.stats
	if p.Truncated {
		stats.Malformed[message.OK]++
		return
	}
	if fault := message.Check(p.Data); fault.Reason != message.OK {
		stats.Malformed[fault.Reason]++
		return
	}
	m := packet{msg: p.Data, at: place{p.IfIndex, p.Src.Addr().Is6()}, src: p.Src}
	if !slices.Contains(n.links.at, m.at) {
		stats.Ignored++ // of an interface that another program has joined the group on
		return
	}
	m.group = !p.Dst.IsValid() || p.Dst.IsMulticast()
	if !m.group && !n.links.onLink(p.IfIndex, p.Src.Addr()) {
		stats.OffLink++
		return
	}
	h, _ := message.ReadHeader(p.Data)
	if !h.Flags.Plain() {
		stats.Ignored++
		return
	}
	if h.Flags&message.Response == 0 {
		stats.Queries++
		n.resp.query(&m, h)
		n.quer.heard(&m, h)
		return
	}
	// Responses come from port 5353 (RFC 6762, section 6).
	if p.Src.Port() != transport.Port {
		stats.Ignored++
		return
	}
	stats.Responses++
	n.resp.hear(&m)
	n.quer.learn(&m)
}
