package mdns

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
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
// All is guarded by the node's lock.
type claim struct {
	node          *Node
	name          message.Name
	owned         bool // else we are probing for it
	ended         bool
	ready         chan struct{} // closed when the claim is owned for the first time
	probes        int
	announcements int
	next          *task       // of probing or announcing
	times         []time.Time // of the last conflicts
	slow          bool        // there were too many

	unique func(ifIndex int) []message.Resource // of the name, on an interface
	types  []message.Type                       // that unique may have
	shared []message.Resource                   // of other names, announced with it
	sure   func(ifIndex int) []message.Resource // of other names, ours alone without probing; may be nil
	rename func()                               // gives name and records the next name

	arrivals map[place]*arrival // places that have come since the claim is ours
}

// begin starts to probe for the name of a new claim.
func (c *claim) begin() {
	n := c.node
	for n.claimed(c.name) {
		c.rename()
	}
	n.claims = append(n.claims, c)
	c.probe(rand.N(probeWait))
}

// claimed reports whether a name is claimed by this node already.
func (n *Node) claimed(name message.Name) bool {
	return slices.ContainsFunc(n.claims, func(c *claim) bool { return message.EqualFold(c.name, name) })
}

// probe begins to probe after a while.
func (c *claim) probe(wait time.Duration) {
	c.owned, c.probes = false, 0
	c.next.cancel()
	c.leave(c.node.at) // the probes go to all places
	c.next = c.node.after(wait, c.sendProbe)
}

// sendProbe sends the next probe. A while after the last one without a conflict
// the name is ours.
func (c *claim) sendProbe() {
	if c.probes == probeCount {
		c.win()
		return
	}
	c.probes++
	for _, at := range c.node.at {
		c.sendProbeAt(at)
	}
	c.next = c.node.after(probeWait, c.sendProbe)
}

// sendProbeAt asks whether the name has any record, by unicast so that the
// answer comes at once, and says which ones we want it to have (RFC 6762,
// sections 8.1 and 8.2).
func (c *claim) sendProbeAt(at place) {
	n := c.node
	_, room := n.room(at)
	n.builder.Reset(0, 0, room)
	if err := n.builder.Question(message.Question{Name: c.name, Type: message.TypeANY, Class: message.ClassIN, Unicast: true}); err != nil {
		return
	}
	for _, r := range c.unique(at.ifIndex) {
		r.Flush = false // it is not ours yet
		if n.builder.Record(message.Authority, r) != nil {
			break // the tie-break compares what has room
		}
	}
	n.send(at, at.group())
	if c == n.host {
		n.askReverse(at)
	}
}

