package message_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// seeds are the packets in testdata, which avahi-daemon has sent, and those of
// the tests.
func seeds(f *testing.F) {
	files, err := filepath.Glob("../testdata/packets/*.bin")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		packet, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packet)
	}
	for _, c := range malformed {
		f.Add([]byte(c.msg))
	}
	var b message.Builder
	f.Add(bytes.Clone(printers(f, &b, 6)))
	b.Reset(0, message.Response, 1<<20)
	text := message.Resource{Name: "\x01x\x00", Type: message.TypeTXT, Class: message.ClassIN, Data: mustTXT(f, strings.Repeat("x", 255), "", "k=v")}
	if err := b.Record(message.Answers, text); err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Clone(b.Bytes()))
}

// FuzzRead reads anything: within a bound, without writing to it, what records
// say included, and what is read can be built and read again. What github.com/miekg/dns reads, too, has
// the same names and types.
func FuzzRead(f *testing.F) {
	seeds(f)
	var b message.Builder
	f.Fuzz(func(t *testing.T, msg []byte) {
		if len(msg) > 9000 {
			return
		}
		before := bytes.Clone(msg)
		var r message.Reader
		r.Open(msg)
		var all []message.Resource
		steps := 0
		for r.Next() {
			steps++
			if !message.Name(r.Name()).Valid() {
				t.Fatalf("%q is no name", r.Name())
			}
			if target := r.Target(); target != nil && !message.Name(target).Valid() {
				t.Fatalf("%q is no name", target)
			}
			resource := r.Resource()
			message.ReadTXT(resource.Data)
			message.ReadSRV(resource.Data)
			message.NSECHas(resource.Data, message.TypeA)
			if s := resource.String(); s == "" {
				t.Fatal("a record without a text")
			}
			if r.Section() != message.Questions {
				all = append(all, r.Resource())
			}
		}
		if !bytes.Equal(msg, before) {
			t.Fatal("the message was written to")
		}
		if steps > len(msg)/5 {
			t.Fatalf("%d questions and records in %d bytes", steps, len(msg))
		}
		if r.Fault().Reason != message.OK {
			return
		}
		b.Reset(0, message.Response, 1<<20)
		for _, resource := range all {
			if err := b.Record(message.Answers, resource); err != nil {
				t.Fatalf("%v: %v", resource, err)
			}
		}
		for i, back := range read(t, b.Bytes()) {
			if back != all[i] {
				t.Fatalf("%v became %v", all[i], back)
			}
		}
		compare(t, msg, all)
	})
}

// compare checks the records of msg against miekg/dns, if it accepts msg.
func compare(t *testing.T, msg []byte, all []message.Resource) {
	var m dns.Msg
	if m.Unpack(msg) != nil {
		return
	}
	var theirs []dns.RR
	theirs = append(append(append(theirs, m.Answer...), m.Ns...), m.Extra...)
	if len(theirs) > len(all) {
		t.Fatalf("miekg/dns reads %d records, we %d", len(theirs), len(all))
	}
	if len(theirs) < len(all) {
		return // it stops at the end of the message, whatever the counts say
	}
	for i, rr := range theirs {
		h := rr.Header()
		class := uint16(all[i].Class)
		if all[i].Flush {
			class |= 1 << 15
		}
		if h.Rrtype != uint16(all[i].Type) || h.Ttl != all[i].TTL || h.Class != class {
			t.Fatalf("record %d: miekg/dns reads %v, we %v", i, rr, all[i])
		}
		wire := make([]byte, 300)
		n, err := dns.PackDomainName(h.Name, wire, 0, nil, false)
		if err != nil {
			continue
		}
		if string(wire[:n]) != string(all[i].Name) {
			t.Fatalf("record %d: miekg/dns reads the name %s, we %s", i, h.Name, all[i].Name)
		}
	}
}

// FuzzParseName: what is read from text is a name, and its text is read as the
// same.
func FuzzParseName(f *testing.F) {
	for _, s := range []string{"a.b", `a\.b\\.c\032d`, ".", "a..b", `x\256`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := message.ParseName(text)
		if err != nil {
			return
		}
		if again, err := message.ParseName(n.String()); !n.Valid() || err != nil || again != n {
			t.Fatalf("%q: %q, then %q, %v", text, string(n), string(again), err)
		}
	})
}
