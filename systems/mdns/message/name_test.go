package message_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

func TestNamesToAndFromText(t *testing.T) {
	for _, c := range []struct {
		text, wire, back string
	}{
		{".", "\x00", "."},
		{"local", "\x05local\x00", "local."},
		{"_http._tcp.local.", "\x05_http\x04_tcp\x05local\x00", "_http._tcp.local."},
		{`Dr\. Who._http._tcp.local`, "\x07Dr. Who\x05_http\x04_tcp\x05local\x00", `Dr\. Who._http._tcp.local.`},
		{`a\\b.local`, "\x03a\\b\x05local\x00", `a\\b.local.`},
		{`a\010b.local`, "\x03a\nb\x05local\x00", `a\010b.local.`},
		{`\195\188.local`, "\x02ü\x05local\x00", `ü.local.`},
		{`Büro 2. OG.local`, "\x07Büro 2\x03 OG\x05local\x00", `Büro 2. OG.local.`},
	} {
		n, err := message.ParseName(c.text)
		if err != nil || string(n) != c.wire || !n.Valid() || n.String() != c.back {
			t.Errorf("%q: %q, %v, back %q; want %q and %q", c.text, string(n), err, n, c.wire, c.back)
		}
		if again, err := message.ParseName(n.String()); err != nil || again != n {
			t.Errorf("%q: its text reads as %q, %v", c.text, again, err)
		}
	}
}

func TestTextThatIsNoName(t *testing.T) {
	long := strings.Repeat("x", 63)
	for _, text := range []string{
		"a..b", ".a", `a\`, `a\25`, `a\256`, `a\2x5`, long + "x",
		strings.Join([]string{long, long, long, long}, "."), // 4*64 = 256 bytes and the zero
	} {
		if n, err := message.ParseName(text); err == nil {
			t.Errorf("%q is read as %q, want an error", text, n)
		}
	}
	if _, err := message.NewName("a", "", "b"); err == nil {
		t.Error("a name with an empty label")
	}
}

// RFC 6762, appendix C: 255 bytes and the zero must be accepted.
func TestTheLongestName(t *testing.T) {
	long := strings.Repeat("x", 63)
	n, err := message.ParseName(strings.Join([]string{long, long, long, long[:62]}, "."))
	if err != nil || len(n) != message.MaxName || !n.Valid() {
		t.Errorf("%d bytes, %v; want a name of 256", len(n), err)
	}
	if (n[:len(n)-1] + "\x01x\x00").Valid() {
		t.Error("a name of 258 bytes is valid")
	}
}

func TestPartsOfNames(t *testing.T) {
	n := mustName(t, `My\.Printer._ipp._tcp.local`)
	if got := slices.Collect(n.Labels()); !slices.Equal(got, []string{"My.Printer", "_ipp", "_tcp", "local"}) {
		t.Errorf("labels %q", got)
	}
	if n.First() != "My.Printer" || n.Parent() != mustName(t, "_ipp._tcp.local") {
		t.Errorf("first %q, parent %q", n.First(), n.Parent())
	}
	if root := message.Name("\x00"); root.First() != "" || root.Parent() != "" {
		t.Errorf("the root has first label %q, parent %q", root.First(), root.Parent())
	}
	for _, bad := range []message.Name{"", "\x05local", "\x05loc", "\x40" + message.Name(strings.Repeat("x", 64)) + "\x00", "\x00\x00"} {
		if bad.Valid() {
			t.Errorf("%q is valid", string(bad))
		}
		total += len(bad.First()) + len(bad.Parent()) + len(bad.String()) // none of them panics
	}
}

// RFC 6762, section 16: only A to Z fold.
func TestOnlyASCIILettersFold(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{"PRINTER.Local", "printer.lOCAL", true},
		{"Ä.local", "ä.local", false},
		{"a@.local", "a`.local", false}, // '@' and '`' differ by the bit of case, and are no letters
		{"a[.local", "a{.local", false},
		{"a.local", "b.local", false},
		{"a.local", "aa.local", false},
	} {
		a, b := mustName(t, c.a), mustName(t, c.b)
		if got := message.EqualFold(a, b); got != c.equal {
			t.Errorf("%s and %s: equal %v", c.a, c.b, got)
		}
		if got := message.EqualFold([]byte(a), b); got != c.equal {
			t.Errorf("%s and %s as bytes: equal %v", c.a, c.b, got)
		}
		if got := a.Fold() == b.Fold(); got != c.equal {
			t.Errorf("%s and %s folded: equal %v", c.a, c.b, got)
		}
	}
}
