package mdns

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// answer is a record of ours that a question asks for.
type answer struct {
	claim    *claim
	resource message.Resource
	unicast  bool // the question asks for a unicast response
}

// reply is a response that is to be sent soon.
type reply struct {
	at      place
	to      netip.AddrPort // the zero value means the group
	from    netip.AddrPort // the querier
	answers []answer
	known   []message.Resource // answers that the querier has
	probe   bool               // it defends our names
	partial bool               // more known answers may follow
	legacy  *legacy
	next    *task
}

// legacy is what a querier that knows unicast DNS alone wants to see again (RFC
// 6762, section 6.7).
type legacy struct {
	id        uint16
	questions []message.Question
}

const (
	legacyTTL  = 10  // seconds at most in such a response
	maxPending = 256 // replies that wait; a flood of questions has no more
)

// query answers a query.
func (n *Node) query(m *packet, h message.Header) {
	if h.Counts[message.Authority] > 0 && !m.echo {
		n.tieBreak(m)
		n.yieldToProbe(m.msg)
	}
	n.heard(m, h)
	if h.Counts[message.Questions] == 0 {
		n.moreKnown(m, h)
		return
	}
	var answers []answer
	var known []message.Resource
	var reader message.Reader
	reader.Open(m.msg)
	for reader.Next() {
		switch reader.Section() {
		case message.Questions:
			answers = n.match(&reader, m.at, answers)
		case message.Answers:
			if len(answers) > 0 {
				known = append(known, reader.Resource())
			}
		}
	}
	if len(answers) > 0 {
		n.plan(m, h, answers, known)
	}
}

// plan chooses when and to where the answers to a query are sent.
func (n *Node) plan(m *packet, h message.Header, answers []answer, known []message.Resource) {
	r := reply{
		at: m.at, from: m.src, answers: answers, known: known,
		probe:   h.Counts[message.Authority] > 0,
		partial: h.Flags&message.Truncated != 0,
	}
	wait := r.wait(h)
	switch {
	case m.src.Port() != transport.Port:
		r.to = m.src
		r.legacy = &legacy{id: h.ID, questions: questionsOf(m.msg)}
		n.enqueue(&r, wait)
	case !m.group:
		r.to = m.src
		n.enqueue(&r, wait)
	default:
		// A response by unicast is for those that were multicast lately: the
		// others on the link should see them now and then, too (section 5.4).
		direct := r
		direct.to = m.src
		direct.answers = nil
		r.answers = slices.DeleteFunc(r.answers, func(a answer) bool {
			if a.unicast && !n.ownAddr(m.at.ifIndex, m.src.Addr()) && n.multicastLately(m.at, a.resource) {
				direct.answers = append(direct.answers, a)
				return true
			}
			return false
		})
		n.enqueue(&direct, wait)
		n.enqueue(&r, wait)
	}
}

// questionsOf returns the questions of a message.
func questionsOf(msg []byte) (all []message.Question) {
	var r message.Reader
	r.Open(msg)
	for r.Next() && r.Section() == message.Questions {
		all = append(all, message.Question{Name: message.Name(r.Name()), Type: r.Type(), Class: r.Class()})
	}
	return all
}

// wait is how long to wait before a response (RFC 6762, sections 6 and 7.2):
// not at all if we are the only host that can have an answer.
func (r *reply) wait(h message.Header) time.Duration {
	switch {
	case r.partial:
		return 400*time.Millisecond + rand.N(100*time.Millisecond)
	case r.probe:
		return 0
	case h.Counts[message.Questions] == 1 && !slices.ContainsFunc(r.answers, func(a answer) bool { return !a.resource.Flush }):
		return 0
	}
	return 20*time.Millisecond + rand.N(100*time.Millisecond)
}

// match adds the records that a question asks for, of those that are ours at a
// place.
func (n *Node) match(q *message.Reader, at place, all []answer) []answer {
	if q.Class() != message.ClassIN && q.Class() != message.ClassANY {
		return all
	}
	wanted := func(t message.Type) bool { return q.Type() == t || q.Type() == message.TypeANY }
	add := func(c *claim, r message.Resource) {
		if !slices.ContainsFunc(all, func(a answer) bool { return a.resource == r }) {
			all = append(all, answer{c, r, q.Unicast()})
		}
	}
	for _, c := range n.claims {
		if !c.ownedAt(at) {
			continue
		}
		if message.EqualFold(q.Name(), c.name) {
			found := false
			for _, r := range c.unique(at.ifIndex) {
				if wanted(r.Type) {
					add(c, r)
					found = true
				}
			}
			if !found {
				add(c, denial(c.name, c.unique(at.ifIndex)...))
			}
		}
		if message.Reverse(q.Name()) {
			for _, r := range c.certain(at.ifIndex) {
				switch {
				case !message.EqualFold(q.Name(), r.Name):
				case wanted(r.Type):
					add(c, r)
				default:
					add(c, denial(r.Name, r))
				}
			}
		}
		for _, r := range c.shared {
			if wanted(r.Type) && message.EqualFold(q.Name(), r.Name) {
				add(c, r)
			}
		}
	}
	return all
}

