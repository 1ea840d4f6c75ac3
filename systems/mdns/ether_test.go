package mdns

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// ether joins stations by links in memory, in the time of a synctest bubble. It
// serves tests of times; what goes out on real sockets is tested in
// internal/conform.
type ether struct {
	mu       sync.Mutex
	stations []*station
	log      []sent
	queue    []sent // on their way, in order
	bridged  bool   // what is sent on link 1 comes on link 2, too, and the other way round

	delivering sync.Mutex // one packet after the other
}

// sent is a packet on a link.
type sent struct {
	at   time.Time
	by   *station
	link int
	ipv6 bool
	to   netip.AddrPort
	msg  []byte
}

const delay = time.Millisecond

// station is a node's network. Its address on link l is 10.0.l.ID and fe80::l:ID.
type station struct {
	ether *ether
	id    byte
	links int
	v6    bool
	extra map[int]netip.Prefix    // a further address of a link; guarded by the node's lock
	down  map[int]bool            // links that are not there; guarded by ether.mu
	fails error                   // of refresh; guarded by the node's lock
	told  chan struct{}           // of a change
	cut   bool                    // neither sends nor receives; guarded by ether.mu
	h     func(*transport.Packet) // guarded by ether.mu
	done  chan struct{}
	once  sync.Once
}

func (e *ether) station(links int, v6 bool) *station {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &station{ether: e, id: byte(len(e.stations) + 1), links: links, v6: v6, extra: map[int]netip.Prefix{}, down: map[int]bool{}, told: make(chan struct{}, 1), done: make(chan struct{})}
	e.stations = append(e.stations, s)
	return s
}

func (s *station) changes(context.Context) <-chan struct{} { return s.told }

func (s *station) refresh() error { return s.fails }

// plug has a link come or go. told says that the system tells of it.
func (s *station) plug(link int, there, told bool) {
	s.ether.mu.Lock()
	s.down[link] = !there
	s.ether.mu.Unlock()
	if told { // without the lock: a node that has not heard of the last change may wait for it
		s.told <- struct{}{}
	}
}

func (s *station) places() (all []place) {
	s.ether.mu.Lock()
	defer s.ether.mu.Unlock()
	for l := 1; l <= s.links; l++ {
		if s.down[l] {
			continue
		}
		all = append(all, place{l, false})
		if s.v6 {
			all = append(all, place{l, true})
		}
	}
	return all
}

func (s *station) zone(l int) string { return fmt.Sprintf("eth%d", l) }
func (s *station) mtu(int) int       { return 1500 }

func (s *station) addrs(l int) []netip.Prefix {
	all := []netip.Prefix{netip.PrefixFrom(s.addr(l, false), 24)}
	if s.v6 {
		all = append(all, netip.PrefixFrom(s.addr(l, true), 64))
	}
	if p, ok := s.extra[l]; ok {
		all = append(all, p)
	}
	return all
}

func (s *station) addr(l int, v6 bool) netip.Addr {
	if v6 {
		return netip.AddrFrom16([16]byte{0: 0xfe, 1: 0x80, 13: byte(l), 15: s.id})
	}
	return netip.AddrFrom4([4]byte{10, 0, byte(l), s.id})
}

func (s *station) send(at place, to netip.AddrPort, msg []byte) error {
	e := s.ether
	e.mu.Lock()
	defer e.mu.Unlock()
	p := sent{time.Now(), s, at.ifIndex, at.ipv6, to, bytes.Clone(msg)}
	e.log = append(e.log, p)
	if !s.cut {
		e.queue = append(e.queue, p)
		time.AfterFunc(delay, e.deliverNext)
	}
	return nil
}

// deliverNext delivers the packet that was sent first of those on their way, so
// that packets keep their order.
func (e *ether) deliverNext() {
	e.delivering.Lock()
	defer e.delivering.Unlock()
	e.mu.Lock()
	p := e.queue[0]
	e.queue = e.queue[1:]
	e.mu.Unlock()
	e.deliver(p, transport.Port)
	if e.bridged && p.to.Addr().IsMulticast() {
		e.deliverOn(p, 3-p.link, transport.Port)
	}
}

// deliver hands a packet to those that hear it, its sender among them.
func (e *ether) deliver(p sent, port uint16) { e.deliverOn(p, p.link, port) }

func (e *ether) deliverOn(p sent, link int, port uint16) {
	e.mu.Lock()
	var hear []func(*transport.Packet)
	for _, s := range e.stations {
		mine := p.to.Addr().IsMulticast() || p.to.Addr() == s.addr(link, p.ipv6)
		if mine && s.links >= link && !s.down[link] && !p.by.down[p.link] && (s.v6 || !p.ipv6) && !s.cut && s.h != nil {
			hear = append(hear, s.h)
		}
	}
	e.mu.Unlock()
	src := netip.AddrPortFrom(p.by.addr(p.link, p.ipv6), port)
	for _, h := range hear {
		h(&transport.Packet{Data: bytes.Clone(p.msg), Meta: transport.Meta{Src: src, Dst: p.to.Addr(), IfIndex: link, HopLimit: 255}})
	}
}

