package mdns

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// camera is a service of a host that does not speak for itself.
func camera() Service {
	return Service{
		Instance: "Camera", Type: "_rtsp._tcp", Port: 554, Priority: 3, Weight: 7, TTL: 30 * time.Second,
		Host: "camera.local", Addrs: []netip.Addr{netip.MustParseAddr("10.0.1.99"), netip.MustParseAddr("fe80::99%eth1")},
		Records: []message.Resource{{Type: 13, Data: "\x03ARM\x05Linux"}}, // HINFO
	}
}

// said returns the records of all responses of a station since a time.
func (e *ether) said(by *station, since time.Time) (all []message.Resource, links []int) {
	for _, m := range e.sent(by, since, (*parsed).response) {
		for _, r := range slices.Concat(m.records[message.Answers], m.records[message.Additional]) {
			all = append(all, r)
			links = append(links, m.link)
		}
	}
	return all, links
}

// A service of another host is found with that host's name and addresses, its own
// priority, weight and TTL, and its further records are answered for; a link-local
// address is known on its own interface alone. Two services of one host share it,
// and it says goodbye with the last one.
func TestAServiceOfAnotherHost(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 2, true)
		b, _ := e.node(t, "beta", 2, true)
		asker := e.station(2, true)
		r := register(t, a, camera())
		time.Sleep(5 * time.Second)
		got, err := b.Lookup(t.Context(), "Camera", "_rtsp._tcp")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		got, err = b.Lookup(t.Context(), "Camera", "_rtsp._tcp")
		want := "[{10.0.1.99 eth1} {10.0.1.99 eth2} {fe80::99%eth1 eth1}]"
		if err != nil || got.Host != "camera.local" || got.Priority != 3 || got.Weight != 7 || got.Port != 554 || fmt.Sprint(got.Endpoints) != want ||
			fmt.Sprint(got.Addrs) != "[10.0.1.99 fe80::99%eth1]" || fmt.Sprint(got.Interfaces) != "[eth1 eth2]" {
			t.Errorf("%+v, %v", got, err)
		}
		if names, err := b.Resolve(t.Context(), "camera.local"); err != nil || len(names) != 2 {
			t.Errorf("%v, %v", names, err)
		}
		records, links := e.said(sa, time.Time{})
		for i, r := range records {
			own := strings.HasPrefix(r.Name.String(), "alpha.") || message.Reverse(r.Name)
			if !own && r.Type != message.TypeNSEC && r.TTL != 30 {
				t.Errorf("%v", r)
			}
			if r.Type == message.TypeAAAA && r.Name.First() == "camera" && links[i] == 2 {
				t.Errorf("%v is said on link 2", r)
			}
		}
		mark := time.Now()
		instance := name(t, "Camera._rtsp._tcp.local")
		e.inject(asker, group4, build(t, 0, []message.Question{{Name: instance, Type: 13, Class: message.ClassIN}, {Name: instance, Type: message.TypeA, Class: message.ClassIN}}, nil))
		time.Sleep(time.Second)
		answered := e.sent(sa, mark, func(m *parsed) bool { return m.answers(instance, 13) && m.answers(instance, message.TypeNSEC) })
		if len(answered) != 1 {
			t.Error("no answer for a further record, or no denial of another")
		} else if i := slices.IndexFunc(answered[0].records[message.Answers], func(r message.Resource) bool { return r.Type == message.TypeNSEC }); !message.NSECHas(answered[0].records[message.Answers][i].Data, 13) {
			t.Error("a further record is denied")
		}

		second := camera()
		second.Instance, second.Addrs = "Camera's page", []netip.Addr{netip.MustParseAddr("10.0.1.98")}
		other := register(t, a, second) // its addresses count from now on
		time.Sleep(3 * time.Second)
		if addrs, err := b.Resolve(t.Context(), "camera.local"); err != nil || fmt.Sprint(addrs) != "[10.0.1.98]" {
			t.Errorf("after another service: %v, %v", addrs, err)
		}
		r.Close()
		time.Sleep(3 * time.Second)
		if _, err := b.Resolve(t.Context(), "camera.local"); err != nil {
			t.Errorf("after the end of one of two services: %v", err)
		}
		mark = time.Now()
		other.Close()
		time.Sleep(3 * time.Second)
		gone := 0
		for _, r := range first(e.said(sa, mark)) {
			if r.Name.First() == "camera" && r.Type == message.TypeA && r.TTL == 0 {
				gone++
			}
		}
		if gone != 4 { // two links, two families
			t.Errorf("%d goodbyes for the host's address", gone)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if addrs, err := b.Resolve(ctx, "camera.local"); err == nil {
			t.Errorf("after its services: %v", addrs)
		}
	})
}

