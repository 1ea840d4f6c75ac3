package mdns

import (
	"net/netip"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// writer sends records in as many messages as they need.
type writer struct {
	loop   *loop
	sent   *sentLog
	at     place
	to     netip.AddrPort // the zero value means the group
	legacy *legacy
	single bool // the message has room for one record that is larger than others may be
}

func (r *responder) writer(at place, to netip.AddrPort, l *legacy) *writer {
	w := &writer{loop: r.loop, sent: &r.sent, at: at, to: to, legacy: l}
	several, _ := w.loop.room(at)
	w.begin(several)
	return w
}

// begin begins a message.
func (w *writer) begin(room int) {
	b := &w.loop.builder
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
	several, single := w.loop.room(w.at)
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
		w.loop.stats.SendErrors++
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
	if w.loop.builder.Record(s, r) != nil {
		return false
	}
	if !w.to.IsValid() {
		w.sent.note(key, r.TTL > 0)
	}
	return true
}

func (w *writer) records() int {
	b := &w.loop.builder
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
	w.loop.send(w.at, to)
}

// legacy holds the parts of a query that a querier of unicast DNS expects in the answer (RFC
// 6762, section 6.7).
type legacy struct {
	id        uint16
	questions []message.Question
}