// inject sends a message that a test has made, from a station without a node.
func (e *ether) inject(by *station, to netip.AddrPort, msg []byte) {
	e.deliver(sent{time.Now(), by, 1, to.Addr().Is6(), to, msg}, transport.Port)
}

func (s *station) serve(ctx context.Context, h func(*transport.Packet)) error {
	s.ether.mu.Lock()
	s.h = h
	s.ether.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.done:
		return net.ErrClosed
	}
}

// isolate cuts the station off, or ends that.
func (s *station) isolate(cut bool) {
	s.ether.mu.Lock()
	defer s.ether.mu.Unlock()
	s.cut = cut
}

func (s *station) close() error {
	s.once.Do(func() { close(s.done) })
	return nil
}

// bubble runs f with an ether in a time of its own.
func bubble(t *testing.T, f func(t *testing.T, e *ether)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, &ether{}) })
}

// node returns a node on a station of its own, which the end of the test closes.
func (e *ether) node(t *testing.T, host string, links int, v6 bool) (*Node, *station) {
	t.Helper()
	s := e.station(links, v6)
	n, err := newNode(s, host, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		checkInvariants(t, n)
		n.Close()
		n.loop.mu.Lock()
		defer n.loop.mu.Unlock()
		if left := len(n.loop.tasks); left > 0 {
			t.Errorf("%d tasks are left of a closed node", left)
		}
	})
	synctest.Wait()
	return n, s
}

// sent returns what a station has sent since a time and f accepts.
func (e *ether) sent(by *station, since time.Time, f func(*parsed) bool) (all []parsed) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range e.log {
		if p.by != by || p.at.Before(since) {
			continue
		}
		if m := parse(p); f(&m) {
			all = append(all, m)
		}
	}
	return all
}

// parsed is a packet of the log with its records.
type parsed struct {
	sent
	header    message.Header
	questions []message.Question
	records   [4][]message.Resource
}

func parse(p sent) parsed {
	m := parsed{sent: p}
	var r message.Reader
	r.Open(p.msg)
	m.header = r.Header()
	for r.Next() {
		if r.Section() == message.Questions {
			m.questions = append(m.questions, message.Question{Name: message.Name(r.Name()), Type: r.Type(), Class: r.Class(), Unicast: r.Unicast()})
			continue
		}
		m.records[r.Section()] = append(m.records[r.Section()], r.Resource())
	}
	if err := r.Fault().Err(); err != nil {
		panic(err)
	}
	return m
}

func (m *parsed) response() bool { return m.header.Flags&message.Response != 0 }

func (m *parsed) asks(name message.Name, t message.Type) bool {
	return !m.response() && slices.ContainsFunc(m.questions, func(q message.Question) bool { return q.Name == name && q.Type == t })
}

func (m *parsed) answers(name message.Name, t message.Type) bool {
	return m.response() && slices.ContainsFunc(m.records[message.Answers], func(r message.Resource) bool { return r.Name == name && r.Type == t })
}

// register registers a service.
func register(t *testing.T, n *Node, s Service) *Registration {
	t.Helper()
	r, err := n.Register(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// events collects what a Browse yields, as texts, until stop is called.
type events struct {
	mu   sync.Mutex
	list []string
	at   []time.Time
	stop context.CancelFunc
}

func browseFor(t *testing.T, n *Node, service string) *events {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	e := &events{stop: stop}
	go func() {
		for event, err := range n.Browse(ctx, service) {
			if err != nil {
				e.add("error: " + err.Error())
				continue
			}
			s := event.Service
			e.add(fmt.Sprintf("%v %s %s %s:%d %v %v", event.Kind, s.Instance, s.Type, s.Host, s.Port, s.Text, s.Addrs))
		}
	}()
	t.Cleanup(stop)
	return e
}

func (e *events) add(s string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, s)
	e.at = append(e.at, time.Now())
}

// take returns the events since the last call.
func (e *events) take() []string {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	all := e.list
	e.list, e.at = nil, nil
	return all
}

func name(t testing.TB, text string) message.Name {
	t.Helper()
	n, err := message.ParseName(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// build returns a message.
func build(t testing.TB, flags message.Flags, questions []message.Question, answers []message.Resource, authority ...message.Resource) []byte {
	t.Helper()
	var b message.Builder
	b.Reset(0, flags, 8972)
	for _, q := range questions {
		if err := b.Question(q); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range answers {
		if err := b.Record(message.Answers, r); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range authority {
		if err := b.Record(message.Authority, r); err != nil {
			t.Fatal(err)
		}
	}
	return bytes.Clone(b.Bytes())
}

var group4 = netip.AddrPortFrom(transport.GroupIPv4, transport.Port)

func page(instance string) Service {
	return Service{Instance: instance, Type: "_http._tcp", Port: 80, Text: []string{"path=/x"}}
}
