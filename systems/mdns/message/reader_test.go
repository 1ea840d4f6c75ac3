package message_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// header is a response's header with these counts.
func header(counts ...byte) string {
	h := make([]byte, 12)
	h[2] = 0x84
	for i, n := range counts {
		h[5+2*i] = n
	}
	return string(h)
}

const (
	fixedA   = "\x00\x01\x80\x01\x00\x00\x00\x78\x00\x04\xc0\x00\x02\x01" // type A to data
	fixedPTR = "\x00\x0c\x00\x01\x00\x00\x00\x78"                         // to TTL
	fixedTXT = "\x00\x10\x00\x01\x00\x00\x00\x78"
)

// loop is a name of 4400 labels whose end points to its own start: 8.8 KB that
// made other parsers allocate 110 MB.
func loop() string {
	return header(0, 1) + strings.Repeat("\x01a", 4400) + "\xc0\x0c" + fixedA
}

// chain is a record whose name goes through n pointers without labels.
func chain(n int) string {
	var b bytes.Buffer
	b.WriteString(header(0, 2))
	// The first record's data holds the pointers; the last one aims at its name.
	b.WriteString("\x00" + "\x00\x0a\x00\x01\x00\x00\x00\x78")
	b.Write([]byte{byte(2 * n >> 8), byte(2 * n)})
	at := 12
	for range n {
		next := b.Len()
		b.Write([]byte{0xc0 | byte(at>>8), byte(at)})
		at = next
	}
	b.Write([]byte{0xc0 | byte(at>>8), byte(at)})
	b.WriteString(fixedA)
	return b.String()
}

var malformed = []struct {
	name, msg string
	reason    message.Reason
	offset    int
}{
	{"nothing", "", message.ShortHeader, 0},
	{"eleven bytes", header()[:11], message.ShortHeader, 11},
	{"65535 questions in 12 bytes", "\x00\x00\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00", message.ShortName, 12},
	{"65535 answers in 12 bytes", "\x00\x00\x84\x00\x00\x00\xff\xff\x00\x00\x00\x00", message.ShortName, 12},
	{"65535 of all in 12 bytes", "\x00\x00\x84\x00\xff\xff\xff\xff\xff\xff\xff\xff", message.ShortName, 12},
	{"a pointer to itself", header(1) + "\xc0\x0c\x00\x01\x00\x01", message.PointerForward, 12},
	{"a pointer forward", header(1) + "\xc0\x20\x00\x01\x00\x01" + strings.Repeat("\x00", 40), message.PointerForward, 12},
	{"a pointer into the header", header(1) + "\xc0\x04\x00\x01\x00\x01", message.PointerForward, 12},
	{"a pointer past the end", header(1) + "\xff\xff\x00\x01\x00\x01", message.PointerForward, 12},
	{"half a pointer", header(1) + "\xc0", message.ShortName, 12},
	{"labels that loop", header(1) + "\x01a\xc0\x0c\x00\x01\x00\x01", message.PointerForward, 12},
	{"4400 labels that loop", loop(), message.LongName, 12},
	{"129 pointers", chain(128), message.PointerChain, 12 + 11 + 256},
	{"label type 01", header(1) + "\x40abc\x00\x00\x01\x00\x01", message.LabelType, 12},
	{"label type 10", header(1) + "\x80abc\x00\x00\x01\x00\x01", message.LabelType, 12},
	{"a label past the end", header(1) + "\x09abc", message.ShortName, 12},
	{"a name of 257 bytes", header(1) + strings.Repeat("\x3f"+strings.Repeat("x", 63), 4) + "\x00\x00\x01\x00\x01", message.LongName, 12},
	{"a question of a name", header(1) + "\x00\x00\x01\x00", message.ShortQuestion, 13},
	{"a record of a name", header(0, 1) + "\x00\x00\x01\x80\x01\x00\x00\x00\x78\x00", message.ShortRecord, 13},
	{"data past the end", header(0, 1) + "\x00" + fixedA[:len(fixedA)-1], message.ShortData, 13},
	{"an address of 5 bytes", header(0, 1) + "\x00" + fixedA[:8] + "\x00\x05\xc0\x00\x02\x01\x00", message.BadData, 23},
	{"a TXT string past the data", header(0, 1) + "\x00" + fixedTXT + "\x00\x03\x03ab" + "tail", message.BadData, 23},
	{"a PTR name past the data", header(0, 1) + "\x00" + fixedPTR + "\x00\x02\x03abc\x00", message.ShortName, 23},
	{"bytes after a PTR name", header(0, 1) + "\x00" + fixedPTR + "\x00\x06\x03abc\x00x", message.BadData, 23},
	{"an empty PTR", header(0, 1) + "\x00" + fixedPTR + "\x00\x00", message.ShortName, 23},
	{"a SRV without a target", header(0, 1) + "\x00\x00\x21\x00\x01\x00\x00\x00\x78\x00\x05\x00\x00\x00\x00\x00", message.BadData, 23},
	{"the second record is missing", header(0, 2) + "\x00" + fixedA, message.ShortName, 12 + 15},
}