// denial is the NSEC record that says of which types a name's records are, and
// so that it has no others (RFC 6762, section 6.1).
func denial(name message.Name, records ...message.Resource) message.Resource {
	var types []message.Type
	for _, r := range records {
		types = append(types, r.Type)
	}
	return message.Resource{Name: name, Type: message.TypeNSEC, Class: message.ClassIN, Flush: true, TTL: hostTTL, Data: message.NSEC(name, types...)}
}

// moreKnown takes a packet that continues the known answers of one that was
// truncated (RFC 6762, section 7.2).
func (n *Node) moreKnown(m *packet, h message.Header) {
	for _, r := range n.pending {
		if !r.partial || r.from != m.src || r.at != m.at {
			continue
		}
		var reader message.Reader
		reader.Open(m.msg)
		for reader.Next() {
			if reader.Section() == message.Answers {
				r.known = append(r.known, reader.Resource())
			}
		}
		if h.Flags&message.Truncated != 0 {
			r.next.cancel()
			r.next = n.after(r.wait(h), func() { n.flush(r) })
		}
	}
}

// enqueue sends r after a while. Answers to the group that wait anyway take
// those of r with them (RFC 6762, section 6.4).
func (n *Node) enqueue(r *reply, wait time.Duration) {
	if len(r.answers) == 0 || len(n.pending) >= maxPending {
		return
	}
	if wait == 0 {
		n.flush(r)
		return
	}
	if !r.to.IsValid() && !r.partial {
		for _, p := range n.pending {
			if p.at == r.at && !p.to.IsValid() && !p.partial {
				r.dropKnown()
				for _, a := range r.answers {
					if !slices.ContainsFunc(p.answers, func(b answer) bool { return a.resource == b.resource }) {
						p.answers = append(p.answers, a)
					}
				}
				return
			}
		}
		r.dropKnown()
		r.known = nil // it is not of those that may join
	}
	n.pending = append(n.pending, r)
	r.next = n.after(wait, func() { n.flush(r) })
}

// dropKnown removes the answers that the querier has, with half of their life
// left at least (RFC 6762, section 7.1).
func (r *reply) dropKnown() {
	r.answers = slices.DeleteFunc(r.answers, func(a answer) bool {
		return slices.ContainsFunc(r.known, func(k message.Resource) bool {
			return sameRecord(k, a.resource) && k.TTL >= a.resource.TTL/2
		})
	})
}

// sameRecord reports whether a record from the network is one of ours.
func sameRecord(theirs, ours message.Resource) bool {
	return theirs.Type == ours.Type && theirs.Class == ours.Class &&
		message.EqualFold(theirs.Name, ours.Name) && (theirs.Data == ours.Data || ours.Type == message.TypePTR && message.EqualFold(theirs.Data, ours.Data))
}

// spare drops answers that wait if another host has given them to the group
// (RFC 6762, section 7.4).
func (n *Node) spare(m *packet) {
	if len(n.pending) == 0 || !m.group {
		return
	}
	var reader message.Reader
	reader.Open(m.msg)
	for reader.Next() {
		if reader.Section() != message.Answers {
			continue
		}
		for _, r := range n.pending {
			if r.at != m.at || r.to.IsValid() {
				continue
			}
			r.answers = slices.DeleteFunc(r.answers, func(a answer) bool {
				return a.resource.Type == reader.Type() && reader.TTL() >= a.resource.TTL && sameRecord(reader.Resource(), a.resource)
			})
		}
	}
}

// flush sends r.
func (n *Node) flush(r *reply) {
	r.next.cancel()
	n.pending = slices.DeleteFunc(n.pending, func(p *reply) bool { return p == r })
	r.dropKnown()
	r.answers = slices.DeleteFunc(r.answers, func(a answer) bool {
		return !a.claim.still(r.at, a.resource) || !r.to.IsValid() && n.tooSoon(r, a.resource)
	})
	if len(r.answers) > 0 {
		n.respond(r)
	}
}

// still reports whether the claim has the record at a place now.
func (c *claim) still(at place, r message.Resource) bool {
	if !c.ownedAt(at) {
		return false
	}
	if r.Type != message.TypeNSEC {
		return c.has(at.ifIndex, r)
	}
	return denial(c.name, c.unique(at.ifIndex)...) == r ||
		slices.ContainsFunc(c.certain(at.ifIndex), func(s message.Resource) bool { return denial(s.Name, s) == r })
}
