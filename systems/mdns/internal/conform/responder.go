package conform

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// What the responder under test announces.
const (
	service  = "_pp._tcp.local."
	instance = "Dut._pp._tcp.local."
	host     = "duthost.local."
	port     = 9000
	text     = "path=/x"
	meta     = "_services._dns-sd._udp.local."
)

// Responder is a responder under test.
type Responder struct {
	Name string
	// Start starts to announce the instance, and returns at once. The function
	// that it returns stops it with a goodbye.
	Start func(t testing.TB, h *netlab.Host, ipv6 bool) (stop func())
}

// Check is one demand on a responder.
type Check struct {
	Number  int
	Name    string
	Section string // of RFC 6762, unless it says another
	run     func(r *run) error
}

// run is a check on its way.
type run struct {
	t testing.TB
	*Tester
	since time.Time // the start of the responder
	host  *netlab.Host
	stop  func()
}

var errNotSeen = errors.New("not seen")

// Checks returns all checks in their order: those that look at the start come
// first, those that stop or disturb the responder last.
func Checks() []Check {
	return []Check{
		{1, "three probes, 250 ms apart", "8.1", func(r *run) error { return r.probes() }},
		{2, "a probe has the records in its authority section", "8.2", func(r *run) error { return r.probesHaveAuthority() }},
		{3, "a probe asks for a unicast response", "8.1", func(r *run) error { return r.probesAreQU() }},
		{4, "two announcements, a second apart", "8.3", func(r *run) error { return r.announcements() }},
		{5, "unique records have the cache-flush bit", "10.2", func(r *run) error { return r.flushBit(true) }},
		{6, "the shared PTR has no cache-flush bit", "10.2", func(r *run) error { return r.flushBit(false) }},
		{7, "IP TTL 255", "11", func(r *run) error { return r.ttl() }},
		{8, "QM PTR is answered by multicast", "6", func(r *run) error {
			return r.answered(Query(service+" PTR"), func(p Packet) bool { return !p.Unicast && pointsTo(p.Msg.Answer, service, instance) })
		}},
		{9, "SRV, TXT and address come with the PTR", "RFC 6763, 12.1", func(r *run) error { return r.additionals() }},
		{10, "QM SRV is answered", "6", func(r *run) error { return r.answeredType(instance, dns.TypeSRV) }},
		{11, "QM TXT is answered", "6", func(r *run) error { return r.answeredType(instance, dns.TypeTXT) }},
		{12, "QM for the host's address is answered", "6", func(r *run) error {
			if r.IPv6 {
				return r.answeredType(host, dns.TypeAAAA)
			}
			return r.answeredType(host, dns.TypeA)
		}},
		{13, "QM ANY is answered", "6.5", func(r *run) error {
			return r.answered(Query(instance+" ANY"), func(p Packet) bool {
				return has(p.Msg.Answer, instance, dns.TypeSRV) && has(p.Msg.Answer, instance, dns.TypeTXT)
			})
		}},
		{14, "names are case-insensitive", "16", func(r *run) error {
			return errors.Join(
				r.answered(Query("_PP._tCP.LOCAL. PTR"), func(p Packet) bool { return pointsTo(p.Msg.Answer, service, instance) }),
				r.pause(),
				r.answered(Query("dUT._pp._TCP.local. SRV"), func(p Packet) bool { return has(p.Msg.Answer, instance, dns.TypeSRV) }))
		}},
		{15, "QU is answered by unicast after a multicast", "5.4", func(r *run) error { return r.unicast() }},
		{16, "two questions are both answered", "6.3", func(r *run) error { return r.twoQuestions() }},
		{17, "the query for service types is answered", "RFC 6763, 9", func(r *run) error {
			return r.answered(Query(meta+" PTR"), func(p Packet) bool { return pointsTo(p.Msg.Answer, meta, service) })
		}},
		{18, "a known answer is not repeated", "7.1", func(r *run) error { return r.known(4500, false) }},
		{19, "a known answer with less than half of its life is", "7.1", func(r *run) error { return r.known(1000, true) }},
		{20, "known answers may come in the packets that follow", "7.2", func(r *run) error { return r.moreKnown() }},
		{21, "a record is multicast once a second", "6", func(r *run) error { return r.rateLimit() }},
		{22, "a query from another port gets what unicast DNS has", "6.7", func(r *run) error { return r.legacy() }},
		{23, "NSEC says that there is no such record", "6.1", func(r *run) error { return r.nsec() }},
		{24, "310 malformed packets do no harm", "", func(r *run) error { return r.malformed() }},
		{28, "responses have ID 0 and AA, and no questions", "18", func(r *run) error { return r.header() }},
		{29, "shared answers are delayed by 20 ms at least", "6", func(r *run) error { return r.delayed() }},
		{30, "a query with an operation code is ignored", "18.3", func(r *run) error { return r.opcode() }},
		{31, "a probe for our name is answered at once", "8.1", func(r *run) error { return r.defends() }},
		{32, "a unicast query from off the link is refused", "11", func(r *run) error { return r.offLink() }},
		{33, "what another host has just answered is not answered", "7.4", func(r *run) error { return r.duplicate() }},
		{25, "a later conflict: probe again or defend", "9", func(r *run) error { return r.laterConflict() }},
		{26, "a goodbye with TTL 0", "10.1", func(r *run) error { return r.goodbye() }},
		{34, "a lost tie-break: wait a second, then probe again", "8.2", func(r *run) error { return r.tieBreak() }},
		{27, "a conflict while probing: another name", "8.1, 9", func(r *run) error { return r.rename() }},
		{35, "a goodbye under the new name", "10.1", func(r *run) error { return r.goodbyeRenamed() }},
	}
}

