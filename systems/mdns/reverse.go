package mdns

import (
	"maps"
	"net/netip"
	"slices"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// reverseState is what is known about the reverse name of an address of ours.
// Another program of this machine, an Avahi daemon for example, has the same
// addresses and may have given their reverse names to its own host name. Two
// answers for one such name make Avahi rename its host again and again, so we
// ask before we take one, and leave it to the other program if there is one.
type reverseState uint8

const (
	unknown reverseState = iota
	ours
	theirs // another program has it
)

// reverses returns the PTR records that lead from the host's addresses on an
// interface to its name, whichever program has them.
func (n *Node) reverses(ifIndex int) (all []message.Resource) {
	for _, r := range n.addresses(ifIndex) {
		a, _ := netip.AddrFromSlice([]byte(r.Data))
		all = append(all, message.Resource{
			Name: message.ReverseName(a), Type: message.TypePTR, Class: message.ClassIN, Flush: true, TTL: hostTTL, Data: string(n.host.name),
		})
	}
	return all
}

// reverse returns those of reverses that are ours.
func (n *Node) reverse(ifIndex int) []message.Resource {
	return slices.DeleteFunc(n.reverses(ifIndex), func(r message.Resource) bool { return n.reversed[r.Name] != ours })
}

// askReverse asks at a place for the reverse names that nothing is known of. The
// response is to come by multicast: a unicast one may reach another program.
func (n *Node) askReverse(at place) {
	_, room := n.room(at)
	n.builder.Reset(0, 0, room)
	asked := false
	for _, r := range n.reverses(at.ifIndex) {
		if n.reversed[r.Name] == unknown {
			asked = n.builder.Question(message.Question{Name: r.Name, Type: message.TypePTR, Class: message.ClassIN}) == nil || asked
		}
	}
	if asked {
		n.send(at, at.group())
	}
}

// takeReverse takes the reverse names of an interface that no other program has
// claimed while they were asked for.
func (n *Node) takeReverse(ifIndex int) (taken bool) {
	for _, r := range n.reverses(ifIndex) {
		if n.reversed[r.Name] == unknown {
			n.reversed[r.Name] = ours
			taken = true
		}
	}
	return taken
}

// seekReverse asks for the reverse names of addresses that have come to places
// that were there, as often as for a name, and announces those that it takes.
func (n *Node) seekReverse(times int) {
	at := n.host.places()
	if times < probeCount {
		for _, at := range at {
			n.askReverse(at)
		}
		n.after(probeWait, func() { n.seekReverse(times + 1) })
		return
	}
	taken := false
	for _, at := range at {
		taken = n.takeReverse(at.ifIndex) || taken
	}
	if taken {
		n.host.announce()
	}
}

// forgetReverse forgets the names of addresses that are not ours any more.
func (n *Node) forgetReverse() {
	there := map[message.Name]bool{}
	for ifIndex := range n.addrs {
		for _, r := range n.reverses(ifIndex) {
			there[r.Name] = true
		}
	}
	maps.DeleteFunc(n.reversed, func(name message.Name, _ reverseState) bool { return !there[name] })
}

// yieldToProbe leaves reverse names to the program that probes for them.
func (n *Node) yieldToProbe(msg []byte) {
	var r message.Reader
	r.Open(msg)
	for r.Next() {
		if r.Section() == message.Authority {
			n.yield(&r)
		}
	}
}

// yield leaves a reverse name of ours to another program, if the record r of a
// response or probe is its claim, and asks for it after its goodbye.
func (n *Node) yield(r *message.Reader) {
	if n.host == nil || r.Type() != message.TypePTR || !message.Reverse(r.Name()) || message.EqualFold(n.host.name, message.Name(r.Data())) {
		return
	}
	for ifIndex := range n.addrs {
		for _, own := range n.reverses(ifIndex) {
			if !message.EqualFold(own.Name, message.Name(r.Name())) {
				continue
			}
			if r.TTL() > 0 {
				n.reversed[own.Name] = theirs
			} else if n.reversed[own.Name] == theirs {
				n.reversed[own.Name] = unknown
				n.after(deferWait, func() { n.seekReverse(0) })
			}
			return
		}
	}
}
