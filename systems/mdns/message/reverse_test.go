package message_test

import (
	"net/netip"
	"testing"

	"github.com/miekg/dns"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

func TestReverseNames(t *testing.T) {
	for _, text := range []string{"10.99.0.1", "0.0.0.0", "255.254.253.252", "fe80::1", "2001:db8:0123:4567:89ab:cdef:fedc:ba98", "::"} {
		want, err := dns.ReverseAddr(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := message.ReverseName(netip.MustParseAddr(text)).String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, like := range map[string]string{"fe80::1%eth0": "fe80::1", "::ffff:10.99.0.1": "10.99.0.1"} {
		if got, want := message.ReverseName(netip.MustParseAddr(text)), message.ReverseName(netip.MustParseAddr(like)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if n := message.ReverseName(netip.Addr{}); n != "" {
		t.Errorf("the zero address has the name %s", n)
	}
}
