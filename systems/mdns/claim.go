package mdns

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// Times of RFC 6762, section 8.
const (
	probeWait     = 250 * time.Millisecond // at most, before the first probe; and after each
	probeCount    = 3
	deferWait     = time.Second // after a lost tie-break
	announceWait  = time.Second // before the second announcement, doubled for each later one
	announceCount = 3

	// So many conflicts within conflictWindow slow probing down to one try each
	// conflictWait.
	conflictLimit  = 15
	conflictWindow = 10 * time.Second
	conflictWait   = 5 * time.Second
)

// claim is a name that is ours alone, with its records, or that we want to be.
// All is guarded by the loop's lock.
type claim struct {
	resp          *responder
	name          message.Name
	owned         bool // else we are probing for it
	asked         bool // a probe has asked for it since we began or had it
	ended         bool
	ready         chan struct{} // closed when the claim is owned for the first time
	probes        int
	announcements int
	next          *task       // of probing or announcing
	times         []time.Time // of the last conflicts
	slow          bool        // there were too many

	unique  func(ifIndex int) []message.Resource // of the name, on an interface
	types   []message.Type                       // that unique may have
	shared  []message.Resource                   // of other names, announced with it
	sure    func(ifIndex int) []message.Resource // of other names, ours alone without probing; may be nil
	rename  func()                               // gives name and records the next name
	allowed func(at place) bool                  // where it is made

	at       []place // of these, those that are there
	arrivals map[place]*arrival

	listed       message.Name // in the registry, folded; "" if it is not there
	listedShared []message.Resource
}

// begin starts to probe for the name of a new claim.
func (c *claim) begin() {
	for c.resp.registry.taken(c.name, c) {
		c.rename()
	}
	c.at = c.covered()
	c.resp.registry.put(c)
	c.probe(rand.N(probeWait))
}

// covered returns the places where the claim is to be made.
func (c *claim) covered() (all []place) {
	there := c.resp.links.at
	for _, at := range there {
		if c.allowed(at) {
			all = append(all, at)
		}
	}
	if len(all) == len(there) {
		return there // one slice for all claims
	}
	return all
}

// cover follows a change of the places where the claim is to be made.
func (c *claim) cover() {
	now := c.covered()
	came, gone := without(now, c.at), without(c.at, now)
	withdrawn := without(without(c.places(), now), without(gone, c.resp.links.at)) // of those that are still there
	c.leave(gone)
	c.at = now
	c.resp.goodbye(withdrawn, c.all)
	if len(came) > 0 {
		c.arrive(came)
	}
}

// probe begins to probe after a while.
func (c *claim) probe(wait time.Duration) {
	c.owned, c.probes = false, 0
	c.next.cancel()
	c.leave(c.at) // the probes go to all places
	c.next = c.resp.loop.after(wait, c.sendProbe)
}

// sendProbe sends the next probe. A while after the last one without a conflict
// the name is ours.
func (c *claim) sendProbe() {
	if c.probes == probeCount {
		c.win()
		return
	}
	c.probes++
	c.asked = true
	for _, at := range c.at {
		c.sendProbeAt(at)
	}
	c.next = c.resp.loop.after(probeWait, c.sendProbe)
}

// sendProbeAt asks whether the name has any record, by unicast so that the
// answer comes at once, and says which ones we want it to have (RFC 6762,
// sections 8.1 and 8.2).
func (c *claim) sendProbeAt(at place) {
	l := c.resp.loop
	_, room := l.room(at)
	l.builder.Reset(0, 0, room)
	if err := l.builder.Question(message.Question{Name: c.name, Type: message.TypeANY, Class: message.ClassIN, Unicast: true}); err != nil {
		return
	}
	for _, r := range c.unique(at.ifIndex) {
		key := keyOf(at, r)
		r.Flush = false // it is not ours yet
		if l.builder.Record(message.Authority, r) != nil {
			break // the tie-break compares what has room
		}
		c.resp.sent.claim(key)
	}
	l.send(at, at.group())
	if c.isHost() {
		c.resp.own.reverses.ask(at)
	}
}

// isHost reports whether the claim is that of the node's own host.
func (c *claim) isHost() bool { return c.resp.own != nil && c == c.resp.own.claim }

