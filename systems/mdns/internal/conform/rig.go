package conform

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"
	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// Packet is a packet of the program under test, as the tester received it.
type Packet struct {
	At      time.Time
	Msg     *dns.Msg // nil if it cannot be read
	Raw     []byte
	TTL     int // of IP
	Src     netip.AddrPort
	Unicast bool // sent to the tester alone
}

// Response reports whether it is a response.
func (p Packet) Response() bool { return p.Msg != nil && p.Msg.Response }

// Tester is on the cable's other end. It hears all that the program under test
// sends there.
type Tester struct {
	IPv6  bool
	peer  netip.Addr // of the program under test
	group *net.UDPAddr
	mdns  *net.UDPConn // on port 5353
	other *net.UDPConn // on another port, for questions of unicast DNS
	zone  string

	mu      sync.Mutex
	packets []Packet // all, in order
}

// NewTester returns a tester in host, on its first link, that hears what peer
// sends by a family.
func NewTester(t testing.TB, host, peer *netlab.Host, v6 bool) *Tester {
	t.Helper()
	return NewTesterOn(t, host, peer, v6, 0)
}

// NewTesterOn returns a tester as [NewTester] does, on another link.
func NewTesterOn(t testing.TB, host, peer *netlab.Host, v6 bool, link int) *Tester {
	t.Helper()
	l := host.Links[link]
	x := &Tester{IPv6: v6, peer: peer.Links[link].IPv4.Addr(), zone: l.Name}
	if v6 {
		x.peer = peer.Links[link].IPv6
	}
	host.Do(t, func() {
		ifi, err := net.InterfaceByIndex(l.Index)
		if err != nil {
			t.Error(err)
			return
		}
		if err := x.open(ifi); err != nil {
			t.Errorf("the tester's sockets: %v", err)
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	t.Cleanup(func() {
		x.mdns.Close()
		x.other.Close()
	})
	return x
}

func (x *Tester) open(ifi *net.Interface) (err error) {
	network, group, prepared := "udp4", transport.GroupIPv4, prepareIPv4
	if x.IPv6 {
		network, group, prepared = "udp6", transport.GroupIPv6, prepareIPv6
	}
	x.group = &net.UDPAddr{IP: group.AsSlice(), Port: 5353, Zone: x.zoneOf()}
	if x.mdns, err = net.ListenUDP(network, &net.UDPAddr{Port: 5353}); err != nil {
		return err
	}
	if x.other, err = net.ListenUDP(network, nil); err != nil {
		return err
	}
	for c, join := range map[*net.UDPConn]*net.UDPAddr{x.mdns: x.group, x.other: nil} {
		read, err := prepared(c, ifi, join)
		if err != nil {
			return err
		}
		go x.hear(read)
	}
	return nil
}

// reader reads a packet and what IP says of it.
type reader func([]byte) (n, ttl int, dst net.IP, src net.Addr, err error)

func prepareIPv4(c *net.UDPConn, ifi *net.Interface, join *net.UDPAddr) (reader, error) {
	p := ipv4.NewPacketConn(c)
	err := errors.Join(p.SetMulticastInterface(ifi), p.SetMulticastTTL(255), p.SetControlMessage(ipv4.FlagTTL|ipv4.FlagDst, true))
	if join != nil {
		err = errors.Join(err, p.JoinGroup(ifi, join))
	}
	return func(buf []byte) (int, int, net.IP, net.Addr, error) {
		n, cm, src, err := p.ReadFrom(buf)
		if err != nil {
			return 0, 0, nil, nil, err
		}
		return n, cm.TTL, cm.Dst, src, nil
	}, err
}

func prepareIPv6(c *net.UDPConn, ifi *net.Interface, join *net.UDPAddr) (reader, error) {
	p := ipv6.NewPacketConn(c)
	err := errors.Join(p.SetMulticastInterface(ifi), p.SetMulticastHopLimit(255), p.SetControlMessage(ipv6.FlagHopLimit|ipv6.FlagDst, true))
	if join != nil {
		err = errors.Join(err, p.JoinGroup(ifi, join))
	}
	return func(buf []byte) (int, int, net.IP, net.Addr, error) {
		n, cm, src, err := p.ReadFrom(buf)
		if err != nil {
			return 0, 0, nil, nil, err
		}
		return n, cm.HopLimit, cm.Dst, src, nil
	}, err
}

// hear keeps what the peer sends.
func (x *Tester) hear(read reader) {
	buf := make([]byte, 65536)
	for {
		n, ttl, dst, src, err := read(buf)
		if err != nil {
			return
		}
		from := src.(*net.UDPAddr).AddrPort()
		if from.Addr().Unmap().WithZone("") != x.peer {
			continue
		}
		p := Packet{At: time.Now(), Raw: slices.Clone(buf[:n]), TTL: ttl, Src: from, Unicast: !dst.IsMulticast()}
		var m dns.Msg
		if m.Unpack(p.Raw) == nil {
			p.Msg = &m
		}
		x.mu.Lock()
		x.packets = append(x.packets, p)
		x.mu.Unlock()
	}
}

// Since returns what was heard since a time.
func (x *Tester) Since(t time.Time) (all []Packet) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, p := range x.packets {
		if !p.At.Before(t) {
			all = append(all, p)
		}
	}
	return all
}

// Await waits until a packet since t is one of those wanted, and returns it, or
// false after d.
func (x *Tester) Await(t time.Time, d time.Duration, want func(Packet) bool) (Packet, bool) {
	for end := time.Now().Add(d); ; time.Sleep(5 * time.Millisecond) {
		for _, p := range x.Since(t) {
			if p.Msg != nil && want(p) {
				return p, true
			}
		}
		if time.Now().After(end) {
			return Packet{}, false
		}
	}
}

// Settle waits until the peer has been silent for d, at most half a minute.
func (x *Tester) Settle(d time.Duration) {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if len(x.Since(time.Now().Add(-d))) == 0 {
			return
		}
	}
}

// Send sends a message to the group from port 5353 and returns when.
func (x *Tester) Send(t testing.TB, m *dns.Msg) time.Time {
	t.Helper()
	return x.SendTo(t, x.mdns, x.group, m)
}

// SendTo sends a message from one of the tester's sockets.
func (x *Tester) SendTo(t testing.TB, from *net.UDPConn, to *net.UDPAddr, m *dns.Msg) time.Time {
	t.Helper()
	b, err := m.Pack()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if _, err := from.WriteToUDP(b, to); err != nil {
		t.Fatal(err)
	}
	return now
}

// Peer is the address and port 5353 of the program under test.
func (x *Tester) Peer() *net.UDPAddr {
	return &net.UDPAddr{IP: x.peer.AsSlice(), Port: 5353, Zone: x.zoneOf()}
}

func (x *Tester) zoneOf() string {
	if x.IPv6 {
		return x.zone
	}
	return ""
}

// Query is a query with questions written as "NAME TYPE".
func Query(questions ...string) *dns.Msg {
	m := &dns.Msg{}
	for _, q := range questions {
		at := strings.LastIndexByte(q, ' ')
		m.Question = append(m.Question, dns.Question{Name: q[:at], Qtype: dns.StringToType[q[at+1:]], Qclass: dns.ClassINET})
	}
	return m
}

// topBit is the top bit of a class: unicast response wanted, cache flush.
const topBit = 1 << 15

// WithQU asks for unicast responses.
func WithQU(m *dns.Msg) *dns.Msg {
	for i := range m.Question {
		m.Question[i].Qclass |= topBit
	}
	return m
}

// Response is a response with records in the text form of zone files.
func Response(records ...string) *dns.Msg {
	m := &dns.Msg{}
	m.Response, m.Authoritative = true, true
	m.Answer = Records(records...)
	return m
}

// Records reads records in the text form of zone files. A class of "FLUSH" is
// IN with the cache-flush bit.
func Records(texts ...string) (all []dns.RR) {
	for _, s := range texts {
		plain := strings.Replace(s, " FLUSH ", " IN ", 1)
		rr, err := dns.NewRR(plain)
		if err != nil {
			panic(fmt.Sprintf("record %q: %v", s, err))
		}
		if plain != s {
			rr.Header().Class |= topBit
		}
		all = append(all, rr)
	}
	return all
}

// records returns the records of all sections.
func records(m *dns.Msg) []dns.RR { return slices.Concat(m.Answer, m.Ns, m.Extra) }

// has reports whether one of the records has the name and type.
func has(rrs []dns.RR, name string, typ uint16) bool { return find(rrs, name, typ) != nil }

func find(rrs []dns.RR, name string, typ uint16) dns.RR {
	for _, rr := range rrs {
		if h := rr.Header(); strings.EqualFold(h.Name, name) && h.Rrtype == typ {
			return rr
		}
	}
	return nil
}

// Probes reports whether a packet asks for all records of a name and proposes
// some.
func Probes(p Packet, name string) bool {
	return asksFor(p, name, dns.TypeANY) && len(p.Msg.Ns) > 0
}

// asksFor reports whether a packet is a query for the records of a name and one of the
// types; none are all.
func asksFor(p Packet, name string, types ...uint16) bool {
	return p.Msg != nil && !p.Msg.Response && slices.ContainsFunc(p.Msg.Question, func(q dns.Question) bool {
		return strings.EqualFold(q.Name, name) && (len(types) == 0 || slices.Contains(types, q.Qtype))
	})
}

// Says reports whether a packet is a response with a record of a name.
func Says(p Packet, name string) bool {
	return p.Response() && slices.ContainsFunc(records(p.Msg), func(rr dns.RR) bool { return strings.EqualFold(rr.Header().Name, name) })
}

// pointsTo reports whether there is a PTR record from one name to another.
func pointsTo(rrs []dns.RR, from, to string) bool {
	return slices.ContainsFunc(rrs, func(rr dns.RR) bool {
		p, ok := rr.(*dns.PTR)
		return ok && strings.EqualFold(p.Hdr.Name, from) && strings.EqualFold(p.Ptr, to)
	})
}
