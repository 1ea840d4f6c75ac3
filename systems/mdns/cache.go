package mdns

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// maxRecords bounds the cache: more are not taken, and counted.
const maxRecords = 8192

// goodbyeLife is how long a record stays that its owner has withdrawn or
// replaced (RFC 6762, sections 10.1 and 10.2).
const goodbyeLife = time.Second

// cache holds the records of others that questions of ours ask for.
type cache struct {
	names   map[message.Name][]*entry // by the folded name
	records int
}

// entry is a record as it came in on an interface.
type entry struct {
	ifIndex  int
	resource message.Resource
	received time.Time
	expires  time.Time
	refresh  int // how many of refreshAt have passed
	next     *task
}

// refreshAt is at which parts of a record's life it is asked for again, if it is
// wanted still; up to 2 % later (RFC 6762, section 5.2).
var refreshAt = [...]float64{0.80, 0.85, 0.90, 0.95}

// learn takes the records of a response that somebody waits for. Those that
// belong to a service that the same packet told of are wanted only once that is
// known, so it looks again as long as there are new questions: pointers lead to
// services, and these to hosts.
func (n *Node) learn(m *packet) {
	// Our questions ask for multicast responses: by unicast comes nothing that
	// we have asked for (RFC 6762, section 6).
	if !m.group || len(n.questions) == 0 {
		return
	}
	changed := false
	now := time.Now()
	for range 4 {
		if !n.learnOnce(m, now) {
			break
		}
		changed = true
		if !n.rewatch() {
			break
		}
	}
	if changed {
		n.kick()
	}
}

// learnOnce reports whether the cache has other records than before.
func (n *Node) learnOnce(m *packet, now time.Time) (changed bool) {
	var r message.Reader
	var buf [message.MaxName]byte
	r.Open(m.msg)
	for r.Next() {
		if r.Section() != message.Answers && r.Section() != message.Additional || r.Class() != message.ClassIN {
			continue
		}
		name := append(buf[:0], r.Name()...)
		message.FoldBytes(name)
		if n.wants(name, r.Type()) && n.store(m.at.ifIndex, &r, name, now) {
			changed = true
		}
	}
	return changed
}

// wants reports whether there is a question that a record answers.
func (n *Node) wants(folded []byte, t message.Type) bool {
	if t == message.TypeNSEC { // of a host, to know that it lacks a family
		t = message.TypeAAAA
	}
	_, ok := n.questions[questionKey{message.Name(folded), t}]
	return ok
}

// store takes a record into the cache. It reports whether there was none like
// it.
func (n *Node) store(ifIndex int, r *message.Reader, folded []byte, now time.Time) (added bool) {
	entries := n.cache.names[message.Name(folded)]
	var known *entry
	for _, e := range entries {
		switch {
		case e.ifIndex != ifIndex || e.resource.Type != r.Type():
		case e.resource.Data == string(r.Data()):
			known = e
		case r.Flush() && r.TTL() > 0 && now.Sub(e.received) > goodbyeLife:
			n.expire(e, now.Add(goodbyeLife))
		}
	}
	switch {
	case r.TTL() == 0:
		if known != nil {
			n.expire(known, now.Add(goodbyeLife))
		}
		return false
	case known != nil:
		known.resource.TTL, known.resource.Flush, known.received = r.TTL(), r.Flush(), now
		n.live(known)
		return false
	case n.cache.records >= maxRecords:
		n.stats.CacheFull++
		return false
	}
	e := &entry{ifIndex: ifIndex, resource: r.Resource(), received: now}
	n.cache.names[message.Name(folded)] = append(entries, e)
	n.cache.records++
	n.live(e)
	return true
}

// live begins the life of an entry that has just been received.
func (n *Node) live(e *entry) {
	e.expires = e.received.Add(time.Duration(e.resource.TTL) * time.Second)
	e.refresh = 0
	n.schedule(e)
}

// expire has an entry end at a time, if it does not end before.
func (n *Node) expire(e *entry, end time.Time) {
	if end.Before(e.expires) {
		e.expires = end
		e.refresh = len(refreshAt)
		n.schedule(e)
	}
}

// schedule waits for what comes next in an entry's life.
func (n *Node) schedule(e *entry) {
	at := e.expires
	if e.refresh < len(refreshAt) {
		part := refreshAt[e.refresh] + 0.02*rand.Float64()
		at = e.received.Add(time.Duration(part * float64(e.resource.TTL) * float64(time.Second)))
	}
	e.next.cancel()
	e.next = n.after(time.Until(at), func() { n.age(e) })
}

// age asks for a record again, or ends it.
func (n *Node) age(e *entry) {
	if e.refresh == len(refreshAt) {
		n.sweep(time.Now())
		return
	}
	e.refresh++
	n.schedule(e)
	if q := n.questions[questionKey{e.resource.Name.Fold(), e.resource.Type}]; q != nil {
		q.old = true
		n.ask(q, 0)
	}
}

// sweep drops all records that have come to their end: those of one goodbye go
// together. What is still wanted is asked for again.
func (n *Node) sweep(now time.Time) {
	var gone []questionKey
	for folded, entries := range n.cache.names {
		left := slices.DeleteFunc(entries, func(e *entry) bool {
			if e.expires.After(now) {
				return false
			}
			e.next.cancel()
			n.cache.records--
			gone = append(gone, questionKey{folded, e.resource.Type})
			return true
		})
		if len(left) == 0 {
			delete(n.cache.names, folded)
		} else {
			n.cache.names[folded] = left
		}
	}
	n.rewatch() // may end questions
	for _, key := range gone {
		if q := n.questions[key]; q != nil && len(n.find(key.name, key.typ)) == 0 {
			n.restart(q)
		}
	}
	n.kick()
}

// find returns the entries of a folded name and type.
func (n *Node) find(folded message.Name, t message.Type) (all []*entry) {
	for _, e := range n.cache.names[folded] {
		if e.resource.Type == t {
			all = append(all, e)
		}
	}
	return all
}
