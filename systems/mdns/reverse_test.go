package mdns

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// Another program of the host may have the reverse name of an address: before us,
// when it begins to want it, or with a new address. It keeps it, and we say
// nothing of it until it says goodbye.
func TestAReverseNameOfAnotherProgram(t *testing.T) {
	reverse := message.ReverseName(netip.MustParseAddr("10.0.1.1"))
	claim := pointer(reverse, ownName("theirs"), otherTTL)
	claim.Flush, claim.TTL = true, 120
	said := func(e *ether, s *station, since time.Time, of message.Name) int {
		return len(e.sent(s, since, func(m *parsed) bool {
			return m.response() && slices.ContainsFunc(slices.Concat(m.records[:]...), func(r message.Resource) bool { return r.Name == of && r.Type == message.TypePTR })
		}))
	}
	for _, when := range []string{"before us", "by a probe", "by a response", "never"} {
		t.Run(when, func(t *testing.T) {
			bubble(t, func(t *testing.T, e *ether) {
				a, sa := e.node(t, "alpha", 1, false)
				other := e.station(1, false)
				say := func(flags message.Flags, answer ...message.Resource) {
					e.inject(other, group4, build(t, flags, nil, answer))
				}
				asked := false
				if when == "before us" {
					go func() {
						time.Sleep(400 * time.Millisecond)
						asked = len(e.sent(sa, time.Time{}, func(m *parsed) bool { return m.asks(reverse, message.TypePTR) })) > 0
						say(message.Response|message.Authoritative, claim)
					}()
				}
				start := time.Now()
				register(t, a, page("Page"))
				time.Sleep(10 * time.Second)
				before := said(e, sa, start, reverse)
				if want := when != "before us"; (before > 0) != want {
					t.Errorf("%d packets of ours have the name in the beginning", before)
				}
				switch when {
				case "before us":
					if !asked {
						t.Error("the name is not asked for")
					}
				case "by a probe":
					q := []message.Question{{Name: reverse, Type: message.TypeANY, Class: message.ClassIN}}
					e.inject(other, group4, build(t, 0, q, nil, claim))
				case "by a response":
					say(message.Response|message.Authoritative, claim)
				}
				mark := time.Now()
				ask := func() {
					q := []message.Question{{Name: reverse, Type: message.TypePTR, Class: message.ClassIN}}
					e.inject(other, group4, build(t, 0, q, nil))
					time.Sleep(2 * time.Second)
				}
				ask()
				if n := said(e, sa, mark, reverse); (n > 0) != (when == "never") {
					t.Errorf("%d answers", n)
				}
				claim := claim
				claim.TTL = 0
				say(message.Response|message.Authoritative, claim)
				time.Sleep(10 * time.Second)
				mark = time.Now()
				ask()
				if n := said(e, sa, mark, reverse); n != 1 {
					t.Errorf("%d answers after its goodbye", n)
				}
			})
		})
	}
}

// The reverse name of an address that comes later is asked for, too.
func TestAReverseNameOfANewAddress(t *testing.T) {
	for _, taken := range []bool{true, false} {
		bubble(t, func(t *testing.T, e *ether) {
			a, sa := e.node(t, "alpha", 1, false)
			other := e.station(1, false)
			register(t, a, page("Page"))
			time.Sleep(10 * time.Second)
			a.loop.mu.Lock()
			sa.extra[1] = netip.MustParsePrefix("10.0.1.77/24")
			a.loop.mu.Unlock()
			mark := time.Now()
			sa.told <- struct{}{}
			reverse := message.ReverseName(netip.MustParseAddr("10.0.1.77"))
			time.Sleep(500 * time.Millisecond)
			if taken {
				claim := pointer(reverse, ownName("theirs"), otherTTL)
				claim.Flush = true
				e.inject(other, group4, build(t, message.Response|message.Authoritative, nil, []message.Resource{claim}))
			}
			time.Sleep(10 * time.Second)
			first := time.Duration(0)
			for _, m := range e.sent(sa, mark, func(m *parsed) bool { return m.answers(reverse, message.TypePTR) }) {
				first = m.at.Sub(mark)
				break
			}
			if taken != (first == 0) || !taken && first < probeCount*probeWait {
				t.Errorf("taken %v: announced after %v", taken, first)
			}
		})
	}
}

func TestHostNamesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"printer": "printer.local.", "Printer.LOCAL": "Printer.local.", "printer.local.": "printer.local.",
		"printer.hall.local": "printer.hall.local.", `a\.b.local`: `a\.b.local.`, "local": "local.local.",
	} {
		n, err := hostName(text)
		if err != nil || n.String() != want {
			t.Errorf("%q: %v, %v", text, n, err)
		}
	}
	for _, text := range []string{"", ".", "a..local", "a.b", "a\x00", "\xff"} {
		if label, err := ownLabel(text); err == nil {
			t.Errorf("%q is a label: %q", text, label)
		}
	}
}
