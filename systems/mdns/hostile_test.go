package mdns

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// A node that has many services and changes them all takes none of its own packets
// for another host's, however late they come back and whatever brings them.
func TestOwnServicesAreNotAnotherHosts(t *testing.T) {
	for _, c := range []struct {
		services, updates int
		first, late       time.Duration
	}{{300, 1, 0, 0}, {500, 3, 0, 0}, {40, 5, 50 * time.Second, 20 * time.Second}} {
		bubble(t, func(t *testing.T, e *ether) {
			n, s := e.node(t, "alpha", 1, true)
			regs := make([]*Registration, c.services)
			var wait sync.WaitGroup
			for i := range regs {
				wait.Go(func() { regs[i] = register(t, n, page(fmt.Sprintf("Page %d", i))) })
			}
			wait.Wait()
			time.Sleep(c.first)
			for u := range c.updates {
				for i, r := range regs {
					p := page(fmt.Sprintf("Page %d", i))
					p.Port, p.Text = uint16(1000+u), []string{fmt.Sprintf("path=/%d", u)}
					if err := r.Update(p); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(time.Second)
			}
			// What was sent comes again, later; and in packets of a reflector's own.
			time.Sleep(c.late)
			other := e.station(1, true)
			for _, m := range e.sent(s, time.Time{}, func(m *parsed) bool { return time.Since(m.at) < time.Minute }) {
				e.deliver(m.sent, 5353)
				for _, r := range m.records[message.Answers] {
					if r.TTL > 0 {
						e.inject(other, group4, build(t, message.Response, nil, []message.Resource{r}))
					}
				}
			}
			time.Sleep(10 * time.Second)
			if got := n.Stats().Conflicts; got != 0 {
				t.Errorf("%d services, %d updates, packets that come %v late: %d conflicts", c.services, c.updates, c.late, got)
			}
			for i, r := range regs {
				if want := fmt.Sprintf("Page %d", i); r.Instance() != want {
					t.Fatalf("%q was renamed to %q", want, r.Instance())
				}
			}
		})
	}
}

// A host that is renamed points its services to the new name: what it has said
// before, of its reverse names too, is its own.
func TestOwnPacketsOfAFormerHostName(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 1, false)
		register(t, a, page("Page"))
		time.Sleep(5 * time.Second)
		b, _ := e.node(t, "alpha", 1, false)
		sb := e.stations[1]
		sb.isolate(true)
		register(t, b, page("Other"))
		sb.isolate(false)
		b.loop.mu.Lock()
		b.resp.own.claim.announce()
		b.loop.mu.Unlock()
		time.Sleep(10 * time.Second)
		renamed, by := a, sa
		if a.Host() == "alpha.local" {
			renamed, by = b, sb
		}
		if renamed.Host() != "alpha-2.local" {
			t.Fatalf("%s and %s", a.Host(), b.Host())
		}
		before := renamed.Stats().Conflicts
		for _, m := range e.sent(by, time.Time{}, (*parsed).response) {
			e.deliver(m.sent, 5353)
		}
		time.Sleep(10 * time.Second)
		mark := time.Now()
		reverse := message.ReverseName(by.addr(1, false))
		q := []message.Question{{Name: reverse, Type: message.TypePTR, Class: message.ClassIN}}
		e.inject(e.station(1, false), group4, build(t, 0, q, nil))
		time.Sleep(time.Second)
		if said := e.sent(by, mark, func(m *parsed) bool { return m.answers(reverse, message.TypePTR) }); len(said) != 1 {
			t.Errorf("%d answers for the reverse name after the old packets", len(said))
		}
		// Those of the other host that has the name now are no conflict either.
		if n := renamed.Stats().Conflicts; n != before || renamed.Host() != "alpha-2.local" {
			t.Errorf("%d conflicts more, the host is %s", n-before, renamed.Host())
		}
	})
}

// What was sent and is not ours any more is forgotten after a while.
func TestWhatWasSentIsForgotten(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, _ := e.node(t, "alpha", 1, true)
		r := register(t, n, page("Page"))
		count := func() int {
			n.loop.mu.Lock()
			defer n.loop.mu.Unlock()
			return len(n.resp.sent.records)
		}
		time.Sleep(3 * time.Minute)
		before := count()
		for i := range 100 {
			p := page("Page")
			p.Port = uint16(1000 + i)
			p.Text = []string{fmt.Sprint(i)}
			if err := r.Update(p); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
		}
		time.Sleep(3 * time.Minute)
		if after := count(); after > before {
			t.Errorf("%d records are remembered, %d before 100 updates", after, before)
		}
	})
}

