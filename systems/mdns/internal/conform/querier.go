package conform

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// Querier is a querier under test: a program that browses for _pp._tcp.
type Querier struct {
	Name string
	// Start starts to browse.
	Start func(t testing.TB, h *netlab.Host) *netlab.Process
	// Told reports whether the program's output says that something happened to
	// an instance: "added", "updated" or "removed".
	Told func(out, event, instance string) bool
}

// QuerierCheck is one demand on a querier.
type QuerierCheck struct {
	Number  int
	Name    string
	Section string // of RFC 6762
	run     func(r *asked) error
}

// asked is a check on its way: a fresh querier that has asked once, and when it was
// started.
type asked struct {
	t testing.TB
	*Tester
	q     Querier
	p     *netlab.Process
	since time.Time
}

// QuerierChecks returns all checks of queriers.
func QuerierChecks() []QuerierCheck {
	return []QuerierCheck{
		{1, "queries go from port 5353 to the group, with TTL 255, ID 0 and no flags", "5.2, 11, 18", (*asked).form},
		{2, "a second between the first two queries, then twice as long each time", "5.2", (*asked).backOff},
		{3, "known answers are listed while they have more than half of their life", "7.1", (*asked).knownAnswers},
		{4, "a record is asked for at 80 % of its life", "5.2", (*asked).refresh},
		{5, "a service is told of once all is known, and the rest is asked for", "RFC 6763, 4", (*asked).resolves},
		{6, "a goodbye ends a service after a second", "10.1", (*asked).goodbye},
		{7, "a record with the cache-flush bit replaces the older ones", "10.2", (*asked).flush},
		{8, "a service whose records end is gone", "10", (*asked).ends},
		{9, "responses from another port are ignored", "6", (*asked).otherPort},
		{10, "responses with a code are ignored", "18.11", (*asked).code},
		{11, "unicast responses that nobody asked for are ignored", "6, 11", (*asked).unicast},
		{12, "other types are not told of", "RFC 6763, 4", (*asked).otherType},
		{13, "310 malformed packets do no harm", "", (*asked).malformed},
		{14, "many known answers come in several packets", "7.2", (*asked).manyKnown},
	}
}

// RunQuerier runs all checks of a querier by one family, as tests of t, each
// with a querier of its own.
func RunQuerier(t *testing.T, q Querier, ipv6 bool, report func(QuerierCheck, error)) {
	dut, other := netlab.Pair(t, 1)
	x := NewTester(t, other, dut, ipv6)
	for _, c := range QuerierChecks() {
		t.Run(fmt.Sprintf("%02d", c.Number), func(t *testing.T) {
			r := &asked{t: t, Tester: x, q: q, since: time.Now()}
			r.p = q.Start(t, dut)
			defer r.p.Stop(t)
			if _, ok := r.Await(r.since, 10*time.Second, browses); !ok {
				report(c, errors.New("no query"))
				return
			}
			report(c, c.run(r))
		})
	}
}

// browses reports whether a packet asks for the service.
func browses(p Packet) bool { return asksFor(p, service, dns.TypePTR) }

// queries returns the packets that ask for the service.
func (r *asked) queries() (all []Packet) {
	for _, p := range r.Since(r.since) {
		if browses(p) {
			all = append(all, p)
		}
	}
	return all
}

// announce sends an instance with all its records, which live for ttl seconds.
func (r *asked) announce(name string, ttl, port int) time.Time {
	return r.Send(r.t, r.response(name, ttl, port))
}

func (r *asked) response(name string, ttl, port int) *dns.Msg {
	full := name + "." + service
	address := "tester.local. 120 FLUSH A 10.99.0.2"
	if r.IPv6 {
		address = "tester.local. 120 FLUSH AAAA fe80::2"
	}
	m := Response(fmt.Sprintf("%s %d IN PTR %s", service, ttl, full))
	m.Extra = Records(
		fmt.Sprintf("%s %d FLUSH SRV 0 0 %d tester.local.", full, min(ttl, 120), port),
		fmt.Sprintf("%s %d FLUSH TXT \"path=/x\"", full, ttl), address)
	return m
}

