package mdns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got:\n\t%s\nwant:\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestAServiceIsFoundUpdatedAndGone(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, true)
		b, _ := e.node(t, "beta", 1, true)
		r := register(t, a, page(`Dr. Who's "page"`))
		found := browseFor(t, b, "_http._tcp")
		time.Sleep(3500 * time.Millisecond)
		same(t, found.take(), `added Dr. Who's "page" _http._tcp alpha.local:80 [path=/x] [10.0.1.1 fe80::1:1%eth1]`)
		if err := r.Update(Service{Instance: `Dr. Who's "page"`, Type: "_http._tcp", Port: 81, Text: []string{"path=/y"}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		same(t, found.take(), `updated Dr. Who's "page" _http._tcp alpha.local:81 [path=/y] [10.0.1.1 fe80::1:1%eth1]`)
		r.Close()
		time.Sleep(900 * time.Millisecond) // a record that said goodbye stays for a second
		same(t, found.take())
		time.Sleep(200 * time.Millisecond)
		same(t, found.take(), `removed Dr. Who's "page" _http._tcp alpha.local:81 [path=/y] [10.0.1.1 fe80::1:1%eth1]`)
		if err := r.Update(page(`Dr. Who's "page"`)); err == nil {
			t.Error("an ended registration is updated")
		}
	})
}

// A node finds its own services, as other programs of its host do.
func TestANodeFindsItself(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, _ := e.node(t, "alpha", 1, false)
		found := browseFor(t, n, "_http._tcp")
		register(t, n, page("Page"))
		time.Sleep(5 * time.Second)
		same(t, found.take(), "added Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1]")
		if c := n.Stats().Conflicts; c != 0 {
			t.Errorf("%d conflicts with itself", c)
		}
	})
}

// RFC 6762, section 5.2: a second, then doubled, up to an hour.
func TestQueriesBackOffToAnHour(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, s := e.node(t, "alpha", 1, false)
		start := time.Now()
		browseFor(t, n, "_http._tcp")
		time.Sleep(5 * time.Hour)
		asked := e.sent(s, start, func(m *parsed) bool { return m.asks(name(t, "_http._tcp.local"), message.TypePTR) })
		if first := asked[0].at.Sub(start); first < 20*time.Millisecond || first > 120*time.Millisecond {
			t.Errorf("the first query is sent after %v", first)
		}
		gap := time.Second
		for i := 1; i < len(asked); i++ {
			if got := asked[i].at.Sub(asked[i-1].at); got < gap || got > gap+joinWait {
				t.Fatalf("query %d is sent %v after the one before, want %v", i+1, got, gap)
			}
			gap = min(2*gap, time.Hour)
		}
		if len(asked) != 13+3 { // 2^0 to 2^11 seconds are 68 minutes, then one an hour
			t.Errorf("%d queries in five hours", len(asked))
		}
		for _, m := range asked {
			if m.header.ID != 0 || m.header.Flags != 0 || m.to != group4 || m.questions[0].Unicast {
				t.Errorf("%+v to %v", m.header, m.to)
			}
		}
	})
}

// A host that goes without a goodbye is asked for at 80, 85, 90 and 95 % of the
// life of its records, and is gone at the end.
func TestRecordsAreAskedForBeforeTheyEnd(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 1, false)
		b, sb := e.node(t, "beta", 1, false)
		register(t, a, page("Page"))
		time.Sleep(10 * time.Second)
		found := browseFor(t, b, "_http._tcp")
		start := time.Now()
		time.Sleep(time.Second)
		same(t, found.take(), "added Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1]")
		sa.isolate(true)
		time.Sleep(125 * time.Second)
		same(t, found.take(), "removed Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1]")
		answered := e.sent(sa, start, func(m *parsed) bool { return m.response() })[0].at.Add(delay)
		var at []string
		for _, m := range e.sent(sb, answered, func(m *parsed) bool { return m.asks(name(t, "Page._http._tcp.local"), message.TypeSRV) }) {
			if part := m.at.Sub(answered).Seconds() / 120 * 100; part < 100 {
				at = append(at, fmt.Sprintf("%d", int(part)/5*5))
				if over := part - float64(int(part)/5*5); over > 2.01 {
					t.Errorf("asked at %.2f %%", part)
				}
			}
		}
		same(t, at, "80", "85", "90", "95")
	})
}

