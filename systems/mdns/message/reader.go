package message

import (
	"encoding/binary"
	"net/netip"
)

// Reader walks through a message. The zero value is ready for [Reader.Open]. A
// Reader must be used by one goroutine at a time. What its methods return
// without a copy ([Reader.Name], [Reader.Data], [Reader.Target]) lies in the
// message or in the Reader, and is valid until the next call of Next or Open.
type Reader struct {
	msg     []byte
	header  Header
	left    [sections]uint16 // questions and records that Next has not reached
	section Section
	at      int // where the next question or record begins
	fault   Fault

	typ   Type
	class uint16 // with the top bit
	ttl   uint32

	// The data is plain[:plainLen] if it holds a name, else msg[start:end]. It
	// is no field: a slice of plain in a Reader would keep it off the stack.
	start, end int
	plainLen   int
	dataName   int // where a name begins in the data, -1 if there is none

	nameLen   int
	name      [MaxName]byte
	plain     [srvFixed + MaxName + nsecBitmap]byte
	plainName [MaxName]byte
}

const (
	questionFixed = 4  // bytes of a question after its name: type and class
	recordFixed   = 10 // bytes of a record between its name and its data
	srvFixed      = 6  // priority, weight and port
	nsecBitmap    = 34 // block 0 alone, as RFC 6762, section 6.1, restricts it
)

// Open begins with msg, which the Reader refers to until it is opened again.
func (r *Reader) Open(msg []byte) {
	r.msg, r.at, r.section, r.fault = msg, headerSize, Questions, Fault{}
	var ok bool
	if r.header, ok = ReadHeader(msg); !ok {
		r.fault = Fault{ShortHeader, len(msg)}
	}
	r.left = r.header.Counts
}

// Check returns the fault of msg, if it has one. Bytes after the last record
// are none.
func Check(msg []byte) Fault {
	var r Reader
	r.Open(msg)
	for r.Next() {
	}
	return r.fault
}

// Header returns the message's header.
func (r *Reader) Header() Header { return r.header }

// Fault returns why the last call of Next was false: the zero value at the end
// of the message.
func (r *Reader) Fault() Fault { return r.fault }

// Next goes to the next question or record. It returns false at the end of the
// message or at a fault.
func (r *Reader) Next() bool {
	if r.fault.Reason != OK {
		return false
	}
	for r.left[r.section] == 0 {
		if r.section == Additional {
			return false
		}
		r.section++
	}
	r.left[r.section]--
	n, after, reason := unpackName(r.msg, r.at, len(r.msg), &r.name)
	if reason != OK {
		return r.fail(reason, r.at)
	}
	r.nameLen = n
	if r.section == Questions {
		return r.question(after)
	}
	return r.record(after)
}

func (r *Reader) fail(reason Reason, at int) bool {
	r.fault = Fault{reason, at}
	return false
}

// question reads what follows a question's name.
func (r *Reader) question(at int) bool {
	if len(r.msg)-at < questionFixed {
		return r.fail(ShortQuestion, at)
	}
	r.typ = Type(binary.BigEndian.Uint16(r.msg[at:]))
	r.class = binary.BigEndian.Uint16(r.msg[at+2:])
	r.ttl, r.start, r.end, r.plainLen, r.dataName = 0, 0, 0, 0, -1
	r.at = at + questionFixed
	return true
}

// record reads what follows a record's name.
func (r *Reader) record(at int) bool {
	if len(r.msg)-at < recordFixed {
		return r.fail(ShortRecord, at)
	}
	r.typ = Type(binary.BigEndian.Uint16(r.msg[at:]))
	r.class = binary.BigEndian.Uint16(r.msg[at+2:])
	r.ttl = binary.BigEndian.Uint32(r.msg[at+4:])
	start := at + recordFixed
	end := start + int(binary.BigEndian.Uint16(r.msg[at+8:]))
	if end > len(r.msg) {
		return r.fail(ShortData, at)
	}
	r.at = end
	if reason := r.readData(start, end); reason != OK {
		return r.fail(reason, start)
	}
	return true
}

// readData checks the data at start to end as its type demands, and makes the
// names in it plain.
func (r *Reader) readData(start, end int) Reason {
	r.start, r.end, r.plainLen, r.dataName = start, end, 0, -1
	size := end - start
	switch r.typ {
	case TypeA:
		return badUnless(size == 4)
	case TypeAAAA:
		return badUnless(size == 16)
	case TypeTXT:
		for at := start; at < end; at += 1 + int(r.msg[at]) {
			if at+1+int(r.msg[at]) > end {
				return BadData
			}
		}
	case TypePTR, TypeCNAME, TypeNS:
		return r.plainData(start, start, end, 0)
	case TypeSRV:
		if size < srvFixed {
			return BadData
		}
		return r.plainData(start, start+srvFixed, end, 0)
	case TypeNSEC:
		return r.plainData(start, start, end, nsecBitmap)
	}
	return OK
}

