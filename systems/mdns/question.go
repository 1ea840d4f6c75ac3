package mdns

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

const (
	// Times of RFC 6762, section 5.2.
	firstGap = time.Second // between the first two queries, then doubled
	maxGap   = time.Hour

	// joinWait is how long a question that is due waits for others, to go with
	// them in one packet.
	joinWait = 100 * time.Millisecond

	// askedAtOnce is how often questions are asked where they have not been asked
	// before: at once, and then after a second, doubled for each later query.
	askedAtOnce = 4
)

// question is one that is asked again and again while a watch wants its answer.
type question struct {
	key     questionKey
	name    message.Name // as it is asked
	watches map[*watch]struct{}
	gap     time.Duration
	due     bool // to be asked with the next query
	old     bool // asked because its answers are old
	next    *task
}

// asker asks the questions of a querier.
type asker struct {
	loop  *loop
	links *links
	cache *cache

	questions map[questionKey]*question
	due       []*question // with the next query
	asking    *task       // sends it, at askAt
	askAt     time.Time
}

// demand adds a watch to a question, and begins to ask it if it is new.
func (a *asker) demand(key questionKey, name message.Name, w *watch) {
	q := a.questions[key]
	if q == nil {
		q = &question{key: key, name: name, watches: map[*watch]struct{}{}}
		a.questions[key] = q
		a.restart(q)
	}
	q.watches[w] = struct{}{}
}

// release takes a watch from a question. What the cache has of its answers stays
// until it ends.
func (a *asker) release(key questionKey, w *watch) {
	q := a.questions[key]
	if delete(q.watches, w); len(q.watches) == 0 {
		q.due = false
		q.next.cancel()
		delete(a.questions, key)
	}
}

// restart begins to ask, after the random wait that keeps hosts from asking all
// at once.
func (a *asker) restart(q *question) {
	q.gap = firstGap
	q.next.cancel()
	a.again(q, 20*time.Millisecond+rand.N(100*time.Millisecond))
}

// again asks a question if it is open, and plans to do so after the next gap.
func (a *asker) again(q *question, wait time.Duration) {
	if a.open(q) {
		a.ask(q, wait)
	}
	gap := q.gap
	q.gap = min(2*q.gap, maxGap)
	q.next = a.loop.after(wait+gap, func() { a.again(q, joinWait) })
}

// open reports whether an answer is wanted: any one more to a question for
// pointers, the first one to others.
func (a *asker) open(q *question) bool {
	return q.key.typ == message.TypePTR || len(a.cache.find(q.key)) == 0 && !a.denied(q.key)
}

// denied reports whether an NSEC record in the cache says that there is no
// answer.
func (a *asker) denied(key questionKey) bool {
	return slices.ContainsFunc(a.cache.find(questionKey{key.name, message.TypeNSEC}), func(e *entry) bool {
		return !message.NSECHas(e.resource.Data, key.typ)
	})
}

// refresh asks for a record that is old.
func (a *asker) refresh(e *entry) {
	if q := a.questions[e.key]; q != nil {
		q.old = true
		a.ask(q, min(joinWait, e.life()/500))
	}
}

// ask asks a question with the next query, which is sent after wait at the
// latest.
func (a *asker) ask(q *question, wait time.Duration) {
	if !q.due {
		q.due = true
		a.due = append(a.due, q)
	}
	at := time.Now().Add(wait)
	if a.asking != nil && !at.Before(a.askAt) {
		return
	}
	a.asking.cancel()
	a.askAt = at
	a.asking = a.loop.after(wait, a.sendQuery)
}

// sendQuery sends all questions that are due.
func (a *asker) sendQuery() {
	a.asking = nil
	due := slices.DeleteFunc(a.due, func(q *question) bool {
		// An answer may have come since the question was due, or it is not wanted any more.
		want := q.due && (q.old || a.open(q))
		q.due, q.old = false, false
		return !want
	})
	a.due = nil
	if len(due) == 0 {
		return
	}
	for _, at := range a.links.at {
		a.sendQueryAt(at, due)
	}
}

// sendQueryAt sends questions with the answers that we have, in as many messages
// as they need: all but the last one have the bit that says that more answers
// follow (RFC 6762, sections 7.1 and 7.2).
func (a *asker) sendQueryAt(at place, due []*question) {
	room, _ := a.loop.room(at)
	b := &a.loop.builder
	b.Reset(0, 0, room)
	for _, q := range due {
		question := message.Question{Name: q.name, Type: q.key.typ, Class: message.ClassIN}
		if b.Question(question) != nil {
			a.loop.send(at, at.group())
			b.Reset(0, 0, room)
			_ = b.Question(question) // one has room
		}
	}
	now := time.Now()
	for _, q := range due {
		for _, e := range a.cache.find(q.key) {
			left := e.expires.Sub(now)
			if e.refresh < len(refreshAt) {
				left += time.Duration(e.resource.TTL)*time.Second - e.life() // what maxLife has cut off
			}
			if e.ifIndex != at.ifIndex || e.resource.Flush || left <= time.Duration(e.resource.TTL)*time.Second/2 {
				continue
			}
			known := e.resource
			known.TTL = uint32(left / time.Second)
			if b.Record(message.Answers, known) == nil {
				continue
			}
			b.SetFlags(message.Truncated)
			a.loop.send(at, at.group())
			b.Reset(0, 0, room)
			_ = b.Record(message.Answers, known) // one that has no room is not listed
		}
	}
	if b.Count(message.Questions)+b.Count(message.Answers) > 0 {
		a.loop.send(at, at.group())
	}
}

// introduce asks the questions of the node at places where they have been asked
// times-1 times.
func (a *asker) introduce(came []place, times int) {
	var due []*question
	for _, q := range a.questions {
		if a.open(q) {
			due = append(due, q)
		}
	}
	for _, at := range came {
		if slices.Contains(a.links.at, at) && len(due) > 0 {
			a.sendQueryAt(at, due)
		}
	}
	if times < askedAtOnce {
		a.loop.after(firstGap<<(times-1), func() { a.introduce(came, times+1) })
	}
}

// heard takes a query of another host: a question of ours that it has just
// asked need not be asked by us, too (RFC 6762, section 7.3). With known answers
// it may get fewer than we need. A query of our own that comes back tells the
// same: the question was asked a moment ago.
func (a *asker) heard(m *packet, h message.Header) {
	if a.asking == nil || !m.group || h.Counts[message.Answers] > 0 || h.Flags&message.Truncated != 0 {
		return
	}
	var r message.Reader
	var buf [message.MaxName]byte
	r.Open(m.msg)
	for r.Next() && r.Section() == message.Questions {
		if r.Unicast() {
			continue
		}
		name := append(buf[:0], r.Name()...)
		message.FoldBytes(name)
		// On one interface it is not asked for the others, too.
		if q := a.questions[questionKey{message.Name(name), r.Type()}]; q != nil && a.links.single() {
			q.due = false
		}
	}
}