// deny is a response of another host for the records of a service.
func deny(t testing.TB, instance message.Name, text string) []byte {
	data, err := message.TXT(text)
	if err != nil {
		t.Fatal(err)
	}
	return build(t, message.Response|message.Authoritative, nil, []message.Resource{
		{Name: instance, Type: message.TypeSRV, Class: message.ClassIN, Flush: true, TTL: 120, Data: message.SRV(0, 0, 9, name(t, "evil.local"))},
		{Name: instance, Type: message.TypeTXT, Class: message.ClassIN, Flush: true, TTL: 4500, Data: data},
	})
}

// A name that is ours is probed for again when a response denies it, however many
// records and packets deny it at once, and kept if nobody answers (RFC 6762,
// section 9).
func TestOneConflictOfAResponse(t *testing.T) {
	for copies := 1; copies <= 3; copies++ {
		bubble(t, func(t *testing.T, e *ether) {
			other := e.station(1, false)
			n, s := e.node(t, "alpha", 1, false)
			r := register(t, n, page("Page"))
			time.Sleep(10 * time.Second)
			mark := time.Now()
			instance := name(t, "Page._http._tcp.local")
			for range copies {
				e.inject(other, group4, deny(t, instance, "theirs"))
				time.Sleep(20 * time.Millisecond)
			}
			time.Sleep(10 * time.Second)
			probes := e.sent(s, mark, func(m *parsed) bool { return m.asks(instance, message.TypeANY) })
			if r.Instance() != "Page" || len(probes) != probeCount {
				t.Errorf("%d copies: %q after %d probes", copies, r.Instance(), len(probes))
			}
			if got := n.Stats().Conflicts; got != 1 {
				t.Errorf("%d copies: %d conflicts", copies, got)
			}
			// One that answers the probes keeps the name.
			e.inject(other, group4, deny(t, instance, "theirs"))
			time.Sleep(probeWait + probeWait + 50*time.Millisecond)
			e.inject(other, group4, deny(t, instance, "theirs"))
			time.Sleep(10 * time.Second)
			if r.Instance() != "Page (2)" {
				t.Errorf("%d copies: another host answers the probes, and we have %q", copies, r.Instance())
			}
		})
	}
}

// Of two networks that are joined one host keeps each name and one gets another,
// whoever of them speaks first, in both families and by two cables at once.
func TestTwoNetworksThatAreJoined(t *testing.T) {
	for round := range 30 {
		links, v6 := 1+round%2, round%3 > 0
		bubble(t, func(t *testing.T, e *ether) {
			a, _ := e.node(t, "alpha", links, v6)
			b, sb := e.node(t, "alpha", links, v6)
			sb.isolate(true)
			sa, s := page("Page"), page("Page")
			sa.Text = []string{"a"}
			s.Port, s.Text = 8080, []string{"b"}
			ra, rb := register(t, a, sa), register(t, b, s)
			time.Sleep(10 * time.Second)
			sb.isolate(false)
			for i, n := range []*Node{a, b} {
				if i == 0 && round%4 == 3 {
					continue // one of them speaks
				}
				n.loop.mu.Lock()
				for _, c := range n.resp.registry.claims {
					c.announce()
				}
				n.loop.mu.Unlock()
			}
			time.Sleep(time.Minute)
			instances, hosts := []string{ra.Instance(), rb.Instance()}, []string{a.Host(), b.Host()}
			slices.Sort(instances)
			slices.Sort(hosts)
			if !slices.Equal(instances, []string{"Page", "Page (2)"}) || !slices.Equal(hosts, []string{"alpha-2.local", "alpha.local"}) {
				t.Errorf("round %d: %q and %q", round, instances, hosts)
			}
		})
	}
}