func first[A, B any](a A, _ B) A { return a }

// The name of another host is claimed as our own is: if it is taken, we take the
// next one, and its services point to that.
func TestTheNameOfAnotherHostIsTaken(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "camera", 1, false)
		register(t, a, page("Page"))
		b, _ := e.node(t, "beta", 1, false)
		r := register(t, b, camera())
		time.Sleep(5 * time.Second)
		got, err := a.Lookup(t.Context(), "Camera", "_rtsp._tcp")
		if err != nil || got.Host != "camera-2.local" || r.Host() != "camera-2.local" || len(got.Addrs) != 2 {
			t.Errorf("%+v, %v; %s", got, err, r.Host())
		}
		if err := r.Update(camera()); err != nil { // by the name that was asked for
			t.Error(err)
		}
	})
}

// A service may point to a host that announces itself.
func TestAServiceThatPointsToAHost(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, false)
		register(t, a, page("Page"))
		b, sb := e.node(t, "beta", 1, false)
		s := page("Elsewhere")
		s.Host = "alpha.local"
		r := register(t, b, s)
		time.Sleep(5 * time.Second)
		got, err := b.Lookup(t.Context(), "Elsewhere", "_http._tcp")
		if err != nil || got.Host != "alpha.local" || fmt.Sprint(got.Addrs) != "[10.0.1.1]" {
			t.Errorf("%+v, %v", got, err)
		}
		for _, record := range first(e.said(sb, time.Time{})) {
			if record.Name.First() == "alpha" {
				t.Errorf("%v is said by another host", record)
			}
		}
		if r.Host() != "alpha.local" {
			t.Error(r.Host())
		}
	})
}

// A host name beside our own has our addresses, as they are on each interface, or
// those that are given; and it follows their changes.
func TestOtherHostNames(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 2, false)
		b, _ := e.node(t, "beta", 2, false)
		resolve := func(host string) string {
			t.Helper()
			time.Sleep(3 * time.Second)
			if _, err := b.Resolve(t.Context(), host); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			addrs, err := b.Resolve(t.Context(), host)
			return fmt.Sprint(addrs, err)
		}
		alias, err := a.RegisterHost(t.Context(), Host{Name: "app"})
		if err != nil {
			t.Fatal(err)
		}
		if got := resolve("app.local"); got != "[10.0.1.1 10.0.2.1] <nil>" {
			t.Error(got)
		}
		a.loop.mu.Lock()
		sa.extra[1] = netip.MustParsePrefix("10.0.1.77/24")
		a.loop.mu.Unlock()
		sa.told <- struct{}{}
		time.Sleep(time.Second)
		if got := resolve("app.local"); got != "[10.0.1.1 10.0.1.77 10.0.2.1] <nil>" {
			t.Error(got)
		}
		if err := alias.Update(netip.MustParseAddr("10.0.1.5")); err != nil {
			t.Error(err)
		}
		if got := resolve("app.local"); got != "[10.0.1.5] <nil>" {
			t.Error(got)
		}
		taken, err := b.RegisterHost(t.Context(), Host{Name: "app.local", Addrs: []netip.Addr{netip.MustParseAddr("10.0.1.6")}, TTL: time.Minute})
		if err != nil || taken.Name() != "app-2.local" || alias.Name() != "app.local" {
			t.Errorf("%v, %v and %v", err, taken.Name(), alias.Name())
		}
		if got := <-taken.Renamed(); got != "app-2.local" {
			t.Errorf("told of %q", got)
		}
		mark := time.Now()
		for range 2 {
			alias.Close()
		}
		if gone := e.sent(sa, mark, func(m *parsed) bool {
			return slices.ContainsFunc(m.records[message.Answers], func(r message.Resource) bool { return r.Name.First() == "app" && r.TTL == 0 })
		}); len(gone) != 2 {
			t.Errorf("%d goodbyes on 2 links", len(gone))
		}
		if err := alias.Update(); err == nil {
			t.Error("an ended registration is updated")
		}
		for _, h := range []Host{{}, {Name: "alpha"}, {Name: "a\x00"}, {Name: "x", TTL: time.Millisecond}, {Name: "x", Addrs: []netip.Addr{{}}}} {
			if _, err := a.RegisterHost(t.Context(), h); err == nil || !strings.Contains(err.Error(), "mdns: ") {
				t.Errorf("%+v: %v", h, err)
			}
		}
	})
}