// win takes the name.
func (c *claim) win() {
	c.owned, c.slow = true, false
	for _, at := range c.node.at {
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
	if c == c.node.host {
		c.node.takeReverse(at.ifIndex)
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
		c.node.publish(at, c.all(at.ifIndex))
	}
	if c.announcements++; c.announcements < announceCount {
		c.next = c.node.after(announceWait<<(c.announcements-1), c.sendAnnouncement)
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
	n, at := c.node, c.places()
	c.next.cancel()
	c.leave(n.at)
	c.ended, c.owned = true, false
	n.claims = slices.DeleteFunc(n.claims, func(d *claim) bool { return c == d })
	n.goodbye(at, c.all)
}

// goodbye sends records with a TTL of zero to places, those left out that a claim
// still has there.
func (n *Node) goodbye(places []place, records func(ifIndex int) []message.Resource) {
	for _, at := range places {
		var all []message.Resource
		for _, r := range records(at.ifIndex) {
			if n.has(at, r) {
				continue
			}
			r.TTL = 0
			all = append(all, r)
		}
		n.publish(at, all)
		for _, r := range all {
			delete(n.sent, keyOf(at, r))
		}
	}
}

// has reports whether a claim that is ours at a place has the record.
func (n *Node) has(at place, r message.Resource) bool {
	return slices.ContainsFunc(n.claims, func(c *claim) bool { return c.ownedAt(at) && c.has(at.ifIndex, r) })
}

func (c *claim) has(ifIndex int, r message.Resource) bool {
	same := func(o message.Resource) bool { return o.Type == r.Type && o.Name == r.Name && o.Data == r.Data }
	return slices.ContainsFunc(c.all(ifIndex), same)
}

// contest looks in a response for records that deny our claims: of the same
// name, type and class, with data that is none of ours (RFC 6762, section 9).
func (n *Node) contest(m *packet) {
	if len(n.claims) == 0 {
		return
	}
	var r message.Reader
	r.Open(m.msg)
	for r.Next() {
		if r.Section() == message.Questions || r.Class() != message.ClassIN {
			continue
		}
		n.yield(&r)
		for _, c := range n.claims {
			if !message.EqualFold(c.name, r.Name()) {
				continue
			}
			// A program on the same host may end that has the host's name, too:
			// its goodbye is not ours.
			if r.TTL() == 0 {
				if c.owned && slices.Contains(c.types, r.Type()) && !c.denies(&r) {
					c.announce()
				}
				break
			}
			if c.denies(&r) {
				c.conflict()
				break // the claims have changed, and names are claimed once
			}
		}
	}
}

// denies reports whether a record of the claim's name cannot be with ours. What
// we have on any interface is ours on all: links may be bridged.
func (c *claim) denies(r *message.Reader) bool {
	if !slices.Contains(c.types, r.Type()) {
		return false
	}
	for _, at := range c.node.at {
		for _, own := range c.unique(at.ifIndex) {
			if own.Type == r.Type() && message.EqualFold(own.Data, r.Data()) {
				return false
			}
		}
	}
	return true
}

// conflict gives the name up if we are probing for it. If it was ours we probe
// again, and the host that answers keeps it.
func (c *claim) conflict() {
	n := c.node
	n.stats.Conflicts++
	now := time.Now()
	c.times = append(c.times, now)
	if len(c.times) > conflictLimit {
		c.times = c.times[1:]
	}
	wait := rand.N(probeWait)
	if len(c.times) == conflictLimit && now.Sub(c.times[0]) < conflictWindow {
		c.slow = true
	}
	if c.slow {
		wait = conflictWait
	}
	if c.owned {
		c.probe(wait)
		return
	}
	for first := true; first || n.claimedByAnother(c); first = false {
		c.rename()
	}
	c.probe(wait)
}

func (n *Node) claimedByAnother(c *claim) bool {
	return slices.ContainsFunc(n.claims, func(d *claim) bool { return c != d && message.EqualFold(c.name, d.name) })
}

// tieBreak compares the records of a probe with those of our claims that probe
// for the same name: the later ones win, in the order of RFC 6762, section 8.2,
// and the loser tries again after a second.
func (n *Node) tieBreak(m *packet) {
	for _, c := range n.claims {
		a := c.arrivals[m.at]
		if probing := a.probing() || !c.owned && c.probes > 0; !probing || !asks(m.msg, c.name) {
			continue
		}
		if compareRecords(c.unique(m.at.ifIndex), authority(m.msg, c.name)) >= 0 {
			continue
		}
		if c.owned {
			a.begin(deferWait)
		} else {
			c.probe(deferWait)
		}
	}
}

// asks reports whether a message asks for the name.
func asks(msg []byte, name message.Name) bool {
	var r message.Reader
	r.Open(msg)
	for r.Next() && r.Section() == message.Questions {
		if message.EqualFold(r.Name(), name) {
			return true
		}
	}
	return false
}

// authority returns the authority records of a name.
func authority(msg []byte, name message.Name) (all []message.Resource) {
	var r message.Reader
	r.Open(msg)
	for r.Next() {
		if r.Section() == message.Authority && message.EqualFold(r.Name(), name) {
			all = append(all, r.Resource())
		}
	}
	return all
}

// compareRecords compares two sets of records: sorted by class, type and data
// as unsigned bytes, pair by pair; a set that ends first is the earlier one.
func compareRecords(a, b []message.Resource) int {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, compareRecord)
	slices.SortFunc(b, compareRecord)
	return slices.CompareFunc(a, b, compareRecord)
}

func compareRecord(a, b message.Resource) int {
	return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Type, b.Type), strings.Compare(a.Data, b.Data))
}