// Without anybody who wants them records are not asked for.
func TestRecordsThatNobodyWantsAreLeftAlone(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, false)
		b, sb := e.node(t, "beta", 1, false)
		register(t, a, page("Page"))
		if _, err := b.Lookup(t.Context(), "Page", "_http._tcp"); err != nil {
			t.Fatal(err)
		}
		ended := time.Now()
		time.Sleep(3 * time.Hour)
		if asked := e.sent(sb, ended.Add(time.Nanosecond), func(m *parsed) bool { return !m.response() }); len(asked) != 0 {
			t.Errorf("%d queries after the lookup", len(asked))
		}
		if n := b.Stats().CacheRecords; n != 0 {
			t.Errorf("%d records stay in the cache", n)
		}
	})
}

// Known answers have more than half of their life left, and are those of shared
// records.
func TestKnownAnswersAreListed(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		n, s := e.node(t, "alpha", 1, false)
		start := time.Now()
		found := browseFor(t, n, "_http._tcp")
		time.Sleep(500 * time.Millisecond)
		typ := name(t, "_http._tcp.local")
		ptr := pointer(typ, name(t, "Page._http._tcp.local"), otherTTL)
		ptr.TTL = 20
		e.inject(other, group4, build(t, message.Response|message.Authoritative, nil, []message.Resource{ptr}))
		time.Sleep(40 * time.Second)
		found.take()
		for _, m := range e.sent(s, start, func(m *parsed) bool { return m.asks(typ, message.TypePTR) }) {
			age := m.at.Sub(start.Add(500 * time.Millisecond)).Seconds()
			known := m.records[message.Answers]
			if want := age > 0 && age < 10; want != (len(known) == 1) {
				t.Errorf("after %.1f s: %d known answers", age, len(known))
			}
			for _, k := range known {
				if want := uint32(20 - age); k.TTL != want || k.Flush {
					t.Errorf("after %.1f s: known answer %v, want a TTL of %d", age, k, want)
				}
			}
		}
	})
}

// More known answers than a packet holds come in several: all but the last say
// that there are more, and only the first one asks.
func TestKnownAnswersOfSeveralPackets(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, false)
		b, sb := e.node(t, "beta", 1, false)
		const n = 100
		for i := range n {
			go a.Register(t.Context(), page(fmt.Sprintf("A page with a name that is rather long, number %03d", i)))
		}
		time.Sleep(10 * time.Second)
		start := time.Now()
		found := browseFor(t, b, "_http._tcp")
		time.Sleep(4 * time.Second)
		if got := len(found.take()); got != n {
			t.Errorf("%d of %d services are found", got, n)
		}
		typ := name(t, "_http._tcp.local")
		last := e.sent(sb, start.Add(500*time.Millisecond), func(m *parsed) bool { return !m.response() })
		byTime := map[time.Time][]parsed{}
		for _, m := range last {
			byTime[m.at] = append(byTime[m.at], m)
		}
		checked := 0
		for _, all := range byTime {
			if !all[0].asks(typ, message.TypePTR) {
				continue
			}
			known := 0
			for i, m := range all {
				known += len(m.records[message.Answers])
				if more := m.header.Flags&message.Truncated != 0; more != (i < len(all)-1) || (len(m.questions) > 0) != (i == 0) || len(m.msg) > 1472 {
					t.Errorf("packet %d of %d: truncated %v, %d questions, %d bytes", i+1, len(all), more, len(m.questions), len(m.msg))
				}
			}
			if known == n && len(all) > 2 {
				checked++
			}
		}
		if checked == 0 {
			t.Error("no query lists all known answers")
		}
		// The responder has seen them all and repeats none.
		mark := time.Now()
		time.Sleep(5 * time.Second)
		for _, m := range e.sent(e.stations[0], mark, func(m *parsed) bool { return m.answers(typ, message.TypePTR) }) {
			t.Errorf("a response with %d answers that are known", len(m.records[message.Answers]))
		}
	})
}