// told waits until the program tells of an event.
func (r *asked) told(event, name string, d time.Duration) bool {
	return r.p.AwaitFunc(func(out string) bool { return r.q.Told(out, event, name) }, d)
}

// added announces an instance, and waits until it is told of.
func (r *asked) added(name string, ttl int) (sent time.Time, err error) {
	sent = r.announce(name, ttl, 1)
	if !r.told("added", name, 3*time.Second) {
		err = errors.New("not told of")
	}
	return sent, err
}

// never reports an error if the program tells of an instance within a second,
// and then, as the control, none if it tells of another one.
func (r *asked) never(name string) error {
	if r.told("added", name, time.Second) {
		return fmt.Errorf("%s is told of", name)
	}
	r.announce(name+"-control", 120, 1)
	if !r.told("added", name+"-control", 3*time.Second) {
		return errors.New("the control is not told of")
	}
	return nil
}

func (r *asked) form() error {
	for _, p := range r.queries() {
		m := p.Msg
		if p.Src.Port() != 5353 || p.Unicast || p.TTL != 255 || m.Id != 0 || m.RecursionDesired || m.Opcode != 0 || m.Rcode != 0 {
			return fmt.Errorf("from port %d with TTL %d: %v", p.Src.Port(), p.TTL, m.MsgHdr)
		}
	}
	return nil
}

func (r *asked) backOff() error {
	time.Sleep(8 * time.Second)
	all := r.queries()
	if len(all) < 3 || len(all) > 5 {
		return fmt.Errorf("%d queries in eight seconds", len(all))
	}
	last := time.Duration(0)
	for i := 1; i < len(all); i++ {
		gap := all[i].At.Sub(all[i-1].At)
		if gap < 900*time.Millisecond || gap < last*18/10 {
			return fmt.Errorf("query %d comes %v after the one before, that came after %v", i+1, gap, last)
		}
		last = gap
	}
	return nil
}

func (r *asked) knownAnswers() error {
	const ttl = 5
	sent := r.announce("Known", ttl, 1)
	time.Sleep(4 * time.Second)
	listed := 0
	for _, p := range r.queries() {
		age := p.At.Sub(sent).Seconds()
		known := pointsTo(p.Msg.Answer, service, "Known."+service)
		switch {
		case age > 0.1 && age < ttl/2.0-0.1:
			if !known {
				return fmt.Errorf("not listed after %.1f of %d s", age, ttl)
			}
			listed++
			rr := find(p.Msg.Answer, service, dns.TypePTR)
			if left := rr.Header().Ttl; left > ttl || left < ttl/2 || rr.Header().Class&topBit != 0 {
				return fmt.Errorf("listed after %.1f s as %v", age, rr)
			}
		case age > ttl/2.0+0.1 && known:
			return fmt.Errorf("listed after %.1f of %d s", age, ttl)
		}
	}
	if listed == 0 {
		return errors.New("no query while the answer was known")
	}
	return nil
}

func (r *asked) refresh() error {
	const ttl = 12 // the plain queries are at 1, 3 and 7 seconds
	sent := r.announce("Refresh", ttl, 1)
	from, to := sent.Add(ttl*80*time.Second/100), sent.Add(ttl*84*time.Second/100)
	time.Sleep(time.Until(to.Add(200 * time.Millisecond)))
	for _, p := range r.queries() {
		if p.At.After(from.Add(-50*time.Millisecond)) && p.At.Before(to.Add(100*time.Millisecond)) {
			return nil
		}
	}
	return errors.New("not asked for at 80 to 82 % of its life")
}

func (r *asked) resolves() error {
	full := "Bare." + service
	m := r.response("Bare", 120, 7)
	srv, txt, address := m.Extra[0], m.Extra[1], m.Extra[2]
	sent := r.Send(r.t, &dns.Msg{MsgHdr: m.MsgHdr, Answer: m.Answer})
	asks := func(name string, typ uint16) bool {
		_, ok := r.Await(sent, 3*time.Second, func(p Packet) bool { return asksFor(p, name, typ, dns.TypeANY) })
		return ok
	}
	if !asks(full, dns.TypeSRV) || !asks(full, dns.TypeTXT) {
		return errors.New("SRV and TXT are not asked for")
	}
	sent = r.Send(r.t, &dns.Msg{MsgHdr: m.MsgHdr, Answer: []dns.RR{srv, txt}})
	if !asks("tester.local.", address.Header().Rrtype) {
		return errors.New("the host's address is not asked for")
	}
	r.Send(r.t, &dns.Msg{MsgHdr: m.MsgHdr, Answer: []dns.RR{address}})
	if !r.told("added", "Bare", 3*time.Second) {
		return errors.New("not told of")
	}
	return nil
}

