package mdns

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// claimHost returns the claim of the host's name, and begins it if there is
// none.
func (n *Node) claimHost() *claim {
	if n.host != nil {
		return n.host
	}
	c := &claim{
		node:   n,
		ready:  make(chan struct{}),
		types:  []message.Type{message.TypeA, message.TypeAAAA},
		unique: n.addresses,
		sure:   n.reverse,
	}
	c.name = ownName(n.hostLabel)
	c.rename = func() {
		n.hostLabel = nextHost(n.hostLabel)
		c.name = ownName(n.hostLabel)
		n.retarget()
	}
	n.host = c
	n.lookAround()
	c.begin()
	return c
}

// retarget has the services point to the host's new name.
func (n *Node) retarget() {
	host := n.host.name
	for _, c := range n.claims {
		if c == n.host {
			continue
		}
		records := slices.Clone(c.unique(0))
		for i, r := range records {
			if priority, weight, port, _, ok := message.ReadSRV(r.Data); ok && r.Type == message.TypeSRV {
				records[i].Data = message.SRV(priority, weight, port, host)
			}
		}
		c.unique = func(int) []message.Resource { return records }
		if c.owned {
			c.announce()
		}
	}
}

// addresses returns the host's records on an interface: all addresses that are
// valid there, and no others (RFC 6762, section 6.2).
func (n *Node) addresses(ifIndex int) (all []message.Resource) {
	for _, p := range n.addrs[ifIndex] {
		a := p.Addr()
		if a.IsMulticast() || a.IsUnspecified() || a.IsLoopback() && !strings.HasPrefix(n.net.zone(ifIndex), "lo") {
			continue
		}
		typ, data := message.A(a)
		r := message.Resource{Name: n.host.name, Type: typ, Class: message.ClassIN, Flush: true, TTL: hostTTL, Data: data}
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}