func TestLookups(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, true)
		b, _ := e.node(t, "beta", 1, true)
		c, _ := e.node(t, "gamma", 1, false)
		s := page("Page")
		s.Subtypes = []string{"_printer"}
		register(t, a, s)
		register(t, c, Service{Instance: "Disk", Type: "_smb._tcp", Port: 445})
		time.Sleep(5 * time.Second) // what was announced a moment ago is not multicast again
		got, err := b.Lookup(t.Context(), "pAGE", "_HTTP._tcp.local.")
		if err != nil || got.Port != 80 || got.Host != "alpha.local" || fmt.Sprint(got.Addrs) != "[10.0.1.1 fe80::1:1%eth1]" {
			t.Errorf("%+v, %v", got, err)
		}
		if v, ok := got.Value("PATH"); v != "/x" || !ok {
			t.Errorf("path is %q, %v", v, ok)
		}
		addrs, err := b.Resolve(t.Context(), "ALPHA.local")
		if err != nil || fmt.Sprint(addrs) != "[10.0.1.1 fe80::1:1%eth1]" {
			t.Errorf("%v, %v", addrs, err)
		}
		// gamma says that it has no IPv6 address, so nothing is waited for.
		start := time.Now()
		addrs, err = b.Resolve(t.Context(), "gamma")
		if err != nil || fmt.Sprint(addrs) != "[10.0.1.3]" || time.Since(start) >= otherFamily {
			t.Errorf("%v, %v after %v", addrs, err, time.Since(start))
		}
		short, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err := b.Resolve(short, "nobody"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an unknown host: %v", err)
		}
		short, cancel = context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var types []string
		for typ, err := range b.ServiceTypes(short) {
			if err != nil {
				t.Error(err)
			}
			types = append(types, typ)
		}
		slices.Sort(types)
		same(t, types, "_http._tcp", "_smb._tcp")
		found := browseFor(t, b, "_printer._sub._http._tcp")
		time.Sleep(time.Second)
		same(t, found.take(), "added Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1 fe80::1:1%eth1]")
	})
}

// Each interface shows the addresses that are valid there.
func TestAddressesOfEachInterface(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 2, true)
		register(t, a, page("Page"))
		host := name(t, "alpha.local")
		for _, m := range e.sent(sa, time.Time{}, func(m *parsed) bool { return m.answers(host, message.TypeA) }) {
			for _, r := range m.records[message.Answers] {
				if r.Name != host {
					continue
				}
				addr, _ := netip.AddrFromSlice([]byte(r.Data))
				if addr != sa.addr(m.link, false) && addr != sa.addr(m.link, true) {
					t.Errorf("%v is announced on link %d", addr, m.link)
				}
			}
		}
	})
}

func TestStatisticsOfWhatIsIgnored(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		far := e.station(1, false)
		far.id = 200
		n, s := e.node(t, "alpha", 1, false)
		found := browseFor(t, n, "_http._tcp")
		time.Sleep(time.Second)
		typ := name(t, "_http._tcp.local")
		response := build(t, message.Response, nil, []message.Resource{pointer(typ, name(t, "Evil._http._tcp.local"), otherTTL)})
		own := netip.AddrPortFrom(s.addr(1, false), transport.Port)

		give := func(data []byte, src, dst string, truncated bool) {
			n.receive(&transport.Packet{Data: data, Meta: transport.Meta{Src: netip.MustParseAddrPort(src), Dst: netip.MustParseAddr(dst), IfIndex: 1, Truncated: truncated}})
		}
		give(response, "192.0.2.1:5353", own.Addr().String(), false) // off the link
		give(response, "10.0.1.9:5353", own.Addr().String(), false)  // on it, but nothing was asked for by unicast
		give(response, "10.0.1.9:1234", "224.0.0.251", false)        // from another port
		rcode := slices.Clone(response)
		rcode[3] |= 3
		give(rcode, "10.0.1.9:5353", "224.0.0.251", false)
		give(response[:20], "10.0.1.9:5353", "224.0.0.251", false)
		give(nil, "10.0.1.9:5353", "224.0.0.251", false)
		give(response, "10.0.1.9:5353", "224.0.0.251", true)

		got := n.Stats()
		want := Stats{OffLink: 1, Ignored: 2}
		want.Malformed[message.ShortName] = 1
		want.Malformed[message.ShortHeader] = 1
		want.Malformed[message.OK] = 1
		if got.OffLink != want.OffLink || got.Ignored != want.Ignored || got.Malformed != want.Malformed || got.CacheRecords != 0 {
			t.Errorf("%+v, want %+v", got, want)
		}
		same(t, found.take())
		// To the group any source is heard.
		give(response, "192.0.2.1:5353", "224.0.0.251", false)
		if n.Stats().CacheRecords != 1 {
			t.Error("a response to the group is ignored")
		}
	})
}

