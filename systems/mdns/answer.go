package mdns

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

const (
	legacyTTL = 10 // seconds at most in such a response

	// maxPending bounds the replies that wait. If there are more, the oldest is sent
	// at once: a flood of questions makes us answer early, not never.
	maxPending = 256

	// maxPartial is how long a querier may have us wait for more known answers.
	maxPartial = 2 * time.Second
)

// query answers a query.
func (r *responder) query(m *packet, h message.Header) {
	if h.Counts[message.Authority] > 0 {
		r.tieBreak(m)
		if r.own != nil {
			r.own.reverses.yieldTo(m.msg)
		}
	}
	if h.Counts[message.Questions] == 0 {
		r.moreKnown(m, h)
		return
	}
	var all answers
	var reader message.Reader
	reader.Open(m.msg)
	for reader.Next() && reader.Section() == message.Questions {
		r.match(&reader, m.at, &all)
	}
	if h.Counts[message.Answers] > 0 && len(all.list) > 0 {
		all.dropKnown(m.msg)
	}
	if len(all.list) > 0 {
		r.plan(m, h, all)
	}
}

// plan chooses when and to where the answers to a query are sent.
func (r *responder) plan(m *packet, h message.Header, all answers) {
	p := reply{
		at: m.at, from: m.src, answers: all,
		probe:   h.Counts[message.Authority] > 0,
		partial: h.Flags&message.Truncated != 0,
	}
	wait := p.wait(h)
	switch {
	case m.src.Port() != transport.Port:
		p.to = m.src
		p.legacy = &legacy{id: h.ID, questions: questionsOf(m.msg)}
		r.enqueue(&p, wait)
	case !m.group:
		p.to = m.src
		r.enqueue(&p, wait)
	default:
		// A response by unicast is for those that were multicast lately: the
		// others on the link should see them now and then, too (section 5.4).
		direct := p
		direct.to = m.src
		direct.answers = answers{}
		if !r.links.ownAddr(m.at.ifIndex, m.src.Addr()) {
			p.answers.remove(func(a answer) bool {
				lately := a.unicast && r.sent.within(keyOf(m.at, a.resource), time.Duration(a.resource.TTL)*time.Second/4)
				if lately {
					direct.answers.add(a)
				}
				return lately
			})
		}
		r.enqueue(&direct, wait)
		r.enqueue(&p, wait)
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
func (p *reply) wait(h message.Header) time.Duration {
	switch {
	case p.partial:
		return partialWait()
	case p.probe:
		return 0
	case h.Counts[message.Questions] == 1 && !slices.ContainsFunc(p.answers.list, func(a answer) bool { return !a.resource.Flush }):
		return 0
	}
	return 20*time.Millisecond + rand.N(100*time.Millisecond)
}

func partialWait() time.Duration { return 400*time.Millisecond + rand.N(100*time.Millisecond) }

// match adds the records that a question asks for, of those that are ours at a
// place.
func (r *responder) match(q *message.Reader, at place, all *answers) {
	if q.Class() != message.ClassIN && q.Class() != message.ClassANY {
		return
	}
	wanted := func(t message.Type) bool { return q.Type() == t || q.Type() == message.TypeANY }
	var buf [message.MaxName]byte
	name := append(buf[:0], q.Name()...)
	message.FoldBytes(name)
	if c := r.registry.names[message.Name(name)]; c != nil && c.ownedAt(at) {
		found := false
		for _, record := range c.unique(at.ifIndex) {
			if wanted(record.Type) {
				all.add(answer{c, record, q.Unicast()})
				found = true
			}
		}
		if !found {
			all.add(answer{c, denial(c.name, c.unique(at.ifIndex)...), q.Unicast()})
		}
	}
	if r.own != nil {
		r.own.reverses.answers(q, at, wanted, all)
	}
	if set := r.registry.shared[message.Name(name)]; set != nil && wanted(message.TypePTR) {
		for _, s := range set.order {
			if o, ok := s.ownedAt(at); ok {
				all.add(answer{o.claim, o.resource, q.Unicast()})
			}
		}
	}
}

// moreKnown takes a packet that continues the known answers of one that was
// truncated (RFC 6762, section 7.2).
func (r *responder) moreKnown(m *packet, h message.Header) {
	p := r.partial[partialKey{m.at, m.src}]
	if p == nil {
		return
	}
	p.answers.dropKnown(m.msg)
	if h.Flags&message.Truncated != 0 {
		r.wait(p, partialWait())
	}
}

// enqueue sends p after a while. Answers to the group that wait anyway take those
// of p with them (RFC 6762, section 6.4), and a querier has one reply that waits for
// its known answers.
func (r *responder) enqueue(p *reply, wait time.Duration) {
	if len(p.answers.list) == 0 {
		return
	}
	if wait == 0 {
		r.flush(p)
		return
	}
	var waits *reply
	switch {
	case p.partial && !p.to.IsValid():
		waits = r.partial[partialKey{p.at, p.from}]
	case !p.to.IsValid():
		waits = r.grouped[p.at]
	}
	if waits != nil {
		for _, a := range p.answers.list {
			waits.answers.add(a)
		}
		if p.partial {
			r.wait(waits, wait)
		}
		return
	}
	switch {
	case p.partial && !p.to.IsValid():
		r.partial[partialKey{p.at, p.from}] = p
	case !p.to.IsValid():
		r.grouped[p.at] = p
	}
	if len(r.pending) >= maxPending {
		r.flush(r.pending[0])
	}
	r.pending = append(r.pending, p)
	p.began = time.Now()
	r.wait(p, wait)
}

// wait has p wait for a while from now, within its bound.
func (r *responder) wait(p *reply, wait time.Duration) {
	p.next.cancel()
	p.next = r.loop.after(min(wait, maxPartial-time.Since(p.began)), func() { r.flush(p) })
}

// flush sends p.
func (r *responder) flush(p *reply) {
	p.next.cancel()
	if i := slices.Index(r.pending, p); i >= 0 {
		r.pending = slices.Delete(r.pending, i, i+1)
	}
	if r.grouped[p.at] == p {
		delete(r.grouped, p.at)
	}
	if key := (partialKey{p.at, p.from}); r.partial[key] == p {
		delete(r.partial, key)
	}
	gap := multicastGap
	if p.probe {
		gap = probeGap
	}
	p.answers.remove(func(a answer) bool {
		return !p.to.IsValid() && r.sent.within(keyOf(p.at, a.resource), gap) || !r.still(p.at, a)
	})
	if len(p.answers.list) > 0 {
		r.respond(p)
	}
}

// still reports whether an answer is true at a place now.
func (r *responder) still(at place, a answer) bool {
	if !a.claim.ownedAt(at) {
		return false
	}
	record := a.resource
	if record.Type != message.TypeNSEC {
		return r.has(at, record)
	}
	return denial(a.claim.name, a.claim.unique(at.ifIndex)...) == record ||
		slices.ContainsFunc(a.claim.certain(at.ifIndex), func(s message.Resource) bool { return denial(s.Name, s) == record })
}

// respond sends the answers of a reply, and what their receiver will ask next.
func (r *responder) respond(p *reply) {
	w := r.writer(p.at, p.to, p.legacy)
	for _, a := range p.answers.list {
		w.add(message.Answers, a.resource)
	}
	var added answers
	r.additionals(p.at, p.answers.list, func(c *claim, extra message.Resource) bool {
		if p.answers.has(extra) || added.has(extra) {
			return true
		}
		added.add(answer{claim: c, resource: extra})
		return w.addIfRoom(extra)
	})
	w.close()
}

// additionals yields the records to go with answers (RFC 6763, section 12; RFC
// 6762, section 6.2): those of a service with its PTR, the host's addresses with
// a SRV, the other family's with an address. It ends when yield returns false.
func (r *responder) additionals(at place, list []answer, yield func(*claim, message.Resource) bool) {
	var hosts []*claim
	host := func(c *claim) {
		if c != nil && c.ownedAt(at) && !slices.Contains(hosts, c) {
			hosts = append(hosts, c)
		}
	}
	target := func(srv message.Resource) {
		if _, _, _, name, ok := message.ReadSRV(srv.Data); ok {
			host(r.registry.names[name.Fold()])
		}
	}
	for _, a := range list {
		switch a.resource.Type {
		case message.TypePTR:
			if message.Name(a.resource.Data) != a.claim.name {
				continue
			}
			for _, record := range a.claim.unique(at.ifIndex) {
				if !yield(a.claim, record) {
					return
				}
				if record.Type == message.TypeSRV {
					target(record)
				}
			}
		case message.TypeSRV:
			target(a.resource)
		case message.TypeA, message.TypeAAAA:
			host(a.claim)
		}
	}
	for _, c := range hosts {
		records := c.unique(at.ifIndex)
		for _, record := range records {
			if !yield(c, record) {
				return
			}
		}
		// Of a host without addresses of one family this is said, too.
		if d := denial(c.name, records...); !message.NSECHas(d.Data, message.TypeA) || !message.NSECHas(d.Data, message.TypeAAAA) {
			if !yield(c, d) {
				return
			}
		}
	}
}