func TestMalformedMessages(t *testing.T) {
	for _, c := range malformed {
		f := message.Check([]byte(c.msg))
		if f.Reason != c.reason || f.Offset != c.offset {
			t.Errorf("%s: %v at %d, want %v at %d", c.name, f.Reason, f.Offset, c.reason, c.offset)
		}
		var e *message.Error
		if err := f.Err(); !errors.As(err, &e) || e.Fault != f || !strings.Contains(err.Error(), f.Reason.String()) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	var b message.Builder
	whole := printers(t, &b, 6) // 20 records
	check := func(name string, msg []byte) {
		n := testing.AllocsPerRun(100, func() {
			var r message.Reader
			r.Open(msg)
			for r.Next() {
				total += len(r.Name()) + len(r.Data()) + len(r.Target()) + int(r.Type())
			}
			total += r.Fault().Offset
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	check("20 records", whole)
	for _, c := range malformed {
		check(c.name, []byte(c.msg))
	}
}

var total int

func TestPointersUpToTheCap(t *testing.T) {
	// 127 pointers in the data and the one that aims at them.
	if f := message.Check([]byte(chain(127))); f.Reason != message.OK {
		t.Errorf("128 pointers: %v", f.Err())
	}
}

// A name may be as long as RFC 6762, appendix C, says, also by compression.
func TestTheLongestNameIsRead(t *testing.T) {
	long := strings.Repeat("x", 63)
	name := mustName(t, strings.Join([]string{long, long, long, long[:62]}, "."))
	msg := []byte(header(1) + string(name) + "\x00\x01\x00\x01")
	var r message.Reader
	r.Open(msg)
	if !r.Next() || string(r.Name()) != string(name) {
		t.Errorf("name of %d bytes: %v", len(name), r.Fault().Err())
	}
}

func TestFieldsOfQuestionsAndRecords(t *testing.T) {
	msg := []byte("\x12\x34\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00" +
		"\x04Host\x05local\x00" + "\x00\x01\x80\x01" + // QU
		"\xc0\x0c" + fixedA)
	var r message.Reader
	r.Open(msg)
	if h := r.Header(); h.ID != 0x1234 || h.Flags != 0 || h.Counts != [4]uint16{1, 1} {
		t.Errorf("header %+v", h)
	}
	if !r.Next() || r.Section() != message.Questions || !r.Unicast() || r.Flush() || r.Class() != message.ClassIN || r.Type() != message.TypeA || r.Data() != nil {
		t.Errorf("question: %+v", r.Fault())
	}
	if !r.Next() || r.Section() != message.Answers || r.Unicast() || !r.Flush() || r.TTL() != 120 || r.Addr().String() != "192.0.2.1" {
		t.Errorf("answer: %+v, %v", r.Fault(), r.Addr())
	}
	if got := r.Resource().String(); got != "Host.local. 120 flush A 192.0.2.1" {
		t.Error(got)
	}
	if r.Next() || r.Fault().Reason != message.OK || r.Next() {
		t.Errorf("after the end: %v", r.Fault())
	}
}

func TestBytesAfterTheLastRecordAreNoFault(t *testing.T) {
	if f := message.Check([]byte(header(0, 1) + "\x00" + fixedA + strings.Repeat("\x00", 7000))); f.Reason != message.OK {
		t.Error(f.Err())
	}
}

// The largest work for a message of 9000 bytes is that of the longest names in
// the shortest records.
func TestWorkIsBoundedByTheLength(t *testing.T) {
	long := strings.Repeat("\x01a", 127) + "\x00"
	msg := []byte(header(0) + "")
	msg[6], msg[7] = 0xff, 0xff
	msg = append(msg, long+"\x00\x0a\x00\x01\x00\x00\x00\x78\x00\x00"...)
	records := 1
	for len(msg)+12 <= 9000 {
		msg = append(msg, "\xc0\x0c\x00\x0a\x00\x01\x00\x00\x00\x78\x00\x00"...)
		records++
	}
	var r message.Reader
	r.Open(msg)
	read, unpacked := 0, 0
	for r.Next() {
		read++
		unpacked += len(r.Name())
	}
	if read != records || r.Fault().Reason != message.ShortName || unpacked > 256*len(msg)/11 {
		t.Errorf("%d of %d records, %d bytes of names, %v", read, records, unpacked, r.Fault())
	}
}
