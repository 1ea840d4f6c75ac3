package mdns

import (
	"math/rand/v2"
	"slices"
	"time"
)

// arrival is a place that has come after a name became ours elsewhere: it is
// probed for there from the start, and only then announced and answered for. All
// is guarded by the loop's lock.
type arrival struct {
	claim         *claim
	at            place
	probes        int
	announcements int
	next          *task
}

// arrive has the claim made at places that have come.
func (c *claim) arrive(came []place) {
	switch {
	case c.owned:
		if c.arrivals == nil {
			c.arrivals = map[place]*arrival{}
		}
		for _, at := range came {
			a := &arrival{claim: c, at: at}
			c.arrivals[at] = a
			a.begin(rand.N(probeWait))
		}
	case c.slow:
		c.probe(conflictWait)
	case c.probes > 0:
		c.probe(rand.N(probeWait)) // from the start, so that all places hear three
	}
}

// leave ends the arrivals at places.
func (c *claim) leave(gone []place) {
	for _, at := range gone {
		if a := c.arrivals[at]; a != nil {
			a.next.cancel()
			delete(c.arrivals, at)
		}
	}
}

// ownedAt reports whether the name is ours at a place.
func (c *claim) ownedAt(at place) bool {
	a := c.arrivals[at]
	return c.owned && (a == nil || a.announcements > 0) && slices.Contains(c.at, at)
}

// places returns the places where the name is ours.
func (c *claim) places() (all []place) {
	for _, at := range c.at {
		if c.ownedAt(at) {
			all = append(all, at)
		}
	}
	return all
}

// begin begins to probe after a while.
func (a *arrival) begin(wait time.Duration) {
	a.next.cancel()
	a.probes = 0
	a.next = a.claim.resp.loop.after(wait, a.step)
}

// probing reports whether a probe was sent and the name is not ours yet. A nil
// arrival does not probe.
func (a *arrival) probing() bool { return a != nil && a.probes > 0 && a.announcements == 0 }

// step sends the next probe or, a while after the last one without a conflict,
// the next announcement.
func (a *arrival) step() {
	c, l := a.claim, a.claim.resp.loop
	if a.probes < probeCount {
		a.probes++
		c.sendProbeAt(a.at)
		a.next = l.after(probeWait, a.step)
		return
	}
	a.announcements++
	c.settle(a.at)
	c.resp.publish(a.at, c.all(a.at.ifIndex))
	if a.announcements == announceCount {
		delete(c.arrivals, a.at)
		return
	}
	a.next = l.after(announceWait<<(a.announcements-1), a.step)
}
