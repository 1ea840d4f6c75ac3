package mdns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// The second of two nodes that want a name gets another one, whoever of them
// began first; and says goodbye under that.
func TestTheSecondGetsAnotherName(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, false)
		b, sb := e.node(t, "alpha", 1, false)
		first := register(t, a, page("Page"))
		second := register(t, b, page("Page"))
		if first.Instance() != "Page" || second.Instance() != "Page (2)" || a.Host() != "alpha.local" || b.Host() != "alpha-2.local" {
			t.Errorf("%q on %s and %q on %s", first.Instance(), a.Host(), second.Instance(), b.Host())
		}
		if got := <-second.Renamed(); got != "Page (2)" {
			t.Errorf("told of %q", got)
		}
		mark := time.Now()
		second.Close()
		goodbyes := e.sent(sb, mark, func(m *parsed) bool {
			return slices.ContainsFunc(m.records[message.Answers], func(r message.Resource) bool {
				return r.Type == message.TypePTR && r.TTL == 0 && r.Data == string(name(t, "Page (2)._http._tcp.local"))
			})
		})
		if len(goodbyes) != 1 {
			t.Errorf("%d goodbyes under the new name", len(goodbyes))
		}
	})
}

// Of nodes that probe at the same time one wins the tie-break, the others find
// that out within the next seconds. All end with names of their own.
func TestManyThatBeginAtOnceGetDifferentNames(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		const n = 10
		names := make(chan string, n)
		for i := range n {
			node, _ := e.node(t, fmt.Sprintf("host%d", i), 1, false)
			go func() {
				s := page("Page")
				s.Port = uint16(1000 + i)
				r, err := node.Register(t.Context(), s)
				if err != nil {
					names <- err.Error()
					return
				}
				names <- r.Instance()
			}()
		}
		seen := map[string]bool{}
		for range n {
			seen[<-names] = true
		}
		time.Sleep(time.Minute)
		if len(seen) != n || !seen["Page"] {
			t.Errorf("names %v", seen)
		}
	})
}

func TestNamesOfOneNodeDiffer(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, _ := e.node(t, "alpha", 1, false)
		a, b := register(t, n, page("Page")), register(t, n, page("PAGE"))
		if a.Instance() != "Page" || b.Instance() != "PAGE (2)" {
			t.Errorf("%q and %q", a.Instance(), b.Instance())
		}
	})
}

// A name that is ours is defended when it is contested later; if the other host
// defends it, too, we take another name, and point to it.
func TestALaterConflictEndsWithOneOwner(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 1, false)
		b, sb := e.node(t, "alpha", 1, false)
		sb.isolate(true) // two networks that are joined later
		ra := register(t, a, page("Page"))
		s := page("Page")
		s.Port = 8080
		rb := register(t, b, s)
		if ra.Instance() != rb.Instance() {
			t.Fatal("the networks are joined")
		}
		time.Sleep(10 * time.Second)
		sb.isolate(false)
		b.loop.mu.Lock()
		for _, c := range b.resp.registry.claims {
			c.announce()
		}
		b.loop.mu.Unlock()
		time.Sleep(time.Minute)
		if ra.Instance() == rb.Instance() || a.Host() == b.Host() {
			t.Errorf("%q on %s and %q on %s", ra.Instance(), a.Host(), rb.Instance(), b.Host())
		}
		if ra.Instance() != "Page" && rb.Instance() != "Page" {
			t.Errorf("both gave up: %q and %q", ra.Instance(), rb.Instance())
		}
		// Both are found under their names, on the hosts' new names.
		c, _ := e.node(t, "gamma", 1, false)
		found := browseFor(t, c, "_http._tcp")
		time.Sleep(5 * time.Second)
		got := found.take()
		slices.Sort(got)
		want := []string{
			fmt.Sprintf("added %s _http._tcp %s:80 [path=/x] [%v]", ra.Instance(), a.Host(), sa.addr(1, false)),
			fmt.Sprintf("added %s _http._tcp %s:8080 [path=/x] [%v]", rb.Instance(), b.Host(), sb.addr(1, false)),
		}
		slices.Sort(want)
		same(t, got, want...)
	})
}