// What a browser yields is the caller's: its changes are no news, and not in what
// comes later.
func TestAnEventBelongsToTheCaller(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, false)
		b, _ := e.node(t, "beta", 1, false)
		r := register(t, a, page("Page"))
		time.AfterFunc(time.Hour, func() { r.Close() })
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		var list []string
		for event, err := range b.Browse(ctx, "_http._tcp") {
			if err != nil {
				t.Fatal(err)
			}
			s := event.Service
			list = append(list, fmt.Sprint(event.Kind, s.Text, s.Addrs, s.Interfaces))
			s.Text[0], s.Addrs[0], s.Endpoints[0].Interface, s.Interfaces[0] = "x", netip.Addr{}, "x", "x"
			b.quer.unwatch(b.quer.watch(true, name(t, "_http._tcp.local"), message.TypePTR)) // others may look, too
		}
		same(t, list, "added [path=/x] [10.0.1.1] [eth1]", "removed [path=/x] [10.0.1.1] [eth1]")
	})
}

// Any name can have records of any types, with addresses or without; they follow
// updates, and another host that wants the name with other records gets another one.
func TestRecordsOfOtherNames(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 1, false)
		b, _ := e.node(t, "beta", 1, false)
		asker := e.station(1, false)
		text := func(s string) message.Resource {
			data, err := message.TXT(s)
			if err != nil {
				t.Fatal(err)
			}
			return message.Resource{Type: message.TypeTXT, Data: data}
		}
		none := []netip.Addr{}
		r, err := a.RegisterHost(t.Context(), Host{Name: "key.local", Addrs: none, Records: []message.Resource{text("one"), {Type: 13, TTL: 60, Data: "\x01a\x01b"}}})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(typ message.Type) (all []string) {
			t.Helper()
			time.Sleep(5 * time.Second)
			mark := time.Now()
			e.inject(asker, group4, build(t, 0, []message.Question{{Name: name(t, "KEY.local"), Type: typ, Class: message.ClassIN}}, nil))
			time.Sleep(time.Second)
			for _, record := range first(e.said(sa, mark)) {
				all = append(all, fmt.Sprintf("%v %d %q", record.Type, record.TTL, record.Data))
			}
			return all
		}
		if got := fmt.Sprint(ask(message.TypeTXT)); got != `[TXT 4500 "\x03one"]` {
			t.Error(got)
		}
		if got := fmt.Sprint(ask(13)); got != `[TYPE13 60 "\x01a\x01b"]` {
			t.Error(got)
		}
		if got := ask(message.TypeA); len(got) != 1 || !strings.HasPrefix(got[0], "NSEC") {
			t.Errorf("an address of a name that has none: %q", got)
		}
		if err := r.UpdateRecords(text("two")); err != nil {
			t.Error(err)
		}
		if got := fmt.Sprint(ask(message.TypeANY)); got != `[TXT 4500 "\x03two"]` {
			t.Error(got)
		}
		taken, err := b.RegisterHost(t.Context(), Host{Name: "key.local", Addrs: none, Records: []message.Resource{text("three")}})
		if err != nil || taken.Name() != "key-2.local" || r.Name() != "key.local" {
			t.Errorf("%v, %v and %v", err, taken.Name(), r.Name())
		}
		r.Close()
		if err := r.UpdateRecords(text("x")); err == nil {
			t.Error("an ended registration is updated")
		}
		for _, h := range []Host{
			{Name: "x", Addrs: none},
			{Name: "x", Records: []message.Resource{{Type: message.TypeA, Data: "\x01\x02\x03\x04"}}},
			{Name: "x", Records: []message.Resource{{Type: message.TypeCNAME, Data: "\x01a\x00"}}},
			{Name: "x", Records: []message.Resource{{Type: message.TypeTXT, Data: strings.Repeat("\xff"+strings.Repeat("a", 255), 40)}}},
		} {
			if _, err := a.RegisterHost(t.Context(), h); err == nil || !strings.Contains(err.Error(), "mdns: ") {
				t.Errorf("%+v: %v", h, err)
			}
		}
	})
}