// Another program's goodbyes for records of ours are answered, so that nobody
// forgets them, and no more than once a second.
func TestGoodbyesOfOthersForOurRecords(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 1, false)
		other := e.station(1, false)
		register(t, a, page("Page"))
		b, _ := e.node(t, "beta", 1, false)
		found := browseFor(t, b, "_http._tcp")
		time.Sleep(10 * time.Second)
		found.take()
		var all []message.Resource
		for _, m := range e.sent(sa, time.Time{}, (*parsed).response) {
			for _, r := range m.records[message.Answers] {
				if r.TTL = 0; r.Type != message.TypeNSEC && !slices.Contains(all, r) {
					all = append(all, r)
				}
			}
		}
		mark := time.Now()
		const flood = 4 * time.Second
		for range flood / (2 * time.Millisecond) {
			e.inject(other, group4, build(t, message.Response, nil, all))
			time.Sleep(2 * time.Millisecond)
		}
		time.Sleep(5 * time.Second)
		times := map[string][]time.Time{}
		for _, m := range e.sent(sa, mark, (*parsed).response) {
			for _, r := range m.records[message.Answers] {
				times[r.Name.String()+r.Type.String()] = append(times[r.Name.String()+r.Type.String()], m.at)
			}
		}
		for _, r := range all {
			if message.Reverse(r.Name) {
				continue // these are asked for before they are taken again
			}
			at := times[r.Name.String()+r.Type.String()]
			if len(at) < 4 || len(at) > 6 {
				t.Errorf("%v %v is sent %d times in %v of goodbyes", r.Name, r.Type, len(at), flood)
			}
			for i := 1; i < len(at); i++ {
				if gap := at[i].Sub(at[i-1]); gap < time.Second {
					t.Errorf("%v %v is sent %v after the last time", r.Name, r.Type, gap)
				}
			}
		}
		for _, event := range found.take() {
			if strings.HasPrefix(event, "removed") {
				t.Error(event)
			}
		}
	})
}

// Each probe for a name of ours is answered at once under a flood of queries of all
// kinds, from one source or many, and what waits is bounded.
func TestOurNamesAreDefendedUnderAFlood(t *testing.T) {
	for _, sources := range []int{1, 2000} {
		bubble(t, func(t *testing.T, e *ether) {
			n, s := e.node(t, "alpha", 1, false)
			register(t, n, page("Page"))
			time.Sleep(5 * time.Second)
			typ, host := name(t, "_http._tcp.local"), name(t, "alpha.local")
			shared := []message.Question{{Name: typ, Type: message.TypePTR, Class: message.ClassIN}}
			unicast := []message.Question{{Name: typ, Type: message.TypePTR, Class: message.ClassIN, Unicast: true}}
			packets := [][]byte{
				build(t, message.Truncated, shared, nil),
				build(t, message.Truncated, unicast, nil),
				build(t, 0, unicast, nil),
				build(t, message.Truncated, nil, []message.Resource{pointer(typ, name(t, "Other._http._tcp.local"), otherTTL)}),
			}
			theirs := message.Resource{Name: host, Type: message.TypeA, Class: message.ClassIN, TTL: 120, Data: "\x0a\x00\x01\xc8"}
			probe := build(t, 0, []message.Question{{Name: host, Type: message.TypeANY, Class: message.ClassIN, Unicast: true}}, nil, theirs)
			give := func(i int, msg []byte) {
				src := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(1 + i%sources/250), byte(2 + i%sources%250)}), 5353)
				n.receive(&transport.Packet{Data: msg, Meta: transport.Meta{Src: src, Dst: transport.GroupIPv4, IfIndex: 1, HopLimit: 255}})
			}
			defended, most := 0, 0
			for i := range 20000 {
				give(i, packets[i%len(packets)])
				if i%5000 == 2500 {
					mark := time.Now()
					give(i, probe)
					if len(e.sent(s, mark, func(m *parsed) bool { return m.answers(host, message.TypeA) })) == 1 {
						defended++
					}
				}
				n.loop.mu.Lock()
				most = max(most, len(n.resp.pending))
				n.loop.mu.Unlock()
				time.Sleep(200 * time.Microsecond)
			}
			if defended != 4 || most > maxPending {
				t.Errorf("%d sources: %d of 4 probes are answered at once, %d replies wait", sources, defended, most)
			}
			if sources == 2000 && most < maxPending {
				t.Errorf("at most %d replies wait: the flood is none", most)
			}
		})
	}
}

