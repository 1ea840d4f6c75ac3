package mdns

import (
	"math/rand/v2"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// Times of RFC 6762, section 5.2.
const (
	firstGap = time.Second // between the first two queries, then doubled
	maxGap   = time.Hour
)

// questionKey is a question by its folded name.
type questionKey struct {
	name message.Name
	typ  message.Type
}

// question is one that is asked again and again while a watch wants its answer.
type question struct {
	key  questionKey
	name message.Name // as it is asked
	refs int          // watches that want it
	gap  time.Duration
	due  bool // to be asked with the next query
	old  bool // asked because its answers are old
	next *task
}

// demand adds a watch to a question, and begins to ask it if it is new.
func (n *Node) demand(key questionKey, name message.Name) (isNew bool) {
	if q := n.questions[key]; q != nil {
		q.refs++
		return false
	}
	q := &question{key: key, name: name, refs: 1}
	n.questions[key] = q
	n.restart(q)
	return true
}

// release takes a watch from a question. What the cache has of its answers stays
// until it ends.
func (n *Node) release(key questionKey) {
	q := n.questions[key]
	if q.refs--; q.refs == 0 {
		q.due = false
		q.next.cancel()
		delete(n.questions, key)
	}
}

// restart begins to ask, after the random wait that keeps hosts from asking all
// at once.
func (n *Node) restart(q *question) {
	q.gap = firstGap
	q.next.cancel()
	n.again(q, 20*time.Millisecond+rand.N(100*time.Millisecond))
}

// again asks a question if it is open, and plans to do so after the next gap.
func (n *Node) again(q *question, wait time.Duration) {
	if n.open(q) {
		n.ask(q, wait)
	}
	gap := q.gap
	q.gap = min(2*q.gap, maxGap)
	q.next = n.after(wait+gap, func() { n.again(q, 0) })
}

// open reports whether an answer is wanted: any one more to a question for
// pointers, the first one to others.
func (n *Node) open(q *question) bool {
	return q.key.typ == message.TypePTR || len(n.find(q.key.name, q.key.typ)) == 0 && !n.denied(q.key)
}

// denied reports whether an NSEC record in the cache says that there is no
// answer.
func (n *Node) denied(key questionKey) bool {
	for _, e := range n.find(key.name, message.TypeNSEC) {
		if !message.NSECHas(e.resource.Data, key.typ) {
			return true
		}
	}
	return false
}

// ask asks a question with the next query, which is sent after wait at the
// latest.
func (n *Node) ask(q *question, wait time.Duration) {
	q.due = true
	if n.asking != nil {
		if wait > 0 {
			return
		}
		n.asking.cancel()
	}
	n.asking = n.after(wait, n.sendQuery)
}

// sendQuery sends all questions that are due.
func (n *Node) sendQuery() {
	n.asking = nil
	var due []*question
	for _, q := range n.questions {
		// An answer may have come since the question was due.
		if q.due && (q.old || n.open(q)) {
			due = append(due, q)
		}
		q.due, q.old = false, false
	}
	if len(due) == 0 {
		return
	}
	for _, at := range n.at {
		n.sendQueryAt(at, due)
	}
}

// sendQueryAt sends questions with the answers that we have, in as many messages
// as they need: all but the last one have the bit that says that more answers
// follow (RFC 6762, sections 7.1 and 7.2).
func (n *Node) sendQueryAt(at place, due []*question) {
	room, _ := n.room(at)
	b := &n.builder
	b.Reset(0, 0, room)
	for _, q := range due {
		question := message.Question{Name: q.name, Type: q.key.typ, Class: message.ClassIN}
		if b.Question(question) != nil {
			n.send(at, at.group())
			b.Reset(0, 0, room)
			_ = b.Question(question) // one has room
		}
	}
	now := time.Now()
	for _, q := range due {
		for _, e := range n.find(q.key.name, q.key.typ) {
			left := e.expires.Sub(now)
			if e.ifIndex != at.ifIndex || e.resource.Flush || left <= time.Duration(e.resource.TTL)*time.Second/2 {
				continue
			}
			known := e.resource
			known.TTL = uint32(left / time.Second)
			if b.Record(message.Answers, known) == nil {
				continue
			}
			b.SetFlags(message.Truncated)
			n.send(at, at.group())
			b.Reset(0, 0, room)
			_ = b.Record(message.Answers, known) // one that has no room is not listed
		}
	}
	if b.Count(message.Questions)+b.Count(message.Answers) > 0 {
		n.send(at, at.group())
	}
}

// heard takes a query of another host: a question of ours that it has just
// asked need not be asked by us, too (RFC 6762, section 7.3). With known answers
// it may get fewer than we need.
func (n *Node) heard(m *packet, h message.Header) {
	if n.asking == nil || m.echo || !m.group || h.Counts[message.Answers] > 0 || h.Flags&message.Truncated != 0 {
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
		if q := n.questions[questionKey{message.Name(name), r.Type()}]; q != nil && n.oneInterface() {
			q.due = false
		}
	}
}

func (n *Node) oneInterface() bool {
	for _, at := range n.at {
		if at.ifIndex != n.at[0].ifIndex {
			return false
		}
	}
	return true
}
