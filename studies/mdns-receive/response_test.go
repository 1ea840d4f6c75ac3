package mdnsreceive

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

func TestResponsesHaveExactlyTheSizeAskedForAndParse(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for size := smallest; size <= BufferSize-28; size += step {
		msg, err := Response(size, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(msg) != size {
			t.Fatalf("a response of %d bytes has %d", size, len(msg))
		}
		var m dnsmessage.Message
		if err := m.Unpack(msg); err != nil {
			t.Fatalf("a response of %d bytes does not parse: %v", size, err)
		}
		if h := m.Header; h.ID != 0 || !h.Response || !h.Authoritative || h.OpCode != 0 || h.RCode != 0 || len(m.Questions) != 0 {
			t.Fatalf("a response of %d bytes has the header %+v and %d questions", size, h, len(m.Questions))
		}
		if size > MTUPayload && len(m.Answers)+len(m.Additionals) != 1 {
			t.Fatalf("a response of %d bytes, more than the MTU, has %d records", size, len(m.Answers)+len(m.Additionals))
		}
	}
}

func TestResponsesOfTheStudyAreWhatHostsSend(t *testing.T) {
	for _, c := range []struct {
		size               int
		pointers, services int // PTR records; SRV, A and AAAA stand where there are any
		texts              int
	}{{145, 1, 1, 1}, {1433, 12, 12, 12}, {8900, 0, 0, 1}} {
		msg, err := Response(c.size, 1)
		if err != nil {
			t.Fatal(err)
		}
		var m dnsmessage.Message
		if err := m.Unpack(msg); err != nil {
			t.Fatal(err)
		}
		count := map[dnsmessage.Type]int{}
		for _, r := range append(m.Answers, m.Additionals...) {
			count[r.Header.Type]++
			if shared := r.Header.Type == dnsmessage.TypePTR; shared == (r.Header.Class&cacheFlush != 0) {
				t.Errorf("%d bytes: %v has the class %#x", c.size, r.Header.Type, uint16(r.Header.Class))
			}
			switch body := r.Body.(type) {
			case *dnsmessage.PTRResource:
				if got := r.Header.Name.String(); got != "_ipp._tcp.local." {
					t.Errorf("%d bytes: PTR of %s", c.size, got)
				}
			case *dnsmessage.SRVResource:
				if body.Target.String() != "dut.local." || body.Port != 631 || !strings.HasSuffix(r.Header.Name.String(), "._ipp._tcp.local.") {
					t.Errorf("%d bytes: SRV of %s to %s:%d", c.size, r.Header.Name, body.Target, body.Port)
				}
			case *dnsmessage.TXTResource:
				for _, s := range body.TXT {
					if !strings.Contains(s, "=") {
						t.Errorf("%d bytes: text %q is no key and value", c.size, s)
					}
				}
			}
		}
		hosts := min(1, c.services)
		for typ, want := range map[dnsmessage.Type]int{
			dnsmessage.TypePTR: c.pointers, dnsmessage.TypeSRV: c.services, dnsmessage.TypeTXT: c.texts,
			dnsmessage.TypeA: hosts, dnsmessage.TypeAAAA: hosts,
		} {
			if count[typ] != want {
				t.Errorf("%d bytes: %d records of %v, want %d", c.size, count[typ], typ, want)
			}
		}
	}
}

func TestSerialNumbersMakeResponsesDiffer(t *testing.T) {
	for _, size := range sizes {
		a, errA := Response(size, 1)
		b, errB := Response(size, 2)
		again, errAgain := Response(size, 1)
		if errA != nil || errB != nil || errAgain != nil {
			t.Fatal(errA, errB, errAgain)
		}
		if bytes.Equal(a, b) || !bytes.Equal(a, again) {
			t.Errorf("%d bytes: equal serial numbers must make equal responses, others not", size)
		}
	}
}

func TestSizesThatNoResponseHasAreRefused(t *testing.T) {
	for _, size := range []int{-1, 0, smallest - 1, BufferSize - 27} {
		if msg, err := Response(size, 0); err == nil {
			t.Errorf("Response(%d) has %d bytes, want an error", size, len(msg))
		}
	}
}

func TestConsumersTellPacketsApart(t *testing.T) {
	l, err := loadOf(145, 3)
	if err != nil {
		t.Fatal(err)
	}
	consume := func(packets ...[]byte) (c Consumer) {
		for _, p := range packets {
			c.Deliver(Packet{Data: p})
		}
		return c
	}
	altered := bytes.Clone(l.packets[2])
	altered[len(altered)-1] ^= 1
	a, b, c := l.packets[0], l.packets[1], l.packets[2]
	for _, test := range []struct {
		name    string
		packets [][]byte
		equal   bool
	}{
		{"another order", [][]byte{c, a, b}, true},
		{"one lost", [][]byte{a, b}, false},
		{"one altered", [][]byte{a, b, altered}, false},
		{"one twice in place of another", [][]byte{a, b, b}, false},
	} {
		if err := l.check(consume(test.packets...)); (err == nil) != test.equal {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if want := (Consumer{Packets: 3, Bytes: 3 * 145, Records: 3 * 5, Sum: l.want.Sum}); l.want != want {
		t.Errorf("consumed %+v, want %+v", l.want, want)
	}
}

func TestWhatIsNoResponseIsMalformed(t *testing.T) {
	query := make([]byte, headerSize)
	rcode := bytes.Clone(query)
	rcode[2], rcode[3] = 0x84, 3
	opcode := bytes.Clone(query)
	opcode[2] = 0x84 | 1<<3
	for name, msg := range map[string][]byte{"empty": nil, "short": query[:11], "query": query, "error code": rcode, "opcode": opcode} {
		var c Consumer
		c.Deliver(Packet{Data: msg})
		if c.Malformed != 1 || c.Records != 0 {
			t.Errorf("%s: %+v, want one malformed packet", name, c)
		}
	}
}
