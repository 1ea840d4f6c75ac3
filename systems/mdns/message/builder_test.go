package message_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

func read(t testing.TB, msg []byte) (all []message.Resource) {
	t.Helper()
	var r message.Reader
	r.Open(msg)
	for r.Next() {
		if r.Section() != message.Questions {
			all = append(all, r.Resource())
		}
	}
	if err := r.Fault().Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWhatIsBuiltIsReadBack(t *testing.T) {
	var b message.Builder
	want := printerRecords(t, 6)
	host := mustName(t, "printers.local")
	msg := printers(t, &b, 6)
	got := read(t, msg)
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("record %d: %v, want %v", i, got[i], want[i])
		}
	}
	plain := 12
	for _, r := range want {
		plain += len(r.Name) + 10 + len(r.Data)
	}
	if len(msg) > plain*2/3 {
		t.Errorf("%d bytes, %d without compression: names are not compressed", len(msg), plain)
	}

	b.Reset(0, message.Response, 500)
	nsec := message.Resource{Name: host, Type: message.TypeNSEC, Class: message.ClassIN, Flush: true, TTL: 120, Data: message.NSEC(host, message.TypeA, message.TypeAAAA)}
	if err := b.Record(message.Answers, nsec); err != nil {
		t.Fatal(err)
	}
	back := read(t, b.Bytes())[0]
	if back != nsec {
		t.Errorf("%v, want %v", back, nsec)
	}
	for typ, has := range map[message.Type]bool{message.TypeA: true, message.TypeAAAA: true, message.TypeSRV: false, message.TypeTXT: false, message.TypeNSEC: false, 300: true} {
		if message.NSECHas(back.Data, typ) != has {
			t.Errorf("NSEC says %v of %v", !has, typ)
		}
	}
}

// A dot in an instance's name is not the end of a label (RFC 6763, section 4.3).
func TestLabelsKeepTheirDotsAndTheirCase(t *testing.T) {
	name := mustName(t, `Dr\. No's 3.5" Disk._smb._tcp.local`)
	upper := mustName(t, "_SMB._tcp.local")
	var b message.Builder
	b.Reset(0, message.Response, 500)
	for _, r := range []message.Resource{
		{Name: upper, Type: message.TypePTR, Class: message.ClassIN, TTL: 1, Data: string(name)},
		{Name: name, Type: message.TypeTXT, Class: message.ClassIN, TTL: 1, Data: "\x00"},
	} {
		if err := b.Record(message.Answers, r); err != nil {
			t.Fatal(err)
		}
	}
	got := read(t, b.Bytes())
	if got[0].Name != upper || got[0].Data != string(name) || got[1].Name != name {
		t.Errorf("%v", got)
	}
}

func TestPlainSRVIsNotCompressed(t *testing.T) {
	host := mustName(t, "printers.local")
	srv := message.Resource{Name: host, Type: message.TypeSRV, Class: message.ClassIN, TTL: 1, Data: message.SRV(1, 2, 3, host)}
	var b message.Builder
	for _, plain := range []bool{false, true} {
		b.Reset(0, message.Response, 500)
		b.PlainSRV = plain
		if err := b.Record(message.Answers, srv); err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(b.Bytes(), []byte("printers")) == 2; got != plain {
			t.Errorf("plain %v: the target is written plain: %v", plain, got)
		}
		if got := read(t, b.Bytes())[0]; got != srv {
			t.Errorf("plain %v: %v", plain, got)
		}
	}
}

func TestWhatHasNoRoomLeavesTheMessageAsItWas(t *testing.T) {
	var b message.Builder
	whole := bytes.Clone(printers(t, &b, 2))
	records := printerRecords(t, 2)
	for room := 12; room < len(whole); room++ {
		b.Reset(0, message.Response|message.Authoritative, room)
		for i, r := range records {
			before := bytes.Clone(b.Bytes())
			s := message.Additional
			if r.Type == message.TypePTR {
				s = message.Answers
			}
			err := b.Record(s, r)
			if err == nil {
				continue
			}
			if !errors.Is(err, message.ErrNoRoom) || !bytes.Equal(b.Bytes(), before) {
				t.Fatalf("room for %d bytes, record %d: %v", room, i, err)
			}
			if got := read(t, b.Bytes()); len(got) != i {
				t.Fatalf("room for %d bytes: %d records are left, want %d", room, len(got), i)
			}
			break
		}
		if len(b.Bytes()) > room {
			t.Fatalf("%d bytes in a room of %d", len(b.Bytes()), room)
		}
	}
}