// A querier that goes on to send known answers makes us wait for two seconds, and
// not for ever.
func TestKnownAnswersThatDoNotEnd(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		n, s := e.node(t, "alpha", 1, false)
		register(t, n, page("Page"))
		time.Sleep(5 * time.Second)
		typ := name(t, "_http._tcp.local")
		mark := time.Now()
		e.inject(other, group4, build(t, message.Truncated, []message.Question{{Name: typ, Type: message.TypePTR, Class: message.ClassIN}}, nil))
		for range 50 {
			time.Sleep(100 * time.Millisecond)
			e.inject(other, group4, build(t, message.Truncated, nil, []message.Resource{pointer(typ, name(t, "Other._http._tcp.local"), otherTTL)}))
		}
		answered := e.sent(s, mark, func(m *parsed) bool { return m.answers(typ, message.TypePTR) })
		if len(answered) != 1 || answered[0].at.Sub(mark) > maxPartial {
			t.Errorf("%d answers", len(answered))
		}
	})
}

// A service is found though false pointers fill the cache: the oldest of those
// that lead to nothing make room. What is known stays.
func TestFalsePointersDoNotFillTheCache(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		a, _ := e.node(t, "alpha", 1, false)
		b, sb := e.node(t, "beta", 1, false)
		register(t, a, page("First"))
		found := browseFor(t, b, "_http._tcp")
		time.Sleep(5 * time.Second)
		typ := name(t, "_http._tcp.local")
		flood := func(from int) {
			for i := from; i < from+12000; i += 20 {
				var all []message.Resource
				for j := range 20 {
					instance, err := instanceName(fmt.Sprintf("False %d", i+j), typ)
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, pointer(typ, instance, otherTTL))
				}
				e.inject(other, group4, build(t, message.Response, nil, all))
			}
		}
		flood(0)
		register(t, a, page("Second"))
		time.Sleep(2 * time.Second)
		flood(20000)
		mark := time.Now()
		time.Sleep(10 * time.Second)
		same(t, found.take(),
			"added First _http._tcp alpha.local:80 [path=/x] [10.0.1.2]",
			"added Second _http._tcp alpha.local:80 [path=/x] [10.0.1.2]")
		if got := b.Stats(); got.CacheRecords > maxLoose+8 || got.CacheEvicted < 10000 {
			t.Errorf("%d records, %d made room", got.CacheRecords, got.CacheEvicted)
		}
		// Their questions go together: some thousand in packets that are full.
		asked, packets := 0, 0
		for _, m := range e.sent(sb, mark, func(m *parsed) bool { return !m.response() }) {
			asked += len(m.questions)
			packets++
		}
		if asked < 10000 || packets > asked/20 {
			t.Errorf("%d questions in %d packets", asked, packets)
		}
	})
}

// Questions that are due within a moment go together, and so do the records of one
// packet when they are old.
func TestQuestionsGoTogether(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		n, s := e.node(t, "alpha", 1, false)
		browseFor(t, n, "_http._tcp")
		time.Sleep(time.Second)
		typ := name(t, "_http._tcp.local")
		host := name(t, "theirs.local")
		say := func(i int, unique bool) {
			instance, err := instanceName(fmt.Sprintf("Page %d", i), typ)
			if err != nil {
				t.Fatal(err)
			}
			all := []message.Resource{pointer(typ, instance, otherTTL)}
			if unique {
				all = append(all,
					message.Resource{Name: instance, Type: message.TypeSRV, Class: message.ClassIN, Flush: true, TTL: 120, Data: message.SRV(0, 0, 1, host)},
					message.Resource{Name: instance, Type: message.TypeTXT, Class: message.ClassIN, Flush: true, TTL: 120, Data: "\x00"},
					message.Resource{Name: host, Type: message.TypeA, Class: message.ClassIN, Flush: true, TTL: 120, Data: "\x0a\x00\x01\xc8"},
				)
			}
			e.inject(other, group4, build(t, message.Response, nil, all))
		}
		mark := time.Now()
		for i := range 100 { // pointers without services, in a second
			say(i, false)
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(7 * time.Second)
		if got := len(e.sent(s, mark, func(m *parsed) bool { return !m.response() })); got < 10 || got > 8*10+10 {
			t.Errorf("100 pointers make %d packets in 8 seconds", got)
		}
		for i := range 100 {
			say(i, true)
		}
		time.Sleep(80 * time.Second)
		mark = time.Now()
		time.Sleep(38 * time.Second)
		packets := e.sent(s, mark, func(m *parsed) bool {
			return slices.ContainsFunc(m.questions, func(q message.Question) bool { return q.Type == message.TypeSRV })
		})
		// Four times 100 services, in the jitter of 2 % that the packets have.
		if len(packets) == 0 || len(packets) > 4*25*2 {
			t.Errorf("100 services are asked for in %d packets", len(packets))
		}
		for _, m := range packets {
			srv, txt := 0, 0
			for _, q := range m.questions {
				switch q.Type {
				case message.TypeSRV:
					srv++
				case message.TypeTXT:
					txt++
				}
			}
			if len(packets) < 100 && (srv != txt) {
				t.Errorf("%d questions for SRV and %d for TXT in a packet", srv, txt)
			}
		}
	})
}