// A service is announced on its interfaces alone: when they come later, and when
// they change, with goodbyes where it was and probes where it comes.
func TestInterfacesOfOneRegistration(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, sa := e.node(t, "alpha", 2, false)
		b, _ := e.node(t, "beta", 2, false)
		asker := e.station(2, false)
		s := page("Page")
		s.Interfaces = []string{"eth1"}
		r := register(t, a, s)
		found := browseFor(t, b, "_http._tcp")
		time.Sleep(10 * time.Second)
		both := func() { // the second address may come a moment later
			t.Helper()
			if all := found.take(); len(all) == 0 || !strings.HasSuffix(all[len(all)-1], "ed Page _http._tcp alpha.local:80 [path=/x] [10.0.1.1 10.0.2.1]") {
				t.Errorf("%q", all)
			}
		}
		both()
		instance := name(t, "Page._http._tcp.local")
		on := func(since time.Time, f func(*parsed) bool) (links [3]int) {
			for _, m := range e.sent(sa, since, f) {
				links[m.link]++
			}
			return links
		}
		concerns := func(m *parsed) bool {
			return slices.ContainsFunc(slices.Concat(m.records[:]...), func(r message.Resource) bool { return r.Name == instance || r.Data == string(instance) })
		}
		for _, link := range []int{1, 2} {
			e.deliver(sent{time.Now(), asker, link, false, group4, build(t, 0, []message.Question{{Name: instance, Type: message.TypeANY, Class: message.ClassIN}}, nil)}, 5353)
		}
		time.Sleep(2 * time.Second)
		if got := on(time.Time{}, concerns); got[1] == 0 || got[2] != 0 {
			t.Errorf("%d packets on link 1, %d on link 2", got[1], got[2])
		}
		// Another host has the name on the other link: no conflict.
		e.deliver(sent{time.Now(), asker, 2, false, group4, deny(t, instance, "theirs")}, 5353)
		time.Sleep(2 * time.Second)
		if n := a.Stats().Conflicts; n != 0 {
			t.Errorf("%d conflicts on a link where the name is not ours", n)
		}
		mark := time.Now()
		s.Interfaces = []string{"eth2"}
		if err := r.Update(s); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		gone := on(mark, func(m *parsed) bool {
			return slices.ContainsFunc(m.records[message.Answers], func(r message.Resource) bool { return r.Data == string(instance) && r.TTL == 0 })
		})
		probes := on(mark, func(m *parsed) bool { return m.asks(instance, message.TypeANY) })
		said := on(mark, func(m *parsed) bool { return m.answers(instance, message.TypeSRV) })
		if gone != [3]int{0, 1, 0} || probes != [3]int{0, 0, probeCount} || said[2] < 2 {
			t.Errorf("goodbyes %v, probes %v, announcements %v", gone, probes, said)
		}
		// One that is not there yet.
		s.Interfaces = []string{"eth3"}
		if err := r.Update(s); err != nil {
			t.Fatal(err)
		}
		mark = time.Now().Add(1)
		time.Sleep(10 * time.Second)
		if got := on(mark, concerns); got != [3]int{} {
			t.Errorf("on no interface of ours %v packets", got)
		}
		time.Sleep(time.Second)
		found.take()
		mark = time.Now()
		s.Interfaces = nil
		if err := r.Update(s); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if got := on(mark, func(m *parsed) bool { return m.asks(instance, message.TypeANY) }); got != [3]int{0, probeCount, probeCount} {
			t.Errorf("on all interfaces %v probes", got)
		}
		both()
	})
}

