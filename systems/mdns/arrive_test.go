package mdns

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// On a link that comes up nothing is said of a name before its three probes are
// out there and another 250 ms have passed: no announcement, though an address
// changes elsewhere at the same time, and no answer, however often it is asked.
func TestNothingIsSaidOfANameBeforeItIsProbedFor(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 2, true)
		asker := e.station(2, true)
		sa.plug(2, false, true)
		time.Sleep(time.Second)
		register(t, a, page("Page"))
		time.Sleep(10 * time.Second)
		for range 3 { // the link goes and comes back, and is probed on each time
			a.loop.mu.Lock()
			sa.extra[1] = netip.MustParsePrefix("10.0.1.77/24")
			a.loop.mu.Unlock()
			sa.plug(2, true, true)
			up := time.Now()
			var questions []message.Question
			for _, n := range []string{"alpha.local", "Page._http._tcp.local", "_http._tcp.local", "1.2.0.10.in-addr.arpa"} {
				questions = append(questions, message.Question{Name: name(t, n), Type: message.TypeANY, Class: message.ClassIN})
			}
			for range 20 {
				time.Sleep(100 * time.Millisecond)
				e.deliver(sent{time.Now(), asker, 2, false, group4, build(t, 0, questions, nil)}, 5353)
			}
			time.Sleep(8 * time.Second)
			for _, family := range []bool{false, true} {
				for _, n := range []message.Name{name(t, "alpha.local"), name(t, "Page._http._tcp.local")} {
					probes, said := 0, 0
					var last time.Time
					for _, m := range e.sent(sa, up, func(m *parsed) bool { return m.link == 2 && m.ipv6 == family }) {
						if m.asks(n, message.TypeANY) {
							probes++
							last = m.at
						}
						if m.response() && slices.ContainsFunc(slices.Concat(m.records[:]...), func(r message.Resource) bool { return r.Name == n }) {
							said++
							if probes < probeCount || m.at.Sub(last) < probeWait {
								t.Errorf("%v, IPv6 %v: said %v after the last of %d probes", n, family, m.at.Sub(last), probes)
							}
						}
					}
					if probes != probeCount || said < announceCount {
						t.Errorf("%v, IPv6 %v: %d probes, %d responses", n, family, probes, said)
					}
				}
			}
			a.loop.mu.Lock()
			delete(sa.extra, 1)
			a.loop.mu.Unlock()
			sa.plug(2, false, true)
			time.Sleep(time.Second)
		}
	})
}

// Where a link came up, the records of another host's probe are compared with
// ours: the earlier ones wait for a second before they probe there again.
func TestALinkThatComesUpIsSharedByTwoOfOneName(t *testing.T) {
	for _, later := range []bool{true, false} {
		bubble(t, func(t *testing.T, e *ether) {
			a, sa := e.node(t, "alpha", 2, false)
			other := e.station(2, false)
			sa.plug(2, false, true)
			time.Sleep(time.Second)
			register(t, a, page("Page"))
			time.Sleep(10 * time.Second)
			up := time.Now()
			sa.plug(2, true, true)
			host := name(t, "alpha.local")
			probes := func(since time.Time) int {
				return len(e.sent(sa, since, func(m *parsed) bool { return m.link == 2 && m.asks(host, message.TypeANY) }))
			}
			for probes(up) == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			addr := netip.MustParseAddr("10.0.2.0")
			if later {
				addr = netip.MustParseAddr("10.0.2.200")
			}
			typ, data := message.A(addr)
			theirs := message.Resource{Name: host, Type: typ, Class: message.ClassIN, TTL: hostTTL, Data: data}
			question := []message.Question{{Name: host, Type: message.TypeANY, Class: message.ClassIN}}
			mark := time.Now().Add(time.Nanosecond)
			e.deliver(sent{time.Now(), other, 2, false, group4, build(t, 0, question, nil, theirs)}, 5353)
			time.Sleep(deferWait - 10*time.Millisecond)
			if n := probes(mark); (n == 0) != later {
				t.Errorf("records that are later: %v; %d probes in the next second", later, n)
			}
			time.Sleep(10 * time.Second)
			if a.Host() != "alpha.local" || probes(mark) < 2 {
				t.Errorf("%s after %d probes, and the other host has gone", a.Host(), probes(mark))
			}
		})
	}
}