// Run starts the responder under test and runs all checks by one family, as
// tests of t. report is called with each result.
func Run(t *testing.T, target Responder, ipv6 bool, report func(Check, error)) {
	dut, other := netlab.Pair(t, 1)
	r := &run{Tester: NewTester(t, other, dut, ipv6), host: other}
	r.t = t
	start := func() {
		r.since = time.Now()
		r.stop = target.Start(t, dut, ipv6)
	}
	for _, c := range Checks() {
		t.Run(fmt.Sprintf("%02d", c.Number), func(t *testing.T) {
			r.t = t
			switch c.Number {
			case 1:
				start()
				r.Await(r.since, 15*time.Second, func(p Packet) bool {
					return p.Response() && has(p.Msg.Answer, instance, dns.TypeSRV)
				})
				r.Settle(2500 * time.Millisecond)
			case 34, 27:
				start()
			case 35: // of the instance that 27 has started
			default:
				r.pause()
			}
			report(c, c.run(r))
			if c.Number == 34 {
				r.stop()
			}
		})
	}
}

// pause waits longer than the rate limit.
func (r *run) pause() error {
	time.Sleep(1150 * time.Millisecond)
	return nil
}

// probeList returns the probes for the instance before its first announcement.
func (r *run) probeList() (all []Packet) {
	for _, p := range r.Since(r.since) {
		if p.Msg == nil {
			continue
		}
		if p.Response() && has(p.Msg.Answer, instance, dns.TypeSRV) {
			break
		}
		if !p.Msg.Response && slices.ContainsFunc(p.Msg.Question, func(q dns.Question) bool { return strings.EqualFold(q.Name, instance) }) {
			all = append(all, p)
		}
	}
	return all
}

func (r *run) probes() error {
	all := r.probeList()
	if len(all) < 3 {
		return fmt.Errorf("%d probes for %s", len(all), instance)
	}
	for i := range 2 {
		if gap := all[i+1].At.Sub(all[i].At); gap < 200*time.Millisecond {
			return fmt.Errorf("probes %d and %d are %v apart", i+1, i+2, gap)
		}
	}
	return nil
}