// After many conflicts a host tries once in five seconds (RFC 6762, section
// 8.1).
func TestManyConflictsSlowProbingDown(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		n, s := e.node(t, "alpha", 1, false)
		n.loop.mu.Lock()
		host := n.resp.ownHost()
		n.loop.mu.Unlock()
		<-host.claim.ready
		go n.Register(t.Context(), page("Page"))
		var probes []time.Time
		last := ""
		for range 4000 { // each probe is denied at once
			time.Sleep(10 * time.Millisecond)
			synctest.Wait()
			for _, m := range e.sent(s, time.Now().Add(-10*time.Millisecond), func(m *parsed) bool { return len(m.questions) == 1 && m.questions[0].Type == message.TypeANY }) {
				q := m.questions[0].Name
				if q.String() == last {
					continue
				}
				last = q.String()
				probes = append(probes, m.at)
				srv := message.Resource{Name: q, Type: message.TypeSRV, Class: message.ClassIN, Flush: true, TTL: 120, Data: message.SRV(0, 0, 1, name(t, "evil.local"))}
				e.inject(other, group4, build(t, message.Response, nil, []message.Resource{srv}))
			}
		}
		if len(probes) < conflictLimit+2 {
			t.Fatalf("%d names were tried", len(probes))
		}
		for i := conflictLimit + 1; i < len(probes); i++ {
			if gap := probes[i].Sub(probes[i-1]); gap < conflictWait {
				t.Errorf("name %d is tried %v after the one before", i+1, gap)
			}
		}
		if n := n.Stats().Conflicts; n != uint64(len(probes)) {
			t.Errorf("%d conflicts are counted, %d were made", n, len(probes))
		}
	})
}

// An announcement of our own that comes late, after an update, is no conflict.
func TestOwnPacketsThatComeLateAreNoConflict(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, s := e.node(t, "alpha", 1, false)
		r := register(t, n, page("Page"))
		time.Sleep(5 * time.Second)
		old := e.sent(s, time.Time{}, func(m *parsed) bool { return m.answers(name(t, "Page._http._tcp.local"), message.TypeSRV) })[0]
		changed := page("Page")
		changed.Port = 81
		if err := r.Update(changed); err != nil {
			t.Fatal(err)
		}
		e.deliver(old.sent, 5353)
		time.Sleep(5 * time.Second)
		if n := n.Stats().Conflicts; n != 0 {
			t.Errorf("%d conflicts with what we have sent", n)
		}
	})
}

// A shared record that is gone says goodbye; what replaces others need not.
func TestUpdatesSayGoodbyeForSharedRecords(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, s := e.node(t, "alpha", 1, false)
		p := page("Page")
		p.Subtypes = []string{"_a", "_b"}
		r := register(t, n, p)
		mark := time.Now()
		p.Subtypes = []string{"_b"}
		if err := r.Update(p); err != nil {
			t.Fatal(err)
		}
		var gone []string
		for _, m := range e.sent(s, mark, (*parsed).response) {
			for _, a := range m.records[message.Answers] {
				if a.TTL == 0 {
					gone = append(gone, a.Name.String())
				}
			}
		}
		same(t, gone, "_a._sub._http._tcp.local.")
		p.Instance = "Other"
		if err := r.Update(p); err == nil {
			t.Error("an update changes the name")
		}
	})
}