// Floods of answers to questions that nobody asked, and to one that somebody
// asked, cost bounded memory.
func TestTheCacheIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		n, _ := e.node(t, "alpha", 1, false)
		flood := func(typ message.Name, from, to int) {
			for i := from; i < to; i += 20 {
				var all []message.Resource
				for j := range 20 {
					instance, err := instanceName(fmt.Sprintf("Flood %d", i+j), typ)
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, pointer(typ, instance, otherTTL))
				}
				e.inject(other, group4, build(t, message.Response, nil, all))
			}
		}
		flood(name(t, "_http._tcp.local"), 0, 1000)
		if got := n.Stats().CacheRecords; got != 0 {
			t.Errorf("%d records that nobody asked for", got)
		}
		w := n.quer.watch(false, name(t, "_http._tcp.local"), message.TypePTR)
		flood(name(t, "_http._tcp.local"), 0, maxLoose/20*20+1000)
		flood(name(t, "_other._tcp.local"), 0, 100)
		if got := n.Stats(); got.CacheRecords != maxLoose || got.CacheEvicted != 1000-maxLoose%20 || got.CacheFull != 0 {
			t.Errorf("%d records, %d made room, %d refused", got.CacheRecords, got.CacheEvicted, got.CacheFull)
		}
		n.quer.unwatch(w)
		time.Sleep(2 * time.Hour)
		if got := n.Stats().CacheRecords; got != 0 {
			t.Errorf("%d records after their life", got)
		}
	})
}

// TestTheOwnerOfANameHasAPlace: addresses of strangers fill the set of a host, and then
// its owner says which are its own.
func TestTheOwnerOfANameHasAPlace(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		n, _ := e.node(t, "alpha", 1, false)
		host := name(t, "victim.local")
		w := n.quer.watch(false, host, message.TypeA)
		defer n.quer.unwatch(w)
		flood := func(from, to int) {
			for i := from; i < to; i += 32 {
				var all []message.Resource
				for j := range 32 {
					all = append(all, message.Resource{Name: host, Type: message.TypeA, Class: message.ClassIN, TTL: otherTTL, Data: string([]byte{10, 9, byte((i + j) >> 8), byte(i + j)})})
				}
				e.inject(other, group4, build(t, message.Response, nil, all))
			}
		}
		flood(0, 3*maxSet)
		if got := n.Stats(); got.CacheRecords != maxSet || got.CacheFull != 2*maxSet {
			t.Errorf("%d addresses of a host, %d refused", got.CacheRecords, got.CacheFull)
		}
		time.Sleep(goodbyeLife + time.Millisecond)
		e.inject(other, group4, build(t, message.Response, nil, []message.Resource{{Name: host, Type: message.TypeA, Class: message.ClassIN, Flush: true, TTL: otherTTL, Data: string([]byte{10, 0, 0, 7})}}))
		flood(3*maxSet, 6*maxSet)
		if got := n.Stats().CacheRecords; got > 2*maxSet {
			t.Errorf("%d addresses of a host while half of them end", got)
		}
		time.Sleep(goodbyeLife - time.Millisecond)
		addrs, err := n.Resolve(t.Context(), "victim")
		if err != nil || !slices.Contains(addrs, netip.MustParseAddr("10.0.0.7")) {
			t.Errorf("the owner's address is not among %d (%v)", len(addrs), err)
		}
	})
}