func (r *run) probesHaveAuthority() error {
	all := r.probeList()
	for i, p := range all {
		if !has(p.Msg.Ns, instance, dns.TypeSRV) {
			return fmt.Errorf("probe %d has authority records %v", i+1, p.Msg.Ns)
		}
		for _, rr := range p.Msg.Ns {
			if rr.Header().Class&topBit != 0 {
				return fmt.Errorf("probe %d: the cache-flush bit is set in %v", i+1, rr)
			}
		}
	}
	if len(all) == 0 {
		return errNotSeen
	}
	return nil
}

func (r *run) probesAreQU() error {
	all := r.probeList()
	for i, p := range all {
		for _, q := range p.Msg.Question {
			if strings.EqualFold(q.Name, instance) && q.Qclass&topBit == 0 {
				return fmt.Errorf("probe %d asks for a multicast response", i+1)
			}
		}
	}
	if len(all) == 0 {
		return errNotSeen
	}
	return nil
}

func (r *run) announcements() error {
	var all []time.Time
	for _, p := range r.Since(r.since) {
		if p.Response() && !p.Unicast && has(p.Msg.Answer, instance, dns.TypeSRV) {
			all = append(all, p.At)
		}
	}
	if len(all) < 2 {
		return fmt.Errorf("%d announcements", len(all))
	}
	if gap := all[1].Sub(all[0]); gap < 950*time.Millisecond {
		return fmt.Errorf("the second announcement comes %v after the first", gap)
	}
	return nil
}

func (r *run) flushBit(unique bool) error {
	seen := 0
	for _, p := range r.Since(r.since) {
		if !p.Response() || p.Unicast && p.Src.Port() != 5353 {
			continue
		}
		for _, rr := range p.Msg.Answer {
			h := rr.Header()
			if isUnique := h.Rrtype == dns.TypeSRV || h.Rrtype == dns.TypeTXT || h.Rrtype == dns.TypeA || h.Rrtype == dns.TypeAAAA; isUnique != unique {
				continue
			}
			if !unique && !strings.EqualFold(h.Name, service) {
				continue
			}
			seen++
			if set := h.Class&topBit != 0; set != unique {
				return fmt.Errorf("cache-flush bit %v: %v", set, rr)
			}
		}
	}
	if seen == 0 {
		return errNotSeen
	}
	return nil
}

func (r *run) ttl() error {
	all := r.Since(r.since)
	for _, p := range all {
		if p.TTL != 255 {
			return fmt.Errorf("a packet with TTL %d", p.TTL)
		}
	}
	if len(all) == 0 {
		return errNotSeen
	}
	return nil
}

// answered sends a query and waits for a response.
func (r *run) answered(m *dns.Msg, want func(Packet) bool) error {
	_, err := r.answer(m, want)
	return err
}

func (r *run) answer(m *dns.Msg, want func(Packet) bool) (Packet, error) {
	sent := r.Send(r.t, m)
	p, ok := r.Await(sent, 1500*time.Millisecond, func(p Packet) bool { return p.Response() && want(p) })
	if !ok {
		return p, fmt.Errorf("no answer to %v; heard %v", m.Question, texts(r.Since(sent)))
	}
	return p, nil
}

// texts are packets in an error.
func texts(all []Packet) (lines []string) {
	for _, p := range all {
		if p.Msg != nil {
			lines = append(lines, strings.ReplaceAll(p.Msg.String(), "\n", " "))
		}
	}
	return lines
}

func (r *run) answeredType(name string, typ uint16) error {
	return r.answered(Query(name+" "+dns.TypeToString[typ]), func(p Packet) bool { return !p.Unicast && has(p.Msg.Answer, name, typ) })
}

func (r *run) additionals() error {
	p, err := r.answer(Query(service+" PTR"), func(p Packet) bool { return pointsTo(p.Msg.Answer, service, instance) })
	if err != nil {
		return err
	}
	rrs := records(p.Msg)
	address := has(rrs, host, dns.TypeA) || has(rrs, host, dns.TypeAAAA)
	if !has(rrs, instance, dns.TypeSRV) || !has(rrs, instance, dns.TypeTXT) || !address {
		return fmt.Errorf("with the PTR come only %v", rrs)
	}
	return nil
}

