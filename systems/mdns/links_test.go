package mdns

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// An interface that comes up is probed and announced on, and asked on; what is
// known by one that goes is forgotten at once. A system that tells of the change
// is followed within a second, another one within the time between two looks.
func TestInterfacesComeAndGo(t *testing.T) {
	for _, told := range []bool{true, false} {
		wait := time.Second
		if !told {
			wait += lookWait
		}
		bubble(t, func(t *testing.T, e *ether) {
			a, sa := e.node(t, "alpha", 2, true)
			b, _ := e.node(t, "beta", 2, true)
			sa.plug(2, false, told)
			time.Sleep(wait)
			register(t, a, page("Page"))
			found := browseFor(t, b, "_http._tcp")
			time.Sleep(10 * time.Second)
			same(t, found.take(), "added Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1 fe80::1:1%eth1]")

			sa.plug(2, true, told)
			up := time.Now()
			time.Sleep(wait + 2*time.Second)
			same(t, found.take(), "updated Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1 10.0.2.1 fe80::1:1%eth1 fe80::2:1%eth2]")
			host := name(t, "alpha.local")
			probes, announcements := 0, 0
			for _, m := range e.sent(sa, up, func(m *parsed) bool { return m.link == 2 }) {
				if m.asks(host, message.TypeANY) {
					probes++
				}
				if m.response() && m.answers(host, message.TypeA) {
					if probes == 0 {
						t.Errorf("told %v: an announcement before the first probe", told)
					}
					announcements++
				}
			}
			if probes != 2*probeCount || announcements < 2 {
				t.Errorf("told %v: %d probes and %d announcements on the link that came", told, probes, announcements)
			}
			for _, m := range e.sent(sa, up, func(m *parsed) bool { return m.link == 1 && m.asks(host, message.TypeANY) }) {
				t.Errorf("told %v: a probe on the link that was there: %v", told, m.questions)
			}

			// The other node's first link goes: what it knows by it, too.
			sb := e.stations[1]
			sb.plug(1, false, told)
			time.Sleep(wait)
			same(t, found.take(), "updated Page _http._tcp alpha.local:80 [path=/x] [10.0.2.1 fe80::2:1%eth2]")
		})
	}
}

// A browser whose interface comes up late asks there without waiting for its next
// query.
func TestQuestionsAreAskedWhereTheyHaveNotBeen(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 2, false)
		b, sb := e.node(t, "beta", 2, false)
		sb.plug(1, false, true)
		sb.plug(2, false, true)
		register(t, a, page("Page"))
		found := browseFor(t, b, "_http._tcp")
		time.Sleep(30 * time.Minute) // the next query is far away
		same(t, found.take())
		sb.plug(2, true, true)
		time.Sleep(time.Second)
		same(t, found.take(), "added Page _http._tcp alpha.local:80 [path=/x] [10.0.2.1]")
	})
}

// An address that changes is announced, and the old one is said goodbye to.
func TestAnAddressThatChanges(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 1, false)
		b, _ := e.node(t, "beta", 1, false)
		register(t, a, page("Page"))
		found := browseFor(t, b, "_http._tcp")
		time.Sleep(5 * time.Second)
		found.take()
		a.loop.mu.Lock()
		sa.extra[1] = netip.MustParsePrefix("10.0.1.77/24")
		a.loop.mu.Unlock()
		sa.told <- struct{}{}
		time.Sleep(3 * time.Second)
		same(t, found.take(), "updated Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1 10.0.1.77]")
		a.loop.mu.Lock()
		delete(sa.extra, 1)
		a.loop.mu.Unlock()
		sa.told <- struct{}{}
		time.Sleep(3 * time.Second)
		same(t, found.take(), "updated Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1]")
	})
}

// The name of an address is announced with the host and found by it.
func TestTheNameOfAnAddress(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 2, true)
		b, _ := e.node(t, "beta", 2, true)
		register(t, a, page("Page"))
		time.Sleep(5 * time.Second)
		for _, addr := range []netip.Addr{sa.addr(1, false), sa.addr(2, false), sa.addr(1, true).WithZone("eth1")} {
			names, err := b.LookupAddr(t.Context(), addr)
			if err != nil {
				t.Fatal(err)
			}
			same(t, names, "alpha.local")
		}
		for _, nowhere := range []netip.Addr{sa.addr(1, true).WithZone("eth2"), netip.MustParseAddr("10.0.1.200")} {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			if names, err := b.LookupAddr(ctx, nowhere); err != context.DeadlineExceeded {
				t.Errorf("%v: %v, %v", nowhere, names, err)
			}
			cancel()
		}
		if _, err := b.LookupAddr(t.Context(), netip.Addr{}); err == nil {
			t.Error("the zero address is looked up")
		}
	})
}

// After the machine was suspended the names are probed for again.
func TestAMachineThatWasSuspended(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 1, false)
		register(t, a, page("Page"))
		time.Sleep(10 * time.Second)
		var slept time.Duration
		a.loop.mu.Lock()
		a.links.clocks.wall = func() time.Time { return time.Now().Add(slept) }
		a.links.clocks.start()
		slept = time.Hour
		a.loop.mu.Unlock()
		woken := time.Now()
		time.Sleep(lookWait + 2*time.Second)
		host := name(t, "alpha.local")
		if probes := e.sent(sa, woken, func(m *parsed) bool { return m.asks(host, message.TypeANY) }); len(probes) != probeCount {
			t.Errorf("%d probes after an hour of sleep, want %d", len(probes), probeCount)
		}
	})
}
