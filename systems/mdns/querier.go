package mdns

import (
	"math/rand/v2"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// querier finds what other hosts have: it asks the questions of its watches, keeps
// the answers and tells the watches of changes.
type querier struct {
	asker
	aging *task // does what is next in the cache, at ageAt
	ageAt time.Time
	fresh bool // there are questions that the packet at hand may answer
}

func newQuerier(loop *loop, links *links) *querier {
	return &querier{asker: asker{loop: loop, links: links, cache: newCache(), questions: map[questionKey]*question{}}}
}

// watch begins to ask for records of a name. The caller calls unwatch in the end.
func (q *querier) watch(follow bool, name message.Name, types ...message.Type) *watch {
	q.loop.mu.Lock()
	defer q.loop.mu.Unlock()
	w := newWatch(follow)
	for _, t := range types {
		w.roots[questionKey{name.Fold(), t}] = true
		q.want(w, name, t)
	}
	return w
}

// unwatch ends a watch.
func (q *querier) unwatch(w *watch) {
	q.loop.mu.Lock()
	defer q.loop.mu.Unlock()
	for key := range w.wants {
		q.release(key, w)
	}
	clear(w.wants)
}

// want adds a question to a watch, and follows what is known.
func (q *querier) want(w *watch, name message.Name, t message.Type) {
	key := questionKey{name.Fold(), t}
	if w.wants[key]++; w.wants[key] > 1 {
		return
	}
	q.fresh = true
	q.demand(key, name, w)
	for _, e := range q.cache.find(key) {
		q.follow(w, e)
	}
}

// unwant takes it back.
func (q *querier) unwant(w *watch, name message.Name, t message.Type) {
	key := questionKey{name.Fold(), t}
	if w.wants[key]--; w.wants[key] > 0 {
		return
	}
	delete(w.wants, key)
	for _, e := range q.cache.find(key) {
		q.unfollow(w, e)
	}
	q.release(key, w)
}

// follow has a watch want what a record leads to.
func (q *querier) follow(w *watch, e *entry) {
	switch e.key.typ {
	case message.TypePTR:
		w.seeks[e.target]++
		if w.follow {
			name := message.Name(e.resource.Data)
			q.want(w, name, message.TypeSRV)
			q.want(w, name, message.TypeTXT)
		}
	case message.TypeSRV:
		if _, _, _, target, ok := message.ReadSRV(e.resource.Data); ok && w.follow {
			w.lead(e.key.name, target.Fold(), +1)
			q.want(w, target, message.TypeA)
			q.want(w, target, message.TypeAAAA)
		}
	}
	w.noteRecord(e)
}

// unfollow takes it back.
func (q *querier) unfollow(w *watch, e *entry) {
	w.noteRecord(e)
	switch e.key.typ {
	case message.TypePTR:
		if w.seeks[e.target]--; w.seeks[e.target] == 0 {
			delete(w.seeks, e.target)
		}
		if w.follow {
			name := message.Name(e.resource.Data)
			q.unwant(w, name, message.TypeSRV)
			q.unwant(w, name, message.TypeTXT)
		}
	case message.TypeSRV:
		if _, _, _, target, ok := message.ReadSRV(e.resource.Data); ok && w.follow {
			w.lead(e.key.name, target.Fold(), -1)
			q.unwant(w, target, message.TypeA)
			q.unwant(w, target, message.TypeAAAA)
		}
	}
}

// learn takes the records of a response that a watch waits for. Those that belong
// to a service that the same packet told of are wanted only once that is known, so
// it looks again as long as there are new questions: pointers lead to services, and
// these to hosts.
func (q *querier) learn(m *packet) {
	// Our questions ask for multicast responses: by unicast comes nothing that
	// we have asked for (RFC 6762, section 6).
	if !m.group || len(q.questions)+len(q.cache.sets) == 0 {
		return
	}
	now, jitter := time.Now(), rand.Float64()
	for range 4 {
		q.fresh = false
		q.learnOnce(m, now, jitter)
		if !q.fresh {
			break
		}
	}
	q.arm()
}

func (q *querier) learnOnce(m *packet, now time.Time, jitter float64) {
	var r message.Reader
	var buf [message.MaxName]byte
	r.Open(m.msg)
	for r.Next() {
		if r.Section() != message.Answers && r.Section() != message.Additional || r.Class() != message.ClassIN {
			continue
		}
		name := append(buf[:0], r.Name()...)
		message.FoldBytes(name)
		if q.wanted(name, r.Type()) {
			q.store(m.at.ifIndex, &r, name, now, jitter)
		}
	}
}

// wanted reports whether there is a question that a record answers, or whether it
// concerns what is known from an earlier one: that stays true as long as it is kept.
func (q *querier) wanted(folded []byte, t message.Type) bool {
	for _, like := range kin(t) {
		if _, ok := q.cache.sets[questionKey{message.Name(folded), like}]; ok {
			return true
		}
	}
	if t == message.TypeNSEC { // of a host, to know that it lacks a family
		t = message.TypeAAAA
	}
	_, ok := q.questions[questionKey{message.Name(folded), t}]
	return ok
}

// kin returns the types of records that are known together with one of type t.
func kin(t message.Type) []message.Type {
	switch t {
	case message.TypeA, message.TypeAAAA:
		return hostTypes
	case message.TypeSRV, message.TypeTXT:
		return serviceTypes
	case message.TypePTR:
		return pointerTypes
	}
	return nil
}

var (
	hostTypes    = []message.Type{message.TypeA, message.TypeAAAA}
	serviceTypes = []message.Type{message.TypeSRV, message.TypeTXT}
	pointerTypes = []message.Type{message.TypePTR}
)

// store takes a record into the cache, and tells the watches of its question.
func (q *querier) store(ifIndex int, r *message.Reader, folded []byte, now time.Time, jitter float64) {
	set := q.cache.sets[questionKey{message.Name(folded), r.Type()}]
	known := q.cache.known[recordKey{ifIndex, questionKey{message.Name(folded), r.Type()}, string(r.Data())}]
	if r.Flush() && r.TTL() > 0 {
		q.cache.flush(set, ifIndex, known, now)
	}
	switch {
	case r.TTL() == 0:
		if known != nil {
			q.cache.expire(known, now.Add(goodbyeLife))
		}
	case known != nil:
		known.resource.TTL, known.resource.Flush, known.jitter = r.TTL(), r.Flush(), jitter
		q.cache.live(known, now)
		if len(set) > 1 {
			q.tell(known, (*watch).noteRecord) // it may be the newest now
		}
	case isFull(set, ifIndex, r.Type()) || !q.makeRoom(r.Type()):
		if q.loop.stats.CacheFull++; q.loop.stats.CacheFull == 1 {
			q.loop.log.Warn("mdns: the cache has no room for more records", "interface", q.loop.net.zone(ifIndex), "records", len(q.cache.known), "name", message.Name(r.Name()))
		}
	default:
		e := q.cache.add(ifIndex, r.Resource(), now, jitter)
		q.tell(e, func(w *watch, e *entry) { q.follow(w, e) })
	}
}

// makeRoom makes room in the cache for a record. If there is none, the pointer
// ends that has been there for the longest time without the service to which it
// leads.
func (q *querier) makeRoom(t message.Type) bool {
	full := len(q.cache.known) >= maxRecords
	if !full && (t != message.TypePTR || q.cache.loose.n < maxLoose) {
		return true
	}
	e := q.cache.loose.oldest()
	if e == nil {
		return !full
	}
	q.loop.stats.CacheEvicted++
	q.drop(e)
	return true
}

// drop ends an entry.
func (q *querier) drop(e *entry) {
	q.cache.remove(e)
	q.tell(e, func(w *watch, e *entry) { q.unfollow(w, e) })
}

// tell calls f with each watch that wants what a record answers. A denial concerns
// those that want the addresses of its name.
func (q *querier) tell(e *entry, f func(*watch, *entry)) {
	if e.key.typ == message.TypeNSEC {
		for _, t := range hostTypes {
			if asked := q.questions[questionKey{e.key.name, t}]; asked != nil {
				for w := range asked.watches {
					w.wake()
				}
			}
		}
		return
	}
	if asked := q.questions[e.key]; asked != nil {
		for w := range asked.watches {
			f(w, e)
		}
	}
}

// arm waits for what is next in the cache.
func (q *querier) arm() {
	e := q.cache.queue.first()
	if e == nil || q.aging != nil && !e.next.Before(q.ageAt) {
		return
	}
	q.aging.cancel()
	q.ageAt = e.next
	q.aging = q.loop.after(time.Until(e.next), q.age)
}

// age asks for what is old, and ends what has come to its end: the records of one
// goodbye go together. What is still wanted is asked for again.
func (q *querier) age() {
	q.aging = nil
	ended, old := q.cache.due(time.Now())
	for _, e := range old {
		q.refresh(e)
	}
	q.end(ended)
	q.arm()
}

// end ends entries, and asks for what is still wanted.
func (q *querier) end(entries []*entry) {
	for _, e := range entries {
		q.drop(e)
	}
	for _, e := range entries {
		if asked := q.questions[e.key]; asked != nil && len(q.cache.find(e.key)) == 0 {
			q.restart(asked)
		}
	}
}

// moved forgets what is known by interfaces that have gone, and asks on those that
// have come. The records of an interface go with its last family.
func (q *querier) moved(m move) {
	if len(m.gone) > 0 {
		var gone []*entry
		for _, e := range q.cache.known {
			if _, ok := q.links.addrs[e.ifIndex]; !ok {
				gone = append(gone, e)
			}
		}
		q.end(gone)
	}
	if len(m.came) > 0 {
		q.loop.after(20*time.Millisecond+rand.N(100*time.Millisecond), func() { q.introduce(m.came, 1) })
	}
}

// woken is called when the machine was suspended: records have grown older.
func (q *querier) woken(slept time.Duration) {
	q.cache.older(slept)
	q.aging.cancel()
	q.age()
	for _, asked := range q.questions {
		q.restart(asked)
	}
}
