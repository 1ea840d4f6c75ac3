package mdns

import (
	"context"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

const (
	// lookWait is how often the interfaces are looked at, whether or not the
	// system has told of a change.
	lookWait = 5 * time.Second

	// settleWait is how long to wait after the system has told of a change: most
	// come several at once.
	settleWait = 100 * time.Millisecond

	// askedAtOnce is how often questions are asked where they have not been asked
	// before: at once, and then after a second, doubled for each later query.
	askedAtOnce = 4
)

// hearChanges has the node look at the interfaces soon after a change, until ctx
// ends.
func (n *Node) hearChanges(ctx context.Context, changes <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
			n.mu.Lock()
			if n.look == nil && !n.closed {
				n.look = n.after(settleWait, func() {
					n.look = nil
					n.lookAround()
				})
			}
			n.mu.Unlock()
		}
	}
}

// tick looks at the interfaces and the clocks, now and ever again.
func (n *Node) tick() {
	if slept := n.clocks.slept(); slept > 0 {
		n.wake(slept)
	}
	n.lookAround()
	n.after(lookWait, n.tick)
}

// lookAround looks at the interfaces. What has changed is told to the network,
// and what is known by interfaces that have gone is forgotten.
func (n *Node) lookAround() {
	before, had := n.at, map[int][]message.Resource{}
	if n.host != nil && n.host.owned {
		for _, at := range before {
			had[at.ifIndex] = n.host.all(at.ifIndex)
		}
	}
	addrs := n.addrs
	n.observe()
	came, gone := without(n.at, before), without(before, n.at)
	n.leave(gone)
	n.arrive(came)
	changed := slices.ContainsFunc(without(n.at, came), func(at place) bool {
		return !slices.Equal(addrs[at.ifIndex], n.addrs[at.ifIndex])
	})
	if changed && n.host != nil && n.host.owned {
		n.goodbye(n.host.places(), func(ifIndex int) []message.Resource { return had[ifIndex] })
		n.forgetReverse()
		n.host.announce()
		n.seekReverse(0)
	}
}

// observe takes the places and addresses as they are now.
func (n *Node) observe() {
	n.net.refresh()
	n.at = n.net.places()
	n.addrs = map[int][]netip.Prefix{}
	for _, at := range n.at {
		n.addrs[at.ifIndex] = n.net.addrs(at.ifIndex)
	}
}

// without returns the places of a that are not in b.
func without(a, b []place) (all []place) {
	for _, at := range a {
		if !slices.Contains(b, at) {
			all = append(all, at)
		}
	}
	return all
}

// leave forgets what belongs to places that are not there any more. The records
// of an interface go with its last family.
func (n *Node) leave(gone []place) {
	if len(gone) == 0 {
		return
	}
	for _, c := range n.claims {
		c.leave(gone)
	}
	maps.DeleteFunc(n.sent, func(k sentKey, _ time.Time) bool { return slices.Contains(gone, k.at) })
	now := time.Now()
	for _, entries := range n.cache.names {
		for _, e := range entries {
			if _, ok := n.addrs[e.ifIndex]; !ok {
				e.expires = now
			}
		}
	}
	n.sweep(now)
}

// arrive begins at places that have come: claims are probed for and announced
// there, and questions asked.
func (n *Node) arrive(came []place) {
	if len(came) == 0 {
		return
	}
	for _, c := range n.claims {
		c.arrive(came)
	}
	n.after(20*time.Millisecond+rand.N(100*time.Millisecond), func() { n.introduce(came, 1) })
}

// introduce asks the questions of the node at places where they have been asked
// times-1 times.
func (n *Node) introduce(came []place, times int) {
	var due []*question
	for _, q := range n.questions {
		if n.open(q) {
			due = append(due, q)
		}
	}
	for _, at := range came {
		if slices.Contains(n.at, at) {
			n.sendQueryAt(at, due)
		}
	}
	if times < askedAtOnce {
		n.after(firstGap<<(times-1), func() { n.introduce(came, times+1) })
	}
}

// clocks tell that the machine was suspended: the clock that timers follow stands
// still then, the one on the wall does not.
type clocks struct {
	wall func() time.Time // replaced by tests
	last time.Time        // by the wall, when they were read last
	tick time.Time        // by the other one
}

func (c *clocks) start() {
	if c.wall == nil {
		c.wall = time.Now
	}
	c.last, c.tick = c.wall().Round(0), time.Now()
}

// slept returns for how long the machine was suspended since the last call, 0 if
// it was not. A clock on the wall that is set forward looks the same.
func (c *clocks) slept() time.Duration {
	last, tick := c.last, c.tick
	c.start()
	if d := c.last.Sub(last) - c.tick.Sub(tick); d > time.Second {
		return d
	}
	return 0
}

// wake is called when the machine was suspended: records have grown older, and
// other hosts may have taken names and come and gone (RFC 6762, section 8).
func (n *Node) wake(slept time.Duration) {
	for _, entries := range n.cache.names {
		for _, e := range entries {
			e.received, e.expires = e.received.Add(-slept), e.expires.Add(-slept)
			n.schedule(e)
		}
	}
	n.sweep(time.Now())
	for _, c := range n.claims {
		c.probe(rand.N(probeWait))
	}
	for _, q := range n.questions {
		n.restart(q)
	}
}