// allocations of a browser that finds services, each in a packet of its own.
func findMany(t testing.TB, services int) (allocs uint64) {
	n, err := newNode(mute{}, "alpha", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	typ, host := name(t, "_http._tcp.local"), name(t, "theirs.local")
	w := n.quer.watch(true, typ, message.TypePTR)
	defer n.quer.unwatch(w)
	var packets []*transport.Packet
	for i := range services {
		instance, err := instanceName(fmt.Sprintf("Page %d", i), typ)
		if err != nil {
			t.Fatal(err)
		}
		packets = append(packets, &transport.Packet{
			Data: build(t, message.Response, nil, []message.Resource{
				pointer(typ, instance, otherTTL),
				{Name: instance, Type: message.TypeSRV, Class: message.ClassIN, Flush: true, TTL: 120, Data: message.SRV(0, 0, 1, host)},
				{Name: instance, Type: message.TypeTXT, Class: message.ClassIN, Flush: true, TTL: 4500, Data: "\x00"},
				{Name: host, Type: message.TypeA, Class: message.ClassIN, Flush: true, TTL: 120, Data: "\x0a\x63\x00\xc8"},
			}),
			Meta: transport.Meta{Src: netip.MustParseAddrPort("10.99.0.2:5353"), Dst: transport.GroupIPv4, IfIndex: 1, HopLimit: 255},
		})
	}
	seen := map[message.Name]Service{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, p := range packets {
		n.receive(p)
		n.quer.changes(w, seen)
	}
	runtime.ReadMemStats(&after)
	if room := (maxRecords - 1) / 3; len(seen) != min(services, room) {
		t.Fatalf("%d of %d services are found, there is room for %d", len(seen), services, room)
	}
	if got := n.Stats(); got.CacheRecords > maxRecords || (got.CacheFull > 0) != (services > maxRecords/3) {
		t.Fatalf("%d services: %d records, %d refused", services, got.CacheRecords, got.CacheFull)
	}
	return after.Mallocs - before.Mallocs
}

// A building has thousands of services: they are found as far as the cache goes, which
// says so beyond.
func TestABuildingOfServices(t *testing.T) {
	findMany(t, 5000)
	findMany(t, 12_000)
}

// Ten times as many services cost ten times as much.
func TestTheCostOfServicesIsLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	few, many := findMany(t, 200), findMany(t, 2000)
	if many > 12*few {
		t.Errorf("%d allocations for 200 services, %d for 2000", few, many)
	}
}

// BenchmarkServices is the time to find services, each in a packet of its own, and
// to answer a question for all of ours.
func BenchmarkServices(b *testing.B) {
	for _, services := range []int{200, 2000} {
		b.Run(fmt.Sprintf("find/services=%d", services), func(b *testing.B) {
			for b.Loop() {
				findMany(b, services)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*services), "ns/service")
		})
		b.Run(fmt.Sprintf("answer/services=%d", services), func(b *testing.B) {
			n, err := newNode(mute{}, "alpha", nil)
			if err != nil {
				b.Fatal(err)
			}
			defer n.Close()
			n.loop.mu.Lock()
			n.resp.ownHost().claim.win()
			n.loop.mu.Unlock()
			for i := range services {
				r, err := n.newRegistration(page(fmt.Sprintf("Page %d", i)))
				if err != nil {
					b.Fatal(err)
				}
				n.loop.mu.Lock()
				r.settle()
				r.build()
				r.claim.begin()
				r.claim.win()
				n.loop.mu.Unlock()
			}
			// By unicast, so that it is not too soon to answer again.
			p := &transport.Packet{
				Data: build(b, 0, []message.Question{{Name: name(b, "_http._tcp.local"), Type: message.TypePTR, Class: message.ClassIN}}, nil),
				Meta: transport.Meta{Src: netip.MustParseAddrPort("10.99.0.2:1234"), Dst: transport.GroupIPv4, IfIndex: 1, HopLimit: 255},
			}
			for b.Loop() {
				n.receive(p)
				n.loop.mu.Lock()
				n.resp.flush(n.resp.pending[0])
				n.loop.mu.Unlock()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*services), "ns/service")
		})
	}
}

