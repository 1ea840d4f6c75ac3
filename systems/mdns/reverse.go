package mdns

import (
	"net/netip"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// reverseState is the state of the reverse name of an address of ours.
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

// reverses are the names that lead from the node's addresses to its own host.
type reverses struct {
	host  *host
	names map[int][]message.Name // of an interface's addresses, whichever program has them
	state map[message.Name]reverseState
}

// look takes the addresses as they are now, and forgets the names of those that
// are not ours any more.
func (v *reverses) look() {
	state := map[message.Name]reverseState{}
	v.names = map[int][]message.Name{}
	for ifIndex := range v.host.resp.links.addrs {
		for _, r := range v.host.addresses(ifIndex) {
			a, _ := netip.AddrFromSlice([]byte(r.Data))
			name := message.ReverseName(a)
			v.names[ifIndex] = append(v.names[ifIndex], name)
			state[name] = v.state[name]
		}
	}
	v.state = state
}

// records returns the PTR records that are ours on an interface.
func (v *reverses) records(ifIndex int) (all []message.Resource) {
	for _, name := range v.names[ifIndex] {
		if v.state[name] == ours {
			all = append(all, message.Resource{
				Name: name, Type: message.TypePTR, Class: message.ClassIN, Flush: true, TTL: hostTTL, Data: string(v.host.name),
			})
		}
	}
	return all
}

// ask asks at a place for the names that nothing is known of. The response is to
// come by multicast: a unicast one may reach another program.
func (v *reverses) ask(at place) {
	l := v.host.resp.loop
	_, room := l.room(at)
	l.builder.Reset(0, 0, room)
	asked := false
	for _, name := range v.names[at.ifIndex] {
		if v.state[name] == unknown {
			asked = l.builder.Question(message.Question{Name: name, Type: message.TypePTR, Class: message.ClassIN}) == nil || asked
		}
	}
	if asked {
		l.send(at, at.group())
	}
}

// take takes the names of an interface that no other program has claimed while
// they were asked for.
func (v *reverses) take(ifIndex int) (taken bool) {
	for _, name := range v.names[ifIndex] {
		if v.state[name] == unknown {
			v.state[name] = ours
			taken = true
		}
	}
	return taken
}

// seek asks for the names of addresses that have come to places that were there,
// as often as for a name, and announces those that it takes.
func (v *reverses) seek(times int) {
	places := v.host.claim.places()
	if times < probeCount {
		for _, at := range places {
			v.ask(at)
		}
		v.host.resp.loop.after(probeWait, func() { v.seek(times + 1) })
		return
	}
	taken := false
	for _, at := range places {
		taken = v.take(at.ifIndex) || taken
	}
	if taken {
		v.host.claim.announce()
	}
}

// yieldTo leaves names to the program that probes for them.
func (v *reverses) yieldTo(probe []byte) {
	var r message.Reader
	r.Open(probe)
	for r.Next() {
		if r.Section() == message.Authority {
			v.yield(&r)
		}
	}
}

// yield leaves a name of ours to another program, if the record r of a response or
// probe is its claim, and asks for it after its goodbye.
func (v *reverses) yield(r *message.Reader) {
	if r.Type() != message.TypePTR || !message.Reverse(r.Name()) || message.EqualFold(v.host.name, r.Data()) {
		return
	}
	name := message.Name(r.Name()).Fold()
	state, ok := v.state[name]
	switch {
	case !ok:
	case v.host.resp.sent.has(v.host.resp.links.at, message.Resource{Name: name, Type: r.Type(), Data: string(r.Data())}):
		// With a former name of the host: a packet of ours that comes back late.
	case r.TTL() > 0:
		v.state[name] = theirs
	case state == theirs:
		v.state[name] = unknown
		v.host.resp.loop.after(deferWait, func() { v.seek(0) })
	}
}

// answers adds what a question for a reverse name asks for.
func (v *reverses) answers(q *message.Reader, at place, wanted func(message.Type) bool, all *answers) {
	if !message.Reverse(q.Name()) || !v.host.claim.ownedAt(at) {
		return
	}
	for _, r := range v.records(at.ifIndex) {
		switch {
		case !message.EqualFold(q.Name(), r.Name):
		case wanted(r.Type):
			all.add(answer{v.host.claim, r, q.Unicast()})
		default:
			all.add(answer{v.host.claim, denial(r.Name, r), q.Unicast()})
		}
	}
}
