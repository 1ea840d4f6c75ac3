package mdns

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// What does not concern a node costs it nothing: queries for what it does not
// have, answers to what it has not asked, and packets that cannot be read.
func TestWhatDoesNotConcernUsAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	e := &ether{}
	n, err := newNode(e.station(1, false), "alpha", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	register(t, n, page("Page"))
	w := n.quer.watch(true, name(t, "_smb._tcp.local"), message.TypePTR)
	defer n.quer.unwatch(w)
	n.loop.mu.Lock()
	n.quer.asking.cancel() // the test has the packets alone
	n.quer.asking = nil
	n.loop.mu.Unlock()

	typ := name(t, "_ipp._tcp.local")
	var printers []message.Resource
	for _, i := range []string{"A", "B", "C", "D", "E", "F"} {
		instance, err := instanceName(i, typ)
		if err != nil {
			t.Fatal(err)
		}
		printers = append(printers, pointer(typ, instance, otherTTL),
			message.Resource{Name: instance, Type: message.TypeSRV, Class: message.ClassIN, Flush: true, TTL: 120, Data: message.SRV(0, 0, 631, name(t, "printer.local"))})
	}
	for what, msg := range map[string][]byte{
		"a query for others":             build(t, 0, []message.Question{{Name: typ, Type: message.TypePTR, Class: message.ClassIN}}, printers[:2]),
		"answers that nobody asked for":  build(t, message.Response, nil, printers),
		"a packet that cannot be read":   []byte(strings.Repeat("\xff", 500)),
		"a packet shorter than a header": {1, 2, 3},
	} {
		p := &transport.Packet{Data: msg, Meta: transport.Meta{Src: netip.MustParseAddrPort("10.0.1.77:5353"), Dst: transport.GroupIPv4, IfIndex: 1}}
		if got := testing.AllocsPerRun(100, func() { n.receive(p) }); got != 0 {
			t.Errorf("%s: %v allocations", what, got)
		}
	}
}
