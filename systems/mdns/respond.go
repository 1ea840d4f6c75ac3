package mdns

import (
	"net/netip"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// sentKey is a record at a place, without its TTL.
type sentKey struct {
	at   place
	name message.Name
	typ  message.Type
	data string
}

func keyOf(at place, r message.Resource) sentKey { return sentKey{at, r.Name, r.Type, r.Data} }

// A record is multicast at a place once a second at most, and once in 250 ms in
// answers to probes (RFC 6762, section 6).
const (
	multicastGap = time.Second
	probeGap     = 250 * time.Millisecond
)

// tooSoon reports whether a record was multicast a moment ago.
func (n *Node) tooSoon(r *reply, record message.Resource) bool {
	gap := multicastGap
	if r.probe {
		gap = probeGap
	}
	last, ok := n.sent[keyOf(r.at, record)]
	return ok && time.Since(last) < gap
}

// multicastLately reports whether a record was multicast within a quarter of
// its life.
func (n *Node) multicastLately(at place, record message.Resource) bool {
	last, ok := n.sent[keyOf(at, record)]
	return ok && time.Since(last) < time.Duration(record.TTL)*time.Second/4
}

// publish multicasts records that nobody has asked for.
func (n *Node) publish(at place, records []message.Resource) {
	w := n.writer(at, netip.AddrPort{}, nil)
	for _, r := range records {
		w.add(message.Answers, r)
	}
	w.close()
}

// respond sends the answers of a reply, and what their receiver will ask next.
func (n *Node) respond(r *reply) {
	w := n.writer(r.at, r.to, r.legacy)
	for _, a := range r.answers {
		w.add(message.Answers, a.resource)
	}
	for _, extra := range n.additionals(r.at, r.answers) {
		if !w.addIfRoom(extra) {
			break
		}
	}
	w.close()
}

// additionals returns the records to go with answers (RFC 6763, section 12; RFC
// 6762, section 6.2): those of a service with its PTR, the host's addresses with
// a SRV, the other family's with an address.
func (n *Node) additionals(at place, answers []answer) (all []message.Resource) {
	add := func(records ...message.Resource) {
		for _, r := range records {
			if !slices.Contains(all, r) && !slices.ContainsFunc(answers, func(a answer) bool { return a.resource == r }) {
				all = append(all, r)
			}
		}
	}
	host := false
	for _, a := range answers {
		switch a.resource.Type {
		case message.TypePTR:
			if message.Name(a.resource.Data) == a.claim.name {
				add(a.claim.unique(at.ifIndex)...)
				host = true
			}
		case message.TypeSRV, message.TypeA, message.TypeAAAA:
			host = true
		}
	}
	if host && n.host.ownedAt(at) {
		add(n.host.unique(at.ifIndex)...)
		// Of a host without addresses of one family this is said, too.
		if d := denial(n.host.name, n.host.unique(at.ifIndex)...); !message.NSECHas(d.Data, message.TypeA) || !message.NSECHas(d.Data, message.TypeAAAA) {
			add(d)
		}
	}
	return all
}

// writer sends records in as many messages as they need.
type writer struct {
	n      *Node
	at     place
	to     netip.AddrPort // the zero value means the group
	legacy *legacy
	single bool // the message has room for one record that is larger than others may be
	now    time.Time
}

func (n *Node) writer(at place, to netip.AddrPort, l *legacy) *writer {
	w := &writer{n: n, at: at, to: to, legacy: l, now: time.Now()}
	several, _ := n.room(at)
	w.begin(several)
	return w
}

// begin begins a message.
func (w *writer) begin(room int) {
	b := &w.n.builder
	id := uint16(0)
	if w.legacy != nil {
		id = w.legacy.id
	}
	b.Reset(id, message.Response|message.Authoritative, room)
	if w.legacy != nil {
		b.PlainSRV = true
		for _, q := range w.legacy.questions {
			if b.Question(q) != nil {
				break
			}
		}
	}
	w.single = false
}

// add adds a record, and sends what was added before if there is no room for
// it. A record that no message has room for is counted as an error.
func (w *writer) add(s message.Section, r message.Resource) {
	if w.put(s, r) {
		return
	}
	several, single := w.n.room(w.at)
	if w.records() > 0 {
		w.flush()
		w.begin(several)
		if w.put(s, r) {
			return
		}
	}
	w.begin(single)
	w.single = true
	if !w.put(s, r) {
		w.n.stats.SendErrors++
	}
}

// addIfRoom adds an additional record to the last message.
func (w *writer) addIfRoom(r message.Resource) bool {
	return !w.single && w.put(message.Additional, r)
}

func (w *writer) put(s message.Section, r message.Resource) bool {
	if w.single && w.records() > 0 {
		return false
	}
	key := keyOf(w.at, r)
	if w.legacy != nil {
		r.Flush, r.TTL = false, min(r.TTL, legacyTTL)
	}
	if w.n.builder.Record(s, r) != nil {
		return false
	}
	if !w.to.IsValid() && r.TTL > 0 {
		w.n.sent[key] = w.now
	}
	return true
}

func (w *writer) records() int {
	b := &w.n.builder
	return b.Count(message.Answers) + b.Count(message.Additional)
}

// close sends what was added.
func (w *writer) close() {
	if w.records() > 0 {
		w.flush()
	}
}

func (w *writer) flush() {
	to := w.to
	if !to.IsValid() {
		to = w.at.group()
	}
	w.n.send(w.at, to)
}
