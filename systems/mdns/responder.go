package mdns

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// responder has the names of this node: it answers for them, and sees to it that
// no other host has them.
type responder struct {
	loop     *loop
	links    *links
	registry registry
	sent     sentLog

	label string                 // the first of the name of the node's own host, as it was asked for
	own   *host                  // nil as long as nothing is registered
	hosts map[message.Name]*host // all, by the folded name that was asked for

	pending []*reply              // all that wait, the oldest first
	grouped map[place]*reply      // of these, those to the group
	partial map[partialKey]*reply // those that wait for known answers
	rescues map[place]*rescue
}

func newResponder(loop *loop, links *links, label string) *responder {
	return &responder{
		loop: loop, links: links, label: label,
		registry: newRegistry(),
		sent:     sentLog{records: map[sentKey]said{}, swept: time.Now()},
		hosts:    map[message.Name]*host{},
		grouped:  map[place]*reply{},
		partial:  map[partialKey]*reply{},
		rescues:  map[place]*rescue{},
	}
}

// hear takes what a response says of records of ours: that another host has the
// name (RFC 6762, section 9), that another program has given the answer that we
// would give (section 7.4), or that it has withdrawn what we still have.
func (r *responder) hear(m *packet) {
	if len(r.registry.claims) == 0 {
		return
	}
	own := r.links.ownAddr(m.at.ifIndex, m.src.Addr())
	var reader message.Reader
	var buf [message.MaxName]byte
	reader.Open(m.msg)
	for reader.Next() {
		if reader.Section() == message.Questions || reader.Class() != message.ClassIN {
			continue
		}
		if r.own != nil {
			r.own.reverses.yield(&reader)
		}
		name := append(buf[:0], reader.Name()...)
		message.FoldBytes(name)
		record, ours := r.registry.find(m.at, name, reader.Type(), reader.Data())
		switch {
		case ours && reader.TTL() == 0:
			r.rescue(m.at, record)
		case ours:
			// A packet of ours that comes back late is not the answer of another.
			if !own && m.group && reader.Section() == message.Answers && reader.TTL() >= record.TTL {
				r.sent.note(keyOf(m.at, record), true)
			}
		case reader.TTL() > 0:
			if c := r.registry.names[message.Name(name)]; c != nil && slices.Contains(c.at, m.at) && c.denies(&reader) {
				c.conflict(m)
			}
		}
	}
}

// has reports whether a claim that is ours at a place has the record.
func (r *responder) has(at place, record message.Resource) bool {
	return r.registry.has(at, record) || r.own != nil && r.own.claim.ownedAt(at) &&
		slices.ContainsFunc(r.own.claim.certain(at.ifIndex), func(s message.Resource) bool {
			return s.Type == record.Type && s.Name == record.Name && s.Data == record.Data
		})
}

// rescue is records of ours that another program has said goodbye for at a place:
// those who heard it forget them in a second.
type rescue struct {
	records map[sentKey]message.Resource
	next    *task
}

// rescue multicasts a record again as soon as it may be.
func (r *responder) rescue(at place, record message.Resource) {
	s := r.rescues[at]
	if s == nil {
		s = &rescue{records: map[sentKey]message.Resource{}}
		r.rescues[at] = s
	}
	key := keyOf(at, record)
	if _, ok := s.records[key]; ok {
		return
	}
	s.records[key] = record
	if s.next == nil {
		s.next = r.loop.after(multicastGap-r.sent.since(key), func() { r.save(at) })
	}
}

// save multicasts the records that may be, and waits for the others.
func (r *responder) save(at place) {
	s := r.rescues[at]
	delete(r.rescues, at)
	var all []message.Resource
	wait := multicastGap
	for key, record := range s.records {
		if left := multicastGap - r.sent.since(key); left > 0 && r.has(at, record) {
			wait = min(wait, left)
			continue
		}
		delete(s.records, key)
		if r.has(at, record) {
			all = append(all, record)
		}
	}
	if len(s.records) > 0 {
		s.next = r.loop.after(wait, func() { r.save(at) })
		r.rescues[at] = s
	}
	r.publish(at, all)
}

// publish multicasts records without a question.
func (r *responder) publish(at place, records []message.Resource) {
	w := r.writer(at, netip.AddrPort{}, nil)
	for _, record := range records {
		w.add(message.Answers, record)
	}
	w.close()
}

// goodbye sends records with a TTL of zero to places, those left out that a claim
// still has there.
func (r *responder) goodbye(places []place, records func(ifIndex int) []message.Resource) {
	for _, at := range places {
		var all []message.Resource
		for _, record := range records(at.ifIndex) {
			if !r.has(at, record) {
				record.TTL = 0
				all = append(all, record)
			}
		}
		r.publish(at, all)
	}
}

// moved follows a change of the interfaces.
func (r *responder) moved(m move) {
	r.sent.leave(m.gone)
	for _, at := range m.gone {
		delete(r.loop.failing, at)
	}
	for _, c := range slices.Clone(r.registry.claims) {
		c.cover()
	}
	switch {
	case m.readdress:
		for _, h := range r.hosts {
			h.readdress(m.before)
		}
	case r.own != nil:
		r.own.reverses.look()
	}
}

// woken is called when the machine was suspended: other hosts may have taken names
// meanwhile (RFC 6762, section 8).
func (r *responder) woken() {
	for _, c := range r.registry.claims {
		c.asked = false
		c.probe(rand.N(probeWait))
	}
}

// idle is called now and then.
func (r *responder) idle() {
	r.sent.sweep(func(k sentKey) bool {
		return r.has(k.at, message.Resource{Name: k.name, Type: k.typ, Data: k.data})
	})
}

// end says goodbye for all names, the host's last.
func (r *responder) end() {
	for _, c := range slices.Backward(slices.Clone(r.registry.claims)) {
		c.withdraw()
	}
	clear(r.hosts)
}

// reply is a response that is to be sent soon.
type reply struct {
	at      place
	to      netip.AddrPort // the zero value means the group
	from    netip.AddrPort // the querier
	answers answers
	probe   bool // it defends our names
	partial bool // more known answers may follow
	began   time.Time
	legacy  *legacy
	next    *task
}

// partialKey is a querier that may send more known answers.
type partialKey struct {
	at   place
	from netip.AddrPort
}