func TestCallsEndWithTheNode(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, _ := e.node(t, "alpha", 1, false)
		r := register(t, n, page("Page"))
		found := browseFor(t, n, "_smb._tcp")
		ended := make(chan error, 2)
		go func() {
			_, err := n.Resolve(t.Context(), "nobody")
			ended <- err
		}()
		time.Sleep(time.Second)
		for range 2 {
			if err := n.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("Resolve ended with %v", err)
		}
		same(t, found.take(), "error: "+net.ErrClosed.Error())
		if _, err := n.Register(t.Context(), page("Other")); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Register after Close: %v", err)
		}
		if err := r.Update(page("Page")); err == nil {
			t.Error("Update after Close")
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestServicesThatCannotBe(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, _ := e.node(t, "alpha", 1, false)
		for what, change := range map[string]func(*Service){
			"no instance":          func(s *Service) { s.Instance = "" },
			"a long instance":      func(s *Service) { s.Instance = strings.Repeat("x", 64) },
			"no type":              func(s *Service) { s.Type = "" },
			"a type of one label":  func(s *Service) { s.Type = "_http" },
			"no underscore":        func(s *Service) { s.Type = "http._tcp" },
			"another transport":    func(s *Service) { s.Type = "_http._sctp" },
			"a subtype as type":    func(s *Service) { s.Type = "_a._sub._http._tcp" },
			"another domain":       func(s *Service) { s.Type = "_http._tcp.example.com" },
			"a long string":        func(s *Service) { s.Text = []string{strings.Repeat("x", 256)} },
			"more text than fits":  func(s *Service) { s.Text = slices.Repeat([]string{strings.Repeat("x", 250)}, 40) },
			"a subtype of nothing": func(s *Service) { s.Subtypes = []string{""} },
		} {
			s := page("Page")
			change(&s)
			if _, err := n.Register(t.Context(), s); err == nil || !strings.Contains(err.Error(), "mdns: ") {
				t.Errorf("%s: %v", what, err)
			}
		}
		if _, err := newNode(e.station(1, false), strings.Repeat("x", 64), nil); err == nil {
			t.Error("a host name of 64 bytes")
		}
		for _, err := range n.Browse(t.Context(), "http") {
			if err == nil {
				t.Error("a type without a transport is browsed for")
			}
		}
	})
}

// What is known from a question that nobody asks any more is kept true by what
// passes: a second Lookup finds what has changed meanwhile.
func TestWhatIsKnownFollowsChanges(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, true)
		b, _ := e.node(t, "beta", 1, true)
		r := register(t, a, page("Page"))
		time.Sleep(5 * time.Second)
		if _, err := b.Lookup(t.Context(), "Page", "_http._tcp"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		p := page("Page")
		p.Port = 81
		if err := r.Update(p); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if s, err := b.Lookup(t.Context(), "Page", "_http._tcp"); err != nil || s.Port != 81 {
			t.Errorf("port %d, %v", s.Port, err)
		}
		r.Close()
		time.Sleep(3 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if s, err := b.Lookup(ctx, "Page", "_http._tcp"); err == nil {
			t.Errorf("after its goodbye: %+v", s)
		}
	})
}

// A record that claims to live for years is asked for within a day, listed as known
// until then, and gone if nobody answers.
func TestALifeOfYears(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		other := e.station(1, false)
		n, s := e.node(t, "alpha", 1, false)
		browseFor(t, n, "_http._tcp")
		time.Sleep(time.Second)
		typ := name(t, "_http._tcp.local")
		const years = 3 * 365 * 24 * 3600
		e.inject(other, group4, build(t, message.Response, nil, []message.Resource{pointer(typ, name(t, "Page._http._tcp.local"), years)}))
		start := time.Now()
		time.Sleep(23*time.Hour + 59*time.Minute)
		if got := n.Stats().CacheRecords; got != 1 {
			t.Errorf("%d records", got)
		}
		known := 0
		for _, m := range e.sent(s, start, func(m *parsed) bool { return m.asks(typ, message.TypePTR) }) {
			if len(m.records[message.Answers]) == 1 && m.at.Sub(start) < 22*time.Hour {
				known++
			}
		}
		if known < 10 {
			t.Errorf("%d queries list it as known", known)
		}
		time.Sleep(2 * time.Minute)
		if got := n.Stats().CacheRecords; got != 0 {
			t.Errorf("%d records after a day", got)
		}
	})
}
