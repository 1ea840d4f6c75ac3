package conform

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// Checks returns all checks in their order: those that look at the start come
// first, those that stop or disturb the responder last.
func Checks() []Check {
	return []Check{
		{1, "three probes, 250 ms apart", "8.1", heard(probes)},
		{2, "a probe has the records in its authority section", "8.2", heard(probesHaveAuthority)},
		{3, "a probe asks for a unicast response", "8.1", heard(probesAreQU)},
		{4, "two announcements, a second apart", "8.3", heard(announcements)},
		{5, "unique records have the cache-flush bit", "10.2", heard(func(all []Packet) error { return flushBit(all, true) })},
		{6, "the shared PTR has no cache-flush bit", "10.2", heard(func(all []Packet) error { return flushBit(all, false) })},
		{7, "IP TTL 255", "11", heard(ttl)},
		{8, "QM PTR is answered by multicast", "6", func(r *run) error {
			return r.answered(Query(service+" PTR"), func(p Packet) bool { return !p.Unicast && isPTR(p) })
		}},
		{9, "SRV, TXT and address come with the PTR", "RFC 6763, 12.1", (*run).additionals},
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
			err := r.answered(Query("_PP._tCP.LOCAL. PTR"), isPTR)
			r.pause()
			return errors.Join(err, r.answered(Query("dUT._pp._TCP.local. SRV"), isSRV))
		}},
		{15, "QU is answered by unicast after a multicast", "5.4", (*run).unicast},
		{16, "two questions are both answered", "6.3", (*run).twoQuestions},
		{17, "the query for service types is answered", "RFC 6763, 9", func(r *run) error {
			return r.answered(Query(meta+" PTR"), func(p Packet) bool { return pointsTo(p.Msg.Answer, meta, service) })
		}},
		{18, "a known answer is not repeated", "7.1", func(r *run) error { return r.known(4500, false) }},
		{19, "a known answer with less than half of its life is", "7.1", func(r *run) error { return r.known(1000, true) }},
		{20, "known answers may come in the packets that follow", "7.2", (*run).moreKnown},
		{21, "a record is multicast once a second", "6", (*run).rateLimit},
		{22, "a query from another port gets what unicast DNS has", "6.7", (*run).legacy},
		{23, "NSEC says that there is no such record", "6.1", (*run).nsec},
		{24, "310 malformed packets do no harm", "", (*run).malformed},
		{28, "responses have ID 0 and AA, and no questions", "18", heard(header)},
		{29, "shared answers are delayed by 20 ms at least", "6", (*run).delayed},
		{30, "a query with an operation code is ignored", "18.3", (*run).opcode},
		{31, "a probe for our name is answered at once", "8.1", (*run).defends},
		{32, "a unicast query from off the link is refused", "11", (*run).offLink},
		{33, "what another host has just answered is not answered", "7.4", (*run).duplicate},
		{25, "a later conflict: probe again or defend", "9", (*run).laterConflict},
		{26, "a goodbye with TTL 0", "10.1", (*run).goodbye},
		{34, "a lost tie-break: wait a second, then probe again", "8.2", (*run).tieBreak},
		{27, "a conflict while probing: another name", "8.1, 9", (*run).rename},
		{35, "a goodbye under the new name", "10.1", (*run).goodbyeRenamed},
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
				r.Await(r.since, 15*time.Second, isSRV)
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

// heard is a check of what was heard since the responder has started.
func heard(f func([]Packet) error) func(*run) error {
	return func(r *run) error { return f(r.Since(r.since)) }
}