// A node that was closed is garbage at once, whatever lives its records have.
func TestClosedNodesAreGarbage(t *testing.T) {
	closed := func() weak.Pointer[Node] {
		n, err := newNode(mute{}, "alpha", nil)
		if err != nil {
			t.Fatal(err)
		}
		w := n.quer.watch(true, name(t, "_http._tcp.local"), message.TypePTR)
		p := pointer(name(t, "_http._tcp.local"), name(t, "Page._http._tcp.local"), 1<<31-1)
		n.receive(&transport.Packet{Data: build(t, message.Response, nil, []message.Resource{p}), Meta: transport.Meta{Src: netip.MustParseAddrPort("10.99.0.2:5353"), Dst: transport.GroupIPv4, IfIndex: 1}})
		if n.Stats().CacheRecords != 1 {
			t.Error("the record is not taken")
		}
		n.quer.unwatch(w)
		n.Close()
		return weak.Make(n)
	}()
	for range 100 {
		runtime.GC()
		if closed.Value() == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a closed node is still in memory")
}

// A question heard on one interface is still asked on the others.
func TestAQuestionHeardOnOneInterface(t *testing.T) {
	for links := 1; links <= 2; links++ {
		bubble(t, func(t *testing.T, e *ether) {
			other := e.station(2, false)
			n, s := e.node(t, "alpha", links, false)
			typ := name(t, "_http._tcp.local")
			browseFor(t, n, "_http._tcp")
			synctest.Wait()
			e.inject(other, group4, build(t, 0, []message.Question{{Name: typ, Type: message.TypePTR, Class: message.ClassIN}}, nil))
			time.Sleep(200 * time.Millisecond)
			asked := len(e.sent(s, time.Time{}, func(m *parsed) bool { return m.asks(typ, message.TypePTR) }))
			if want := links - 1; asked != want*2 {
				t.Errorf("on %d links the question is asked %d times", links, asked)
			}
		})
	}
}

// A question for a unicast response is answered so if the record was multicast
// within a quarter of its life.
func TestUnicastWithinAQuarterOfTheirLife(t *testing.T) {
	for _, c := range []struct {
		after   time.Duration
		unicast bool
	}{{20 * time.Second, true}, {40 * time.Second, false}} {
		bubble(t, func(t *testing.T, e *ether) {
			other := e.station(1, false)
			n, s := e.node(t, "alpha", 1, false)
			register(t, n, page("Page"))
			time.Sleep(3 * time.Second) // the last announcement
			instance := name(t, "Page._http._tcp.local")
			time.Sleep(c.after)
			mark := time.Now()
			e.inject(other, group4, build(t, 0, []message.Question{{Name: instance, Type: message.TypeSRV, Class: message.ClassIN, Unicast: true}}, nil))
			time.Sleep(time.Second)
			got := e.sent(s, mark, func(m *parsed) bool { return m.answers(instance, message.TypeSRV) })
			if len(got) != 1 || got[0].to.Addr().IsMulticast() == c.unicast {
				t.Errorf("after %v: %v", c.after, got)
			}
		})
	}
}

// Trouble with an interface is counted and logged once, not with each look.
func TestTroubleIsTold(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		var log bytes.Buffer
		s := e.station(2, false)
		n, err := newNode(s, "alpha", slog.NewTextHandler(&log, nil))
		if err != nil {
			t.Fatal(err)
		}
		trouble := func(err error) {
			n.loop.mu.Lock()
			s.fails = err
			n.loop.mu.Unlock()
			time.Sleep(4 * lookWait)
		}
		trouble(nil)
		trouble(fmt.Errorf("joining the group on eth21: no buffer space available"))
		got := n.Stats()
		trouble(nil)
		s.plug(2, false, true)
		time.Sleep(time.Second)
		after := n.Stats()
		n.Close()
		if got.LinkError == nil || got.LinkErrors < 3 || got.LinkErrors > 5 || after.LinkError != nil {
			t.Errorf("%v, %d times, and then %v", got.LinkError, got.LinkErrors, after.LinkError)
		}
		for text, want := range map[string]int{"eth21": 1, "used again": 1, "interface=eth2 index=2 family=IPv4 change=gone": 1} {
			if got := strings.Count(log.String(), text); got != want {
				t.Errorf("%q is logged %d times, want %d:\n%s", text, got, want, log.String())
			}
		}
	})
}