// unicast causes a multicast first: a responder may multicast what it has not
// for a quarter of the TTL.
func (r *run) unicast() error {
	if err := r.answered(Query(service+" PTR"), func(p Packet) bool { return !p.Unicast }); err != nil {
		return err
	}
	r.pause()
	p, err := r.answer(WithQU(Query(service+" PTR")), func(p Packet) bool { return pointsTo(p.Msg.Answer, service, instance) })
	if err == nil && !p.Unicast {
		return errors.New("answered by multicast")
	}
	return err
}

func (r *run) twoQuestions() error {
	sent := r.Send(r.t, Query(instance+" SRV", service+" PTR"))
	for _, want := range []func(Packet) bool{
		func(p Packet) bool { return has(p.Msg.Answer, instance, dns.TypeSRV) },
		func(p Packet) bool { return pointsTo(p.Msg.Answer, service, instance) },
	} {
		if _, ok := r.Await(sent, 1500*time.Millisecond, func(p Packet) bool { return p.Response() && want(p) }); !ok {
			return fmt.Errorf("not both are answered: %v", texts(r.Since(sent)))
		}
	}
	return nil
}

// knownPTR is the answer to the service's question.
func knownPTR(ttl int) dns.RR {
	return Records(fmt.Sprintf("%s %d IN PTR %s", service, ttl, instance))[0]
}

func isPTR(p Packet) bool { return p.Response() && pointsTo(p.Msg.Answer, service, instance) }

func (r *run) known(ttl int, answered bool) error {
	m := Query(service + " PTR")
	m.Answer = []dns.RR{knownPTR(ttl)}
	sent := r.Send(r.t, m)
	_, ok := r.Await(sent, 900*time.Millisecond, isPTR)
	if ok != answered {
		return fmt.Errorf("with a known answer of TTL %d: answered %v", ttl, ok)
	}
	r.pause()
	if err := r.answered(Query(service+" PTR"), isPTR); err != nil {
		return fmt.Errorf("the control: %w", err)
	}
	return nil
}

func (r *run) moreKnown() error {
	m := Query(service + " PTR")
	m.Truncated = true
	sent := r.Send(r.t, m)
	time.Sleep(100 * time.Millisecond)
	r.Send(r.t, &dns.Msg{Answer: []dns.RR{knownPTR(4500)}})
	if _, ok := r.Await(sent, 1200*time.Millisecond, isPTR); ok {
		return errors.New("answered, though the answer is known by the second packet")
	}
	m = Query(service + " PTR")
	m.Truncated = true
	sent = r.Send(r.t, m)
	p, ok := r.Await(sent, 1500*time.Millisecond, isPTR)
	if !ok {
		return errors.New("the control: a truncated query is not answered when no more comes")
	}
	if d := p.At.Sub(sent); d < 350*time.Millisecond {
		return fmt.Errorf("a truncated query is answered after %v", d)
	}
	return nil
}

func (r *run) rateLimit() error {
	first, err := r.answer(Query(service+" PTR"), isPTR)
	if err != nil {
		return err
	}
	time.Sleep(250 * time.Millisecond)
	sent := r.Send(r.t, Query(service+" PTR"))
	if p, ok := r.Await(sent, time.Until(first.At.Add(950*time.Millisecond)), func(p Packet) bool { return isPTR(p) && !p.Unicast }); ok {
		return fmt.Errorf("multicast again after %v", p.At.Sub(first.At))
	}
	r.pause()
	if err := r.answered(Query(service+" PTR"), isPTR); err != nil {
		return fmt.Errorf("the control: %w", err)
	}
	return nil
}