func badUnless(ok bool) Reason {
	if !ok {
		return BadData
	}
	return OK
}

// plainData sets data to that at start to end with the name at name in it
// unpacked. Up to tail bytes may follow the name.
func (r *Reader) plainData(start, name, end, tail int) Reason {
	n, after, reason := unpackName(r.msg, name, end, &r.plainName)
	if reason != OK {
		return reason
	}
	if end-after > tail {
		if r.typ == TypeNSEC {
			return OK // not the restricted form of Multicast DNS: opaque
		}
		return BadData
	}
	r.dataName = name - start
	r.plainLen = copy(r.plain[:], r.msg[start:name])
	r.plainLen += copy(r.plain[r.plainLen:], r.plainName[:n])
	r.plainLen += copy(r.plain[r.plainLen:], r.msg[after:end])
	return OK
}

// unpackName unpacks the name of msg at offset at, whose bytes before the first
// pointer end at end at the latest. It returns the length of the plain name in
// dst and the offset after the name.
//
// It ends: each pointer must aim below limit, which then becomes its target, so
// there are finitely many, and between two of them the plain name grows, up to
// MaxName bytes. The cap on pointers bounds chains of pointers without labels.
func unpackName(msg []byte, at, end int, dst *[MaxName]byte) (n, after int, reason Reason) {
	limit, pointers := at, 0
	for {
		if at >= end {
			return 0, 0, ShortName
		}
		c := int(msg[at])
		switch c & 0xc0 {
		case 0:
			if c == 0 {
				if n+1 > MaxName {
					return 0, 0, LongName
				}
				dst[n] = 0
				if pointers == 0 {
					after = at + 1
				}
				return n + 1, after, OK
			}
			if at+1+c > end {
				return 0, 0, ShortName
			}
			if n+1+c > MaxName {
				return 0, 0, LongName
			}
			n += copy(dst[n:], msg[at:at+1+c])
			at += 1 + c
		case 0xc0:
			if at+2 > end {
				return 0, 0, ShortName
			}
			target := c&0x3f<<8 | int(msg[at+1])
			if target >= limit || target < headerSize {
				return 0, 0, PointerForward
			}
			if pointers++; pointers == 1 {
				after = at + 2
			}
			if pointers > MaxName/2 {
				return 0, 0, PointerChain
			}
			at, limit, end = target, target, len(msg)
		default:
			return 0, 0, LabelType
		}
	}
}

// Section returns where the question or record stands.
func (r *Reader) Section() Section { return r.section }

// Name returns the name in wire form, without compression.
func (r *Reader) Name() []byte { return r.name[:r.nameLen] }

// Type returns the type of the question or record.
func (r *Reader) Type() Type { return r.typ }

// Class returns the class without its top bit.
func (r *Reader) Class() Class { return Class(r.class &^ topBit) }

// Unicast reports whether the question asks for a unicast response, the bit QU
// of RFC 6762, section 5.4.
func (r *Reader) Unicast() bool { return r.section == Questions && r.class&topBit != 0 }

// Flush reports whether the record is unique and replaces those of its name,
// type and class, the cache-flush bit of RFC 6762, section 10.2.
func (r *Reader) Flush() bool { return r.section != Questions && r.class&topBit != 0 }

// TTL returns for how many seconds the record is valid.
func (r *Reader) TTL() uint32 { return r.ttl }

// Data returns the record's data, and nil of a question. The names in records of
// the types PTR, CNAME, NS, SRV and NSEC have no compression.
func (r *Reader) Data() []byte {
	if r.section == Questions {
		return nil
	}
	if r.plainLen > 0 {
		return r.plain[:r.plainLen]
	}
	return r.msg[r.start:r.end:r.end]
}

// Target returns the name in the data of a PTR, CNAME, NS, SRV or NSEC record,
// and nil of another.
func (r *Reader) Target() []byte {
	if r.dataName < 0 {
		return nil
	}
	name := r.plain[r.dataName:r.plainLen]
	if r.typ == TypeNSEC {
		return name[:wireLen(name)]
	}
	return name
}

// wireLen is the length of the name with which b begins.
func wireLen(b []byte) int {
	at := 0
	for b[at] != 0 {
		at += 1 + int(b[at])
	}
	return at + 1
}

// Addr returns the address of an A or AAAA record, and the zero Addr of
// another.
func (r *Reader) Addr() netip.Addr {
	if r.typ == TypeA || r.typ == TypeAAAA {
		a, _ := netip.AddrFromSlice(r.Data())
		return a
	}
	return netip.Addr{}
}

// Resource returns a copy of the record that stays valid. It allocates.
func (r *Reader) Resource() Resource {
	return Resource{Name: Name(r.Name()), Type: r.typ, Class: r.Class(), Flush: r.Flush(), TTL: r.ttl, Data: string(r.Data())}
}