// Case matters in no name, and in all else.
func TestSameData(t *testing.T) {
	for _, c := range []struct {
		typ  message.Type
		a, b string
		same bool
	}{
		{message.TypeA, "\x0a\x00\x00A", "\x0a\x00\x00a", false}, // 10.0.0.65 and 10.0.0.97
		{message.TypeTXT, "\x03a=X", "\x03a=x", false},
		{message.TypeSRV, message.SRV(0, 0, 'A', "\x01a\x00"), message.SRV(0, 0, 'a', "\x01a\x00"), false},
		{message.TypeSRV, message.SRV(0, 0, 80, "\x01a\x00"), message.SRV(0, 0, 80, "\x01A\x00"), true},
		{message.TypePTR, "\x01a\x00", "\x01A\x00", true},
		{message.TypeSRV, message.SRV(0, 0, 80, "\x01a\x00"), "short", false},
		{message.TypeTXT, "", "", true},
	} {
		if got := sameData(c.typ, c.a, []byte(c.b)); got != c.same {
			t.Errorf("%v %q and %q: %v", c.typ, c.a, c.b, got)
		}
	}
}

// A node on two interfaces that are bridged hears each of its packets on both: it
// has its names as soon as one that is not, and no conflict, whichever of its
// addresses is the later one.
func TestInterfacesThatAreBridged(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		e.bridged = true
		start := time.Now()
		for i, host := range []string{"alpha", "beta"} {
			n, _ := e.node(t, host, 2, true)
			r := register(t, n, page(fmt.Sprintf("Page %d", i)))
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("%s has its name after %v", host, took)
			}
			time.Sleep(10 * time.Second)
			if n.Stats().Conflicts != 0 || n.Host() != host+".local" || r.Instance() != fmt.Sprintf("Page %d", i) {
				t.Errorf("%d conflicts, %s, %q", n.Stats().Conflicts, n.Host(), r.Instance())
			}
			start = time.Now()
		}
		// A third one that wants a name of theirs gets another.
		n, _ := e.node(t, "alpha", 2, true)
		if r := register(t, n, page("Page 1")); r.Instance() != "Page 1 (2)" || n.Host() != "alpha-2.local" {
			t.Errorf("%q on %s", r.Instance(), n.Host())
		}
	})
}

// A link that goes while a goodbye on it waits for its answer takes that along.
func TestAGoodbyeBeforeTheLinkGoes(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, s := e.node(t, "alpha", 1, false)
		other := e.station(1, false)
		register(t, n, page("Page"))
		time.Sleep(5 * time.Second) // the last announcement is sent
		before := time.Now()
		gone := pointer(name(t, "_http._tcp.local"), name(t, "Page._http._tcp.local"), 0)
		for range 2 { // the first is answered, the second waits for the gap between two answers
			e.inject(other, group4, build(t, message.Response, nil, []message.Resource{gone}))
			time.Sleep(10 * time.Millisecond)
		}
		if said := e.sent(s, before, (*parsed).response); len(said) != 1 {
			t.Errorf("%d responses to goodbyes of ours, not 1 so far", len(said))
		}
		s.plug(1, false, true)
		mark := time.Now().Add(1)
		time.Sleep(5 * time.Second)
		if said := e.sent(s, mark, (*parsed).response); len(said) != 0 {
			t.Errorf("%d responses on a link that is gone", len(said))
		}
		s.plug(1, true, true)
		time.Sleep(5 * time.Second)
		if n.Stats().Conflicts != 0 {
			t.Error("a conflict")
		}
	})
}