func (r *run) legacy() error {
	m := Query(instance + " SRV")
	m.Id = 0x1234
	sent := r.SendTo(r.t, r.other, r.group, m)
	p, ok := r.Await(sent, 1500*time.Millisecond, func(p Packet) bool { return p.Response() && p.Unicast })
	switch {
	case !ok:
		return errors.New("no answer by unicast")
	case p.Msg.Id != 0x1234:
		return fmt.Errorf("ID %#x", p.Msg.Id)
	case len(p.Msg.Question) != 1 || !strings.EqualFold(p.Msg.Question[0].Name, instance):
		return fmt.Errorf("questions %v", p.Msg.Question)
	case !has(p.Msg.Answer, instance, dns.TypeSRV):
		return fmt.Errorf("answers %v", p.Msg.Answer)
	}
	for _, rr := range records(p.Msg) {
		if h := rr.Header(); h.Class&topBit != 0 || h.Ttl > 10 {
			return fmt.Errorf("cache-flush bit or a TTL of more than 10: %v", rr)
		}
	}
	return nil
}

func (r *run) nsec() error {
	p, err := r.answer(Query(instance+" AAAA"), func(p Packet) bool { return find(p.Msg.Answer, instance, dns.TypeNSEC) != nil })
	if err != nil {
		return err
	}
	n := find(p.Msg.Answer, instance, dns.TypeNSEC).(*dns.NSEC)
	if !strings.EqualFold(n.NextDomain, instance) || slices.Contains(n.TypeBitMap, dns.TypeAAAA) || !slices.Contains(n.TypeBitMap, dns.TypeSRV) || !slices.Contains(n.TypeBitMap, dns.TypeTXT) || slices.Contains(n.TypeBitMap, dns.TypeNSEC) {
		return fmt.Errorf("%v", n)
	}
	return nil
}

// malformed sends ten crafted packets and 300 mutations of a query and a
// response.
func (r *run) malformed() error {
	for _, b := range crafted() {
		r.mdns.WriteToUDP(b, r.group)
	}
	for i, b := range mutations(Query(service+" PTR", instance+" SRV"), Response("Other._pp._tcp.local. 120 FLUSH SRV 0 0 1 other.local.", "other.local. 120 FLUSH A 10.99.0.9")) {
		r.mdns.WriteToUDP(b, r.group)
		if i%10 == 9 {
			time.Sleep(2 * time.Millisecond)
		}
	}
	time.Sleep(3 * time.Second)
	return r.answered(Query(service+" PTR"), isPTR)
}

// mutations are 300 packets that a few random bytes make of good ones, the same
// each time.
func mutations(good ...*dns.Msg) (all [][]byte) {
	random := rand.New(rand.NewPCG(6762, 6763))
	for i := range 300 {
		b, _ := good[i%len(good)].Pack()
		for range 1 + random.IntN(8) {
			b[random.IntN(len(b))] = byte(random.Uint32())
		}
		if random.IntN(4) == 0 {
			b = b[:random.IntN(len(b))]
		}
		all = append(all, b)
	}
	return all
}

// crafted are packets that parsers have failed at.
func crafted() [][]byte {
	header := func(response byte, counts ...byte) []byte {
		b := make([]byte, 12)
		b[2] = response
		copy(b[4:], counts)
		return b
	}
	question := []byte{0, 1, 0, 0, 0, 0, 0, 0}
	full := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	long := append(header(0, question...), []byte(strings.Repeat("\x01a", 4400))...)
	return [][]byte{
		{},
		{0},
		header(0, full...),
		header(0x84, full...),
		append(header(0, question...), 0xc0, 0x0c, 0, 12, 0, 1),
		append(header(0, question...), 0xc0, 0xff, 0, 12, 0, 1),
		append(header(0, question...), 0x40, 'a', 0, 0, 12, 0, 1),
		append(header(0x84, 0, 0, 0, 1), 0, 0, 1, 0, 1, 0, 0, 0, 1, 0xff, 0xff),
		append(long, 0xc0, 0x0c, 0, 12, 0, 1),
		make([]byte, 20000),
	}
}

func (r *run) header() error {
	seen := 0
	for _, p := range r.Since(r.since) {
		if !p.Response() || p.Unicast {
			continue
		}
		seen++
		if m := p.Msg; m.Id != 0 || !m.Authoritative || m.Rcode != 0 || len(m.Question) != 0 {
			return fmt.Errorf("a multicast response with ID %d, AA %v, code %d and %d questions", m.Id, m.Authoritative, m.Rcode, len(m.Question))
		}
	}
	if seen == 0 {
		return errNotSeen
	}
	return nil
}