// RFC 6762, section 8.4: ten a minute.
func TestUpdatesAreLimited(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, _ := e.node(t, "alpha", 1, false)
		r := register(t, n, page("Page"))
		for i := range 10 {
			if err := r.Update(page("Page")); err != nil {
				t.Fatalf("update %d: %v", i+1, err)
			}
			time.Sleep(time.Second)
		}
		if err := r.Update(page("Page")); err == nil || !strings.Contains(err.Error(), "wait") {
			t.Errorf("the eleventh update in a minute: %v", err)
		}
		time.Sleep(time.Minute)
		if err := r.Update(page("Page")); err != nil {
			t.Error(err)
		}
	})
}

// The type is withdrawn with its last service.
func TestATypeIsGoneWithItsLastService(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, s := e.node(t, "alpha", 1, false)
		a, b := register(t, n, page("A")), register(t, n, page("B"))
		for i, r := range []*Registration{a, b} {
			mark := time.Now()
			r.Close()
			gone := e.sent(s, mark, func(m *parsed) bool {
				return slices.ContainsFunc(m.records[message.Answers], func(r message.Resource) bool { return r.TTL == 0 && r.Name == metaQuery })
			})
			if len(gone) != i {
				t.Errorf("after %d of 2 services %d goodbyes for the type", i+1, len(gone))
			}
			time.Sleep(time.Second)
		}
	})
}

// Records that one message does not hold come in several; one that is larger
// than the MTU comes alone.
func TestLargeResponsesAreSplit(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, s := e.node(t, "alpha", 1, true)
		p := page("Page")
		p.Text = slices.Repeat([]string{strings.Repeat("x", 250)}, 12) // 3 KB
		register(t, n, p)
		time.Sleep(5 * time.Second)
		large := 0
		for _, m := range e.sent(s, time.Time{}, (*parsed).response) {
			limit := 1472
			if m.ipv6 {
				limit = 1452
			}
			if len(m.msg) <= limit {
				continue
			}
			large++
			if records := len(m.records[message.Answers]) + len(m.records[message.Additional]); records != 1 {
				t.Errorf("%d bytes with %d records", len(m.msg), records)
			}
		}
		if large == 0 {
			t.Error("the large record was not sent")
		}
		b, _ := e.node(t, "beta", 1, true)
		if got, err := b.Lookup(t.Context(), "Page", "_http._tcp"); err != nil || len(got.Text) != 12 {
			t.Errorf("%d strings, %v", len(got.Text), err)
		}
	})
}