func TestWhatCannotBeBuilt(t *testing.T) {
	host := mustName(t, "h.local")
	a := message.Resource{Name: host, Type: message.TypeA, Class: message.ClassIN, Data: "\xc0\x00\x02\x01"}
	var b message.Builder
	for name, c := range map[string]struct {
		f    func() error
		want error
	}{
		"a question after records":    {func() error { b.Record(message.Answers, a); return b.Question(message.Question{Name: host}) }, message.ErrOrder},
		"an answer after additionals": {func() error { b.Record(message.Additional, a); return b.Record(message.Answers, a) }, message.ErrOrder},
		"a record among questions":    {func() error { return b.Record(message.Questions, a) }, message.ErrOrder},
		"no name":                     {func() error { return b.Record(message.Answers, message.Resource{}) }, message.ErrName},
		"a question without a name":   {func() error { return b.Question(message.Question{Name: "\x05loc"}) }, message.ErrName},
		"a PTR to no name": {func() error {
			return b.Record(message.Answers, message.Resource{Name: host, Type: message.TypePTR, Data: "x"})
		}, message.ErrData},
		"a SRV of five bytes": {func() error {
			return b.Record(message.Answers, message.Resource{Name: host, Type: message.TypeSRV, Data: "12345"})
		}, message.ErrData},
		"an NSEC of no name": {func() error {
			return b.Record(message.Answers, message.Resource{Name: host, Type: message.TypeNSEC, Data: "\x05ab"})
		}, message.ErrData},
		"data of 65536 bytes": {func() error {
			return b.Record(message.Answers, message.Resource{Name: host, Type: 10, Data: strings.Repeat("x", 1<<16)})
		}, message.ErrData},
	} {
		b.Reset(0, 0, 100000)
		if err := c.f(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		read(t, b.Bytes())
	}
}

// Beyond 16 KiB a pointer cannot aim: names there are written whole, and read.
func TestNamesWherePointersDoNotReach(t *testing.T) {
	host := mustName(t, "h.local")
	var b message.Builder
	b.Reset(0, message.Response, 60000)
	filler := message.Resource{Name: "\x00", Type: 10, Class: message.ClassIN, Data: strings.Repeat("x", 17000)}
	ptr := message.Resource{Name: mustName(t, "far.away"), Type: message.TypePTR, Class: message.ClassIN, Data: string(host)}
	for _, r := range []message.Resource{filler, ptr, ptr} {
		if err := b.Record(message.Answers, r); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, b.Bytes()); got[1] != ptr || got[2] != ptr {
		t.Errorf("%v", got[1:])
	}
}

func TestBuildingAgainAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	records := printerRecords(t, 6)
	var b message.Builder
	if n := testing.AllocsPerRun(100, func() {
		b.Reset(0, message.Response, 8972)
		for _, r := range records {
			if err := b.Record(message.Answers, r); err != nil {
				t.Fatal(err)
			}
		}
		total += len(b.Bytes())
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestTextRecords(t *testing.T) {
	if data, err := message.TXT(); err != nil || data != "\x00" {
		t.Errorf("no strings: %q, %v", data, err)
	}
	if _, err := message.TXT(strings.Repeat("x", 256)); err == nil {
		t.Error("a string of 256 bytes")
	}
	long := strings.Repeat("x", 255)
	if got := message.ReadTXT(mustTXT(t, long, "flag", long)); !slices.Equal(got, []string{long, "flag", long}) {
		t.Errorf("strings of 255 bytes are read as %q", got)
	}
	if got := message.ReadTXT("\xff" + long[1:]); got != nil {
		t.Errorf("a string that is cut short is read as %q", got)
	}
	data := mustTXT(t, "a=b", "", "flag")
	if got := strings.Join(message.ReadTXT(data), "|"); got != "a=b|flag" {
		t.Error(got)
	}
	if got := message.ReadTXT("\x05ab"); got != nil {
		t.Errorf("%q", got)
	}
}