func (r *run) delayed() error {
	for range 3 {
		sent := r.Send(r.t, Query(service+" PTR"))
		p, ok := r.Await(sent, 1500*time.Millisecond, isPTR)
		if !ok {
			return errNotSeen
		}
		if d := p.At.Sub(sent); d < 19*time.Millisecond {
			return fmt.Errorf("answered after %v", d)
		}
		r.pause()
	}
	return nil
}

func (r *run) opcode() error {
	m := Query(service + " PTR")
	m.Opcode = dns.OpcodeNotify
	sent := r.Send(r.t, m)
	if _, ok := r.Await(sent, 900*time.Millisecond, isPTR); ok {
		return errors.New("answered")
	}
	return r.answered(Query(service+" PTR"), isPTR)
}

// defends asks as a host would that probes for our name.
func (r *run) defends() error {
	m := WithQU(Query(instance + " ANY"))
	m.Ns = Records(instance + " 120 IN SRV 0 0 1 other.local.")
	p, err := r.answer(m, func(p Packet) bool { return has(p.Msg.Answer, instance, dns.TypeSRV) })
	if err != nil {
		return err
	}
	if sent := r.Since(p.At); len(sent) == 0 {
		return errNotSeen
	}
	return nil
}

// offLink asks from an address that is on no subnet of the responder, though it
// could be reached.
func (r *run) offLink() error {
	source, route := "10.77.0.9/32", &net.UDPAddr{IP: net.IPv4(10, 77, 0, 9)}
	if r.IPv6 {
		source, route = "2001:db8:77::9/128", &net.UDPAddr{IP: net.ParseIP("2001:db8:77::9")}
	}
	dev := r.host.Links[0].Name
	r.host.IP(r.t, "addr add "+source+" dev "+dev)
	defer r.host.IP(r.t, "addr del "+source+" dev "+dev)
	if r.IPv6 {
		time.Sleep(2 * time.Second) // until the address is not tentative
	}
	var from *net.UDPConn
	var err error
	r.host.Do(r.t, func() {
		from, err = net.ListenUDP(map[bool]string{false: "udp4", true: "udp6"}[r.IPv6], route)
	})
	if err != nil {
		return err
	}
	defer from.Close()
	ask := func(c *net.UDPConn) (answered bool, err error) {
		b, _ := Query(instance + " SRV").Pack()
		if _, err := c.WriteToUDP(b, r.Peer()); err != nil {
			return false, err
		}
		c.SetReadDeadline(time.Now().Add(1200 * time.Millisecond))
		_, _, err = c.ReadFromUDP(make([]byte, 9000))
		return err == nil, nil
	}
	if answered, err := ask(from); err != nil || answered {
		return fmt.Errorf("answered a host off the link: %v, %v", answered, err)
	}
	// The control: the same from an address on the link.
	sent := r.SendTo(r.t, r.other, r.Peer(), Query(instance+" SRV"))
	if _, ok := r.Await(sent, 1500*time.Millisecond, func(p Packet) bool { return p.Unicast && has(p.Msg.Answer, instance, dns.TypeSRV) }); !ok {
		return errors.New("the control: a unicast query from the link is not answered")
	}
	return nil
}

// duplicate answers the question itself, before the responder's delay has
// passed: a shared record with the same data and TTL.
func (r *run) duplicate() error {
	for range 3 {
		sent := r.Send(r.t, Query(service+" PTR"))
		r.Send(r.t, &dns.Msg{MsgHdr: dns.MsgHdr{Response: true, Authoritative: true}, Answer: []dns.RR{knownPTR(4500)}})
		if _, ok := r.Await(sent, 900*time.Millisecond, isPTR); ok {
			return errors.New("answered again")
		}
		r.pause()
	}
	return r.answered(Query(service+" PTR"), isPTR)
}