// win takes the name.
func (c *claim) win() {
	c.owned, c.slow = true, false
	for _, at := range c.at {
		c.settle(at)
	}
	c.announce()
	select {
	case <-c.ready:
	default:
		close(c.ready)
	}
}

// settle is called when a name is ours at a place, before it is announced there.
func (c *claim) settle(at place) {
	if c.isHost() {
		c.resp.own.reverses.take(at.ifIndex)
	}
}

// announce sends all records to everybody, several times (RFC 6762, section
// 8.3), but for places where the name is still probed for.
func (c *claim) announce() {
	c.announcements = 0
	c.sendAnnouncement()
}

func (c *claim) sendAnnouncement() {
	c.next.cancel()
	for _, at := range c.places() {
		c.resp.publish(at, c.all(at.ifIndex))
	}
	if c.announcements++; c.announcements < announceCount {
		c.next = c.resp.loop.after(announceWait<<(c.announcements-1), c.sendAnnouncement)
	}
}

// all returns the claim's records on an interface.
func (c *claim) all(ifIndex int) []message.Resource {
	return slices.Concat(c.shared, c.unique(ifIndex), c.certain(ifIndex))
}

func (c *claim) certain(ifIndex int) []message.Resource {
	if c.sure == nil {
		return nil
	}
	return c.sure(ifIndex)
}

// withdraw ends the claim, and says goodbye for its records where they are ours:
// for shared ones only if no other claim has them (RFC 6762, section 10.1).
func (c *claim) withdraw() {
	at := c.places()
	c.next.cancel()
	c.leave(c.at)
	c.ended, c.owned = true, false
	c.resp.registry.remove(c)
	c.resp.goodbye(at, c.all)
}

// denies reports whether a record of the claim's name cannot be with ours: it is
// of a type of ours, with data that is none of ours. What we have on any interface
// is ours on all, as links may be bridged; and what we have sent a moment ago may
// come back, however many packets we send (RFC 6762, section 9).
func (c *claim) denies(r *message.Reader) bool {
	if !slices.Contains(c.types, r.Type()) {
		return false
	}
	last := 0
	for _, at := range c.at {
		if at.ifIndex == last {
			continue // the other family of an interface
		}
		last = at.ifIndex
		for _, own := range c.unique(at.ifIndex) {
			if own.Type == r.Type() && sameData(own.Type, own.Data, r.Data()) {
				return false
			}
		}
	}
	return !c.resp.sent.has(c.resp.links.at, message.Resource{Name: c.name, Type: r.Type(), Data: string(r.Data())})
}

// sameData reports whether two records of a type have the same data: in names, case
// does not matter.
func sameData[T ~string | ~[]byte](t message.Type, a string, b T) bool {
	fixed := len(a)
	switch t {
	case message.TypePTR, message.TypeCNAME, message.TypeNS:
		fixed = 0
	case message.TypeSRV:
		fixed = 6
	}
	return len(a) == len(b) && len(a) >= fixed && a[:fixed] == string(b[:fixed]) && message.EqualFold(a[fixed:], b[fixed:])
}

// conflict gives the name up if we are probing for it. If it was ours we probe
// again, and the host that answers keeps it. What is said before our first probe
// is no answer to it (RFC 6762, section 8.1): it may be the rest of what made us
// probe, a copy by the other family for example, from a host that gives the name
// up itself.
func (c *claim) conflict(m *packet) {
	if !c.owned && !c.asked {
		return
	}
	c.resp.loop.stats.Conflicts++
	now := time.Now()
	c.times = append(c.times, now)
	if len(c.times) > conflictLimit {
		c.times = c.times[1:]
	}
	if len(c.times) == conflictLimit && now.Sub(c.times[0]) < conflictWindow {
		c.slow = true
	}
	wait := rand.N(probeWait)
	was, owned := c.name, c.owned
	if owned {
		wait += probeWait // until those copies have come
	} else {
		for first := true; first || c.resp.registry.taken(c.name, c); first = false {
			c.rename()
		}
		c.resp.registry.put(c)
	}
	if c.slow {
		wait = conflictWait
	}
	c.resp.loop.log.Warn("mdns: another host has a name of ours", "name", was, "was ours", owned, "now", c.name, "from", m.src, "interface", c.resp.loop.net.zone(m.at.ifIndex))
	c.asked = false
	c.probe(wait)
}
