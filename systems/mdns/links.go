package mdns

import (
	"context"
	"net/netip"
	"slices"
	"time"
)

const (
	// lookWait is how often the interfaces are looked at, whether or not the
	// system has told of a change.
	lookWait = 5 * time.Second

	// settleWait is how long to wait after the system has told of a change: most
	// come several at once.
	settleWait = 100 * time.Millisecond
)

// links are the interfaces of a node, as they were last looked at.
type links struct {
	loop    *loop
	at      []place
	addrs   map[int][]netip.Prefix // of each interface
	look    *task                  // soon, because something has changed
	clocks  clocks
	trouble string // with which the last look ended, "" if with none

	// What the node does about a change, a time asleep, and each look.
	moved func(move)
	woken func(slept time.Duration)
	idle  func()
}

// move is the difference between two looks at a link.
type move struct {
	came, gone []place
	readdress  bool                   // an interface that stayed has other addresses
	before     map[int][]netip.Prefix // the addresses of the last look
}

// start looks for the first time, and then every lookWait.
func (l *links) start() {
	l.clocks.start()
	l.observe()
	l.loop.after(lookWait, l.tick)
}

// hear has the interfaces looked at soon after a change, until ctx ends.
func (l *links) hear(ctx context.Context, changes <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
			l.loop.mu.Lock()
			if l.look == nil {
				l.look = l.loop.after(settleWait, func() {
					l.look = nil
					l.lookAround()
				})
			}
			l.loop.mu.Unlock()
		}
	}
}

// tick looks at the interfaces and the clocks, now and ever again.
func (l *links) tick() {
	if slept := l.clocks.slept(); slept > 0 {
		l.loop.log.Info("mdns: the machine was suspended", "for", slept)
		l.woken(slept)
	}
	l.lookAround()
	l.idle()
	l.loop.after(lookWait, l.tick)
}

// lookAround looks at the interfaces, and has the node follow a change.
func (l *links) lookAround() {
	before, addrs := l.at, l.addrs
	l.observe()
	m := move{came: without(l.at, before), gone: without(before, l.at), before: addrs}
	m.readdress = slices.ContainsFunc(without(l.at, m.came), func(at place) bool {
		return !slices.Equal(addrs[at.ifIndex], l.addrs[at.ifIndex])
	})
	for what, places := range map[string][]place{"came": m.came, "gone": m.gone} {
		for _, at := range places {
			l.loop.log.Info("mdns: an interface has changed", "interface", l.loop.net.zone(at.ifIndex), "index", at.ifIndex, "family", at.family(), "change", what)
		}
	}
	if m.readdress || len(m.came)+len(m.gone) > 0 {
		l.moved(m)
	}
}

// observe takes the places and addresses as they are now.
func (l *links) observe() {
	trouble := ""
	l.loop.stats.LinkError = l.loop.net.refresh()
	if err := l.loop.stats.LinkError; err != nil {
		l.loop.stats.LinkErrors++
		trouble = err.Error()
	}
	if trouble != l.trouble {
		l.trouble = trouble
		if trouble != "" {
			l.loop.log.Warn("mdns: an interface cannot be used", "error", trouble)
		} else {
			l.loop.log.Info("mdns: all interfaces are used again")
		}
	}
	l.at = l.loop.net.places()
	l.addrs = map[int][]netip.Prefix{}
	for _, at := range l.at {
		if _, ok := l.addrs[at.ifIndex]; !ok {
			l.addrs[at.ifIndex] = l.loop.net.addrs(at.ifIndex)
		}
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

// onLink reports whether an address is in a subnet of an interface.
func (l *links) onLink(ifIndex int, a netip.Addr) bool {
	if a.IsLinkLocalUnicast() && a.Is6() {
		return true
	}
	return slices.ContainsFunc(l.addrs[ifIndex], func(p netip.Prefix) bool { return p.Contains(a) })
}

// ownAddr reports whether an address is one of ours on an interface.
func (l *links) ownAddr(ifIndex int, a netip.Addr) bool {
	return slices.ContainsFunc(l.addrs[ifIndex], func(p netip.Prefix) bool { return p.Addr() == a })
}

// single reports whether all places are of one interface.
func (l *links) single() bool {
	return !slices.ContainsFunc(l.at, func(at place) bool { return at.ifIndex != l.at[0].ifIndex })
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