func TestOtherNames(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{nextInstance("Page"), "Page (2)"},
		{nextInstance("Page (2)"), "Page (3)"},
		{nextInstance("Page (9)"), "Page (10)"},
		{nextInstance("Page (1)"), "Page (1) (2)"},
		{nextInstance("Page (x)"), "Page (x) (2)"},
		{nextInstance("(2)"), "(2) (2)"},
		{nextInstance("Page (9223372036854775807)"), "Page (9223372036854775807) (2)"},
		{nextHost("host-9223372036854775807"), "host-9223372036854775807-2"},
		{nextHost("host"), "host-2"},
		{nextHost("host-2"), "host-3"},
		{nextHost("host-1"), "host-1-2"},
		{nextHost("-2"), "-2-2"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	long := nextInstance(strings.Repeat("ü", 31)) // 62 bytes: 4 more need room
	if long != strings.Repeat("ü", 29)+" (2)" {
		t.Errorf("%q", long)
	}
}

// The order of RFC 6762, section 8.2: class, type, data as unsigned bytes; a set
// that ends first is the earlier one.
func TestTieBreakOrder(t *testing.T) {
	rr := func(typ message.Type, data string) message.Resource {
		return message.Resource{Name: "\x01x\x00", Type: typ, Class: message.ClassIN, Data: data}
	}
	// From the earliest to the latest.
	order := [][]message.Resource{
		{},
		{rr(message.TypeA, "\xa9\xfe\x63\xc8")}, // the example of the RFC
		{rr(message.TypeA, "\xa9\xfe\xc8\x32")}, // 200.50 is later than 99.200
		{rr(message.TypeA, "\xa9\xfe\xc8\x32"), rr(message.TypeTXT, "\x01a")},    // and this has more
		{rr(message.TypeTXT, "\x01b"), rr(message.TypeA, "\xa9\xfe\xc8\x33")},    // in any order of their own
		{rr(message.TypeTXT, "\x01b"), rr(message.TypeSRV, "\x00\x00\x00\x00x")}, // a later type
	}
	for i, a := range order {
		for j, b := range order {
			if got, want := compareRecords(a, b), min(1, max(-1, i-j)); got != want {
				t.Errorf("%v and %v: %d, want %d", a, b, got, want)
			}
		}
	}
}

// Of two that probe at once the one with the later data keeps the name; the
// other one tries again a second later, finds it taken, and takes another name.
func TestTieBreakOfTwoNodes(t *testing.T) {
	for range 5 {
		bubble(t, func(t *testing.T, e *ether) {
			a, _ := e.node(t, "alpha", 1, false)
			b, sb := e.node(t, "beta", 1, false)
			early, late := page("Page"), page("Page")
			early.Text, late.Text = []string{"a"}, []string{"b"}
			// Both begin to probe in the same moment.
			var claims []*claim
			for _, c := range []struct {
				n *Node
				s Service
			}{{a, late}, {b, early}} {
				c.n.loop.mu.Lock()
				host := c.n.resp.ownHost()
				c.n.loop.mu.Unlock()
				<-host.claim.ready
				r, err := c.n.newRegistration(c.s)
				if err != nil {
					t.Fatal(err)
				}
				c.n.loop.mu.Lock()
				r.settle()
				r.build()
				r.claim.at = c.n.links.at
				c.n.resp.registry.put(r.claim)
				c.n.loop.mu.Unlock()
				claims = append(claims, r.claim)
			}
			start := time.Now()
			for i, n := range []*Node{a, b} {
				n.loop.mu.Lock()
				claims[i].probe(10 * time.Millisecond)
				n.loop.mu.Unlock()
			}
			won := func(c *claim) string {
				<-c.ready
				c.resp.loop.mu.Lock()
				defer c.resp.loop.mu.Unlock()
				return c.name.First()
			}
			if got := won(claims[0]); got != "Page" || time.Since(start) > time.Second {
				t.Errorf("the later data has the name %q after %v", got, time.Since(start))
			}
			if got := won(claims[1]); got != "Page (2)" {
				t.Errorf("the earlier data has the name %q", got)
			}
			probes := e.sent(sb, start, func(m *parsed) bool { return m.asks(name(t, "Page._http._tcp.local"), message.TypeANY) })
			// It waits for a second, and in that hears the winner announce it.
			if len(probes) != 1 {
				t.Errorf("the loser probed %d times for the name", len(probes))
			}
		})
	}
}

// A known answer suppresses if it has half of its life left at least.
func TestKnownAnswersOfHalfLife(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		n, s := e.node(t, "alpha", 1, false)
		register(t, n, page("Page"))
		typ := name(t, "_http._tcp.local")
		for _, c := range []struct {
			ttl      uint32
			answered bool
		}{{otherTTL, false}, {otherTTL / 2, false}, {otherTTL/2 - 1, true}, {0, true}} {
			time.Sleep(10 * time.Second)
			mark := time.Now()
			known := pointer(name(t, "_HTTP._tcp.local"), name(t, "Page._http._tcp.local"), otherTTL)
			known.TTL = c.ttl
			e.inject(other, group4, build(t, 0, []message.Question{{Name: typ, Type: message.TypePTR, Class: message.ClassIN}}, []message.Resource{known}))
			time.Sleep(time.Second)
			if got := len(e.sent(s, mark, func(m *parsed) bool { return m.answers(typ, message.TypePTR) })) == 1; got != c.answered {
				t.Errorf("a known answer of %d s: answered %v", c.ttl, got)
			}
		}
	})
}
