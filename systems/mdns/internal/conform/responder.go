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

// pause waits longer than the rate limit.
func (r *run) pause() { time.Sleep(1150 * time.Millisecond) }

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