// laterConflict claims the name with other data.
func (r *run) laterConflict() error {
	sent := r.Send(r.t, Response(instance+" 120 FLUSH SRV 0 0 4242 evil.local."))
	_, ok := r.Await(sent, 3*time.Second, func(p Packet) bool {
		probe := !p.Msg.Response && slices.ContainsFunc(p.Msg.Question, func(q dns.Question) bool {
			return strings.EqualFold(q.Name, instance) && q.Qtype == dns.TypeANY
		})
		return probe || p.Msg.Response && has(p.Msg.Answer, instance, dns.TypeSRV)
	})
	if !ok {
		return errors.New("neither probed nor defended")
	}
	r.Settle(2500 * time.Millisecond)
	return r.answered(Query(instance+" SRV"), func(p Packet) bool { return has(p.Msg.Answer, instance, dns.TypeSRV) })
}

// goodbye stops the responder.
func (r *run) goodbye() error {
	sent := time.Now()
	r.stop()
	_, ok := r.Await(sent, 2*time.Second, func(p Packet) bool {
		rr := find(p.Msg.Answer, service, dns.TypePTR)
		return p.Response() && rr != nil && rr.Header().Ttl == 0
	})
	if !ok {
		return fmt.Errorf("no PTR with TTL 0: %v", texts(r.Since(sent)))
	}
	return nil
}

// tieBreak probes for the same name at the same time, with greater data.
func (r *run) tieBreak() error {
	isProbe := func(p Packet) bool {
		return !p.Msg.Response && slices.ContainsFunc(p.Msg.Question, func(q dns.Question) bool { return strings.EqualFold(q.Name, instance) })
	}
	if _, ok := r.Await(r.since, 15*time.Second, isProbe); !ok {
		return errNotSeen
	}
	m := WithQU(Query(instance + " ANY"))
	// Of the data's bytes the first is the length of a string.
	m.Ns = Records(instance+" 120 IN TXT \"a=string longer than theirs\"", instance+" 120 IN SRV 65535 65535 65535 zz.local.")
	sent := r.Send(r.t, m)
	again, ok := r.Await(sent.Add(50*time.Millisecond), 3*time.Second, isProbe)
	if !ok {
		return errors.New("does not probe again")
	}
	if d := again.At.Sub(sent); d < 900*time.Millisecond {
		return fmt.Errorf("probes again after %v", d)
	}
	if _, ok := r.Await(sent, 5*time.Second, func(p Packet) bool { return p.Response() && has(p.Msg.Answer, instance, dns.TypeSRV) }); !ok {
		return errors.New("does not announce the name in the end")
	}
	return nil
}

// rename defends the name against the responder that probes for it.
func (r *run) rename() error {
	if _, ok := r.Await(r.since, 15*time.Second, func(p Packet) bool {
		return !p.Msg.Response && slices.ContainsFunc(p.Msg.Question, func(q dns.Question) bool { return strings.EqualFold(q.Name, instance) })
	}); !ok {
		return errNotSeen
	}
	r.Send(r.t, Response(instance+" 120 FLUSH SRV 0 0 4242 first.local.", instance+" 4500 FLUSH TXT \"first\""))
	p, ok := r.Await(r.since, 10*time.Second, func(p Packet) bool {
		rr := find(p.Msg.Answer, service, dns.TypePTR)
		return p.Response() && rr != nil
	})
	if !ok {
		return errors.New("announces nothing after the conflict")
	}
	if pointsTo(p.Msg.Answer, service, instance) {
		return errors.New("announces the name that another host has")
	}
	return nil
}

func (r *run) goodbyeRenamed() error {
	r.Settle(2500 * time.Millisecond)
	sent := time.Now()
	r.stop()
	p, ok := r.Await(sent, 2*time.Second, func(p Packet) bool {
		rr := find(p.Msg.Answer, service, dns.TypePTR)
		return p.Response() && rr != nil && rr.Header().Ttl == 0
	})
	if !ok {
		return errors.New("no goodbye")
	}
	if pointsTo(p.Msg.Answer, service, instance) {
		return errors.New("a goodbye for the name that another host has")
	}
	return nil
}
