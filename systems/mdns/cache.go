package mdns

import (
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

const (
	// maxRecords bounds the cache: a service has three, and shares those of its host.
	maxRecords = 1 << 15

	// maxLoose bounds the pointers to names of which nothing is known. They cost their
	// sender little, and each makes the node ask two questions.
	maxLoose = 1 << 13

	// maxSet bounds the records of one name and type on an interface, but for
	// pointers, of which one name has as many as there are services. A host says its
	// addresses on the link alone (RFC 6762, section 6.2): 64 of a family do not fit into
	// a packet of 1,500 bytes.
	maxSet = 64

	// goodbyeLife is how long a record stays that its owner has withdrawn or
	// replaced (RFC 6762, sections 10.1 and 10.2).
	goodbyeLife = time.Second

	// maxLife is the longest life of a record. One that claims a longer one is
	// asked for before that ends, as each that is wanted.
	maxLife = 24 * time.Hour
)

// cache holds the records of others that questions of ours ask for.
type cache struct {
	sets     map[questionKey][]*entry
	known    map[recordKey]*entry
	queue    queue                     // by what is next in an entry's life
	pointers map[message.Name][]*entry // PTR records by the folded name that they lead to
	loose    looseList                 // PTR records to a name of which there is no SRV record
}

func newCache() *cache {
	c := &cache{sets: map[questionKey][]*entry{}, known: map[recordKey]*entry{}, pointers: map[message.Name][]*entry{}}
	c.loose.init()
	return c
}

// recordKey is a record of an interface, by its folded name.
type recordKey struct {
	ifIndex int
	key     questionKey
	data    string
}

// entry is a record as it came in on an interface.
type entry struct {
	ifIndex  int
	key      questionKey
	resource message.Resource
	received time.Time
	expires  time.Time
	refresh  int     // how many of refreshAt have passed
	jitter   float64 // 0 to 1, one for all records of a packet, so that they are asked for together

	next  time.Time // what is next in its life
	place int       // in the queue
	pos   int       // in its set

	target       message.Name // to which a PTR record leads, folded
	before, then *entry       // in the list of loose pointers, nil if it is not there
}

// refreshAt is at which parts of a record's life it is asked for again, if it is
// wanted still; up to 2 % later (RFC 6762, section 5.2), the wait for others
// that are due included.
var refreshAt = [...]float64{0.80, 0.85, 0.90, 0.95}

// find returns the entries that answer a question. The caller leaves them alone.
func (c *cache) find(key questionKey) []*entry { return c.sets[key] }

// isFull reports whether a set has as many records of an interface as it may. Those do
// not count that end because a unique record has come: it needs their place.
func isFull(set []*entry, ifIndex int, t message.Type) bool {
	if t == message.TypePTR || len(set) < maxSet {
		return false
	}
	n := 0
	for _, e := range set {
		if e.ifIndex == ifIndex && e.refresh < len(refreshAt) {
			n++
		}
	}
	return n >= maxSet
}

// flush begins the end of the records of a set that were received more than a
// second ago on an interface: one that is unique has come.
func (c *cache) flush(set []*entry, ifIndex int, but *entry, now time.Time) {
	for _, e := range set {
		if e != but && e.ifIndex == ifIndex && now.Sub(e.received) > goodbyeLife {
			c.expire(e, now.Add(goodbyeLife))
		}
	}
}

// add adds a record for which there is room, and begins its life.
func (c *cache) add(ifIndex int, r message.Resource, now time.Time, jitter float64) *entry {
	e := &entry{ifIndex: ifIndex, key: questionKey{r.Name.Fold(), r.Type}, resource: r, jitter: jitter, place: -1}
	set := c.sets[e.key]
	e.pos = len(set)
	c.sets[e.key] = append(set, e)
	c.known[recordKey{ifIndex, e.key, r.Data}] = e
	switch r.Type {
	case message.TypePTR:
		e.target = message.Name(r.Data).Fold()
		c.pointers[e.target] = append(c.pointers[e.target], e)
		if len(c.sets[questionKey{e.target, message.TypeSRV}]) == 0 {
			c.loose.push(e)
		}
	case message.TypeSRV:
		for _, p := range c.pointers[e.key.name] {
			c.loose.remove(p)
		}
	}
	c.live(e, now)
	return e
}

// remove removes an entry.
func (c *cache) remove(e *entry) {
	delete(c.known, recordKey{e.ifIndex, e.key, e.resource.Data})
	set := c.sets[e.key]
	last := set[len(set)-1]
	set[e.pos], last.pos = last, e.pos
	set[len(set)-1] = nil
	if set = set[:len(set)-1]; len(set) == 0 {
		delete(c.sets, e.key)
	} else {
		c.sets[e.key] = set
	}
	c.queue.remove(e)
	switch e.key.typ {
	case message.TypePTR:
		c.loose.remove(e)
		if left := slices.DeleteFunc(c.pointers[e.target], func(p *entry) bool { return p == e }); len(left) == 0 {
			delete(c.pointers, e.target)
		} else {
			c.pointers[e.target] = left
		}
	case message.TypeSRV:
		if len(set) == 0 {
			for _, p := range c.pointers[e.key.name] {
				c.loose.push(p)
			}
		}
	}
}

// live begins the life of an entry that has just been received.
func (c *cache) live(e *entry, now time.Time) {
	e.received = now
	e.expires = now.Add(e.life())
	e.refresh = 0
	c.schedule(e)
}

// life is the length of an entry's life.
func (e *entry) life() time.Duration {
	return min(time.Duration(e.resource.TTL)*time.Second, maxLife)
}

// expire has an entry end at a time, if it does not end before.
func (c *cache) expire(e *entry, end time.Time) {
	if end.Before(e.expires) {
		e.expires = end
		e.refresh = len(refreshAt)
		c.schedule(e)
	}
}

// schedule sets what is next in an entry's life.
func (c *cache) schedule(e *entry) {
	e.next = e.expires
	if e.refresh < len(refreshAt) {
		part := refreshAt[e.refresh] + 0.018*e.jitter
		e.next = e.received.Add(time.Duration(part * float64(e.life())))
	}
	c.queue.put(e)
}

// due returns the entries whose life has ended, and those that are old.
func (c *cache) due(now time.Time) (ended, old []*entry) {
	for e := c.queue.first(); e != nil && !e.next.After(now); e = c.queue.first() {
		if e.refresh == len(refreshAt) {
			ended = append(ended, e)
			c.queue.remove(e)
			continue
		}
		old = append(old, e)
		e.refresh++
		c.schedule(e)
	}
	return ended, old
}

// older takes time from all lives: the machine has slept.
func (c *cache) older(slept time.Duration) {
	for _, e := range c.known {
		e.received, e.expires = e.received.Add(-slept), e.expires.Add(-slept)
		c.schedule(e)
	}
}

// looseList is a list in the order of arrival, whose links are in the entries. The
// list's own entry stands before the first and after the last.
type looseList struct {
	ends entry
	n    int
}

func (l *looseList) init() { l.ends.before, l.ends.then = &l.ends, &l.ends }

func (l *looseList) push(e *entry) {
	if e.then != nil {
		return
	}
	e.before, e.then = l.ends.before, &l.ends
	e.before.then, e.then.before = e, e
	l.n++
}

func (l *looseList) remove(e *entry) {
	if e.then == nil {
		return
	}
	e.before.then, e.then.before = e.then, e.before
	e.before, e.then = nil, nil
	l.n--
}

// oldest returns the first of the list, nil if it is empty.
func (l *looseList) oldest() *entry {
	if l.ends.then == &l.ends {
		return nil
	}
	return l.ends.then
}

// questionKey is a question by its folded name.
type questionKey struct {
	name message.Name
	typ  message.Type
}