func (r *asked) goodbye() error {
	if _, err := r.added("Leaving", 120); err != nil {
		return err
	}
	sent := r.announce("Leaving", 0, 1)
	if !r.told("removed", "Leaving", 3*time.Second) {
		return errors.New("not removed")
	}
	if d := time.Since(sent); d < 800*time.Millisecond {
		return fmt.Errorf("removed after %v: a second is for other owners of the record", d)
	}
	return nil
}

func (r *asked) flush() error {
	if _, err := r.added("Changing", 120); err != nil {
		return err
	}
	time.Sleep(1200 * time.Millisecond)
	r.announce("Changing", 120, 2)
	if !r.told("updated", "Changing", 3*time.Second) {
		return errors.New("the new port is not told of")
	}
	return nil
}

func (r *asked) ends() error {
	sent, err := r.added("Mortal", 3)
	if err != nil {
		return err
	}
	if !r.told("removed", "Mortal", 6*time.Second) {
		return errors.New("not removed")
	}
	if d := time.Since(sent); d < 2900*time.Millisecond || d > 5*time.Second {
		return fmt.Errorf("records of 3 seconds are gone after %v", d)
	}
	return nil
}

func (r *asked) otherPort() error {
	r.SendTo(r.t, r.other, r.group, r.response("Ported", 120, 1))
	return r.never("Ported")
}

func (r *asked) code() error {
	m := r.response("Coded", 120, 1)
	m.Rcode = dns.RcodeNameError
	r.Send(r.t, m)
	return r.never("Coded")
}

func (r *asked) unicast() error {
	r.SendTo(r.t, r.mdns, r.Peer(), r.response("Direct", 120, 1))
	return r.never("Direct")
}

func (r *asked) otherType() error {
	r.Send(r.t, Response("_other._tcp.local. 120 IN PTR Wrong._other._tcp.local."))
	return r.never("Wrong")
}

func (r *asked) malformed() error {
	for _, b := range append(crafted(), mutations(r.response("Mutant", 120, 1))...) {
		r.mdns.WriteToUDP(b, r.group)
		time.Sleep(200 * time.Microsecond)
	}
	r.announce("Survivor", 120, 1)
	if !r.told("added", "Survivor", 5*time.Second) {
		return errors.New("a good response after them is not told of")
	}
	return nil
}

func (r *asked) manyKnown() error {
	const n = 60
	for i := 0; i < n; i += 20 {
		var all []string
		for j := range 20 {
			all = append(all, fmt.Sprintf("%s 4500 IN PTR An-instance-whose-name-is-rather-long-number-%d.%s", service, i+j, service))
		}
		r.Send(r.t, Response(all...))
	}
	time.Sleep(4 * time.Second)
	known, packets := map[string]bool{}, 0
	for _, p := range r.Since(r.since) {
		if p.Msg == nil || p.Msg.Response {
			continue
		}
		if browses(p) {
			if len(known) == n && packets > 1 {
				return nil
			}
			known, packets = map[string]bool{}, 0
		}
		for _, rr := range p.Msg.Answer {
			if ptr, ok := rr.(*dns.PTR); ok {
				known[strings.ToLower(ptr.Ptr)] = true
			}
		}
		packets++
		if last := len(known) == n; packets > 0 && len(p.Msg.Answer) > 0 && p.Msg.Truncated == last {
			return fmt.Errorf("%d of %d answers are listed, truncated %v", len(known), n, p.Msg.Truncated)
		}
		if len(known) == n && packets > 1 {
			return nil
		}
	}
	return fmt.Errorf("no query lists all %d answers in several packets", n)
}
