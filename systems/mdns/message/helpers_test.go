package message_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// mustName returns the name of text.
func mustName(t testing.TB, text string) message.Name {
	t.Helper()
	n, err := message.ParseName(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func mustTXT(t testing.TB, texts ...string) string {
	t.Helper()
	data, err := message.TXT(texts...)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// printers is the response of a host with n printers: 3n+2 records.
func printers(t testing.TB, b *message.Builder, n int) []byte {
	t.Helper()
	b.Reset(0, message.Response|message.Authoritative, 8972)
	for _, r := range printerRecords(t, n) {
		s := message.Additional
		if r.Type == message.TypePTR {
			s = message.Answers
		}
		if err := b.Record(s, r); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func printerRecords(t testing.TB, n int) (all []message.Resource) {
	t.Helper()
	service, host := mustName(t, "_ipp._tcp.local"), mustName(t, "printers.local")
	add := func(name message.Name, typ message.Type, data string) {
		all = append(all, message.Resource{Name: name, Type: typ, Class: message.ClassIN, Flush: typ != message.TypePTR, TTL: 120, Data: data})
	}
	for i := range n {
		add(service, message.TypePTR, string(mustName(t, fmt.Sprintf("Printer %d._ipp._tcp.local", i))))
	}
	for i := range n {
		instance := mustName(t, fmt.Sprintf("Printer %d._ipp._tcp.local", i))
		add(instance, message.TypeSRV, message.SRV(0, 0, 631, host))
		add(instance, message.TypeTXT, mustTXT(t, "txtvers=1", "rp=ipp/print", "ty=Laser Printer", "Color=T"))
	}
	for _, a := range []string{"192.0.2.1", "fe80::1"} {
		typ, data := message.A(netip.MustParseAddr(a))
		add(host, typ, data)
	}
	return all
}