// A service that had to take another name is updated by that, by the one that it
// asked for, or by none; its host, given or not, stays.
func TestUpdatesAfterARename(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		a, _ := e.node(t, "alpha", 1, false)
		b, _ := e.node(t, "alpha", 1, false)
		register(t, a, page("Page"))
		r := register(t, b, page("Page"))
		for i, instance := range []string{"Page", "Page (2)", ""} {
			p := page(instance)
			p.Port = uint16(1000 + i)
			if err := r.Update(p); err != nil {
				t.Errorf("%q: %v", instance, err)
			}
			time.Sleep(3 * time.Second)
			got, err := a.Lookup(t.Context(), "Page (2)", "_http._tcp")
			if err != nil || got.Port != p.Port {
				t.Errorf("%q: %+v, %v", instance, got, err)
			}
		}
		// What was found can be given back.
		got, err := a.Lookup(t.Context(), "Page (2)", "_http._tcp")
		if err != nil {
			t.Fatal(err)
		}
		got.Port = 99
		if err := r.Update(got); err != nil {
			t.Error(err)
		}
		for what, change := range map[string]func(*Service){
			"another name":    func(s *Service) { s.Instance = "Other" },
			"another type":    func(s *Service) { s.Type = "_ipp._tcp" },
			"another host":    func(s *Service) { s.Host = "gamma.local" },
			"a wrong TTL":     func(s *Service) { s.TTL = time.Millisecond },
			"a wrong address": func(s *Service) { s.Host, s.Addrs = "alpha.local", []netip.Addr{{}} },
		} {
			p := page("Page")
			change(&p)
			if err := r.Update(p); err == nil {
				t.Errorf("%s is accepted", what)
			}
		}
	})
}

// What is withdrawn by an update is said goodbye to, of a type that nothing
// replaces; and the new lives are told.
func TestUpdatesOfFurtherRecords(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, s := e.node(t, "alpha", 1, false)
		p := page("Page")
		p.Records = []message.Resource{{Type: 13, Data: "\x01a\x01b"}, {Type: 99, Data: "x"}}
		r := register(t, n, p)
		time.Sleep(5 * time.Second)
		mark := time.Now()
		p.Records, p.TTL = p.Records[:1], time.Hour
		if err := r.Update(p); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		var gone []message.Type
		for _, r := range first(e.said(s, mark)) {
			switch {
			case r.TTL == 0:
				gone = append(gone, r.Type)
			case r.TTL != 3600:
				t.Errorf("%v", r)
			}
		}
		if !slices.Equal(gone, []message.Type{99}) {
			t.Errorf("goodbyes for %v", gone)
		}
	})
}

func TestOffersThatCannotBe(t *testing.T) {
	bubble(t, func(t *testing.T, e *ether) {
		n, _ := e.node(t, "alpha", 1, false)
		for what, change := range map[string]func(*Service){
			"addresses without a host": func(s *Service) { s.Host = "" },
			"no address":               func(s *Service) { s.Addrs = []netip.Addr{{}} },
			"the address of a group":   func(s *Service) { s.Addrs = []netip.Addr{netip.MustParseAddr("224.0.0.251")} },
			"a TTL of a millisecond":   func(s *Service) { s.TTL = time.Millisecond },
			"a TTL below zero":         func(s *Service) { s.TTL = -time.Second },
			"a TTL of parts":           func(s *Service) { s.TTL = 1500 * time.Millisecond },
			"a TTL of centuries":       func(s *Service) { s.TTL = 200 * 365 * 24 * time.Hour },
			"a second SRV record": func(s *Service) {
				s.Records = []message.Resource{{Type: message.TypeSRV, Data: message.SRV(0, 0, 1, "\x01a\x00")}}
			},
			"a record of no type":   func(s *Service) { s.Records = []message.Resource{{Data: "x"}} },
			"an address of 3 bytes": func(s *Service) { s.Records = []message.Resource{{Type: message.TypeA, Data: "abc"}} },
			"a PTR to no name":      func(s *Service) { s.Records = []message.Resource{{Type: message.TypePTR, Data: "abc"}} },
			"a record that is long": func(s *Service) { s.Records = []message.Resource{{Type: 10, Data: strings.Repeat("x", 9000)}} },
			"a host of no name":     func(s *Service) { s.Host = "a..b" },
		} {
			s := camera()
			change(&s)
			if _, err := n.Register(t.Context(), s); err == nil || !strings.Contains(err.Error(), "mdns: ") {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// The next name of a host with a full name as long as may be has its length.
func TestTheNextNameOfALongHost(t *testing.T) {
	long, err := message.NewName(strings.Repeat("a", 63), strings.Repeat("b", 63), strings.Repeat("c", 63), strings.Repeat("d", 56), domain)
	if err != nil {
		t.Fatal(err)
	}
	if len(long) != message.MaxName {
		t.Fatalf("a name of %d bytes", len(long))
	}
	seen := map[message.Name]bool{long: true}
	for n := long; len(seen) < 120; {
		n = nextHostName(n)
		if !n.Valid() || seen[n] {
			t.Fatalf("%v after %d names", n, len(seen))
		}
		seen[n] = true
	}
}
