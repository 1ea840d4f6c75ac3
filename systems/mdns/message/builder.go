package message

import (
	"encoding/binary"
	"errors"
)

// Builder writes a message. It keeps its memory for the next one, so that a
// Builder that is used again allocates nothing. The zero value is ready for
// [Builder.Reset]. A Builder must be used by one goroutine at a time.
type Builder struct {
	msg     []byte
	room    int      // the largest length of the message
	labels  []uint16 // offsets at which a name or the rest of one begins
	counts  [sections]uint16
	section Section

	// PlainSRV leaves the target of SRV records uncompressed, as receivers
	// that know unicast DNS alone need it (RFC 6762, section 18.14).
	PlainSRV bool
}

// Errors of a Builder. The message is then as it was before the call.
var (
	// ErrNoRoom is returned when the message would be longer than its room.
	ErrNoRoom = errors.New("the message has no room for another record")
	// ErrOrder is returned for a question after records, or a record of a
	// section before the last one's.
	ErrOrder = errors.New("sections of a message are written in their order")
	// ErrName is returned for what is not a name in wire form.
	ErrName = errors.New("not a name in wire form")
	// ErrData is returned for data of more than 65535 bytes, or a SRV or NSEC
	// record's that does not hold the name that it must.
	ErrData = errors.New("not the data of a record of this type")
)

// maxPointer is the first offset that a compression pointer cannot aim at.
const maxPointer = 1 << 14

// Reset begins a message of at most room bytes.
func (b *Builder) Reset(id uint16, flags Flags, room int) {
	b.msg = append(b.msg[:0], byte(id>>8), byte(id), byte(flags>>8), byte(flags), 0, 0, 0, 0, 0, 0, 0, 0)
	b.room = room
	b.labels = b.labels[:0]
	b.counts = [sections]uint16{}
	b.section = Questions
	b.PlainSRV = false
}

// SetFlags sets bits of the flags: Truncated, once it is known.
func (b *Builder) SetFlags(f Flags) {
	binary.BigEndian.PutUint16(b.msg[2:], binary.BigEndian.Uint16(b.msg[2:])|uint16(f))
}

// Bytes returns the message, which is valid until Reset.
func (b *Builder) Bytes() []byte {
	for i, n := range b.counts {
		binary.BigEndian.PutUint16(b.msg[4+2*i:], n)
	}
	return b.msg
}

// Count returns how many questions or records the section has.
func (b *Builder) Count(s Section) int { return int(b.counts[s]) }

// Question appends a question.
func (b *Builder) Question(q Question) error {
	if b.section != Questions {
		return ErrOrder
	}
	if !q.Name.Valid() {
		return ErrName
	}
	before, labels := len(b.msg), len(b.labels)
	b.name(q.Name, true)
	b.u16(uint16(q.Type))
	b.u16(classField(q.Class, q.Unicast))
	return b.done(before, labels, Questions)
}

// Record appends a record to a section.
func (b *Builder) Record(s Section, r Resource) error {
	if s < b.section || s == Questions {
		return ErrOrder
	}
	if !r.Name.Valid() {
		return ErrName
	}
	before, labels := len(b.msg), len(b.labels)
	b.name(r.Name, true)
	b.u16(uint16(r.Type))
	b.u16(classField(r.Class, r.Flush))
	b.msg = binary.BigEndian.AppendUint32(b.msg, r.TTL)
	b.u16(0)
	start := len(b.msg)
	if !b.data(r) {
		b.undo(before, labels)
		return ErrData
	}
	size := len(b.msg) - start
	if size > 0xffff {
		b.undo(before, labels)
		return ErrData
	}
	binary.BigEndian.PutUint16(b.msg[start-2:], uint16(size))
	return b.done(before, labels, s)
}

func classField(c Class, top bool) uint16 {
	if top {
		return uint16(c) | topBit
	}
	return uint16(c)
}

// done counts what was appended since before, or takes it back if it has no
// room.
func (b *Builder) done(before, labels int, s Section) error {
	if len(b.msg) > b.room || b.counts[s] == 0xffff {
		b.undo(before, labels)
		return ErrNoRoom
	}
	b.section = s
	b.counts[s]++
	return nil
}

func (b *Builder) undo(before, labels int) {
	b.msg, b.labels = b.msg[:before], b.labels[:labels]
}

func (b *Builder) u16(v uint16) { b.msg = binary.BigEndian.AppendUint16(b.msg, v) }

// data appends a record's data. Names are compressed in the types for which
// RFC 6762, section 18.14, says so.
func (b *Builder) data(r Resource) bool {
	switch r.Type {
	case TypePTR, TypeCNAME, TypeNS:
		if !Name(r.Data).Valid() {
			return false
		}
		b.name(Name(r.Data), true)
		return true
	case TypeSRV:
		if len(r.Data) < srvFixed || !Name(r.Data[srvFixed:]).Valid() {
			return false
		}
		b.msg = append(b.msg, r.Data[:srvFixed]...)
		b.name(Name(r.Data[srvFixed:]), !b.PlainSRV)
		return true
	case TypeNSEC:
		n := 0
		for n < len(r.Data) && r.Data[n] != 0 {
			n += 1 + int(r.Data[n])
		}
		if n >= len(r.Data) || !Name(r.Data[:n+1]).Valid() {
			return false
		}
		b.name(Name(r.Data[:n+1]), true)
		b.msg = append(b.msg, r.Data[n+1:]...)
		return true
	}
	b.msg = append(b.msg, r.Data...)
	return true
}

// name appends a name. If compress is set, the longest end of it that the
// message has already becomes a pointer (RFC 1035, section 4.1.4). Only equal
// bytes are: a name keeps its case.
func (b *Builder) name(n Name, compress bool) {
	for len(n) > 1 {
		if compress {
			if at, ok := b.find(n); ok {
				b.u16(0xc000 | at)
				return
			}
		}
		if at := len(b.msg); at < maxPointer {
			b.labels = append(b.labels, uint16(at))
		}
		l := 1 + int(n[0])
		b.msg = append(b.msg, n[:l]...)
		n = n[l:]
	}
	b.msg = append(b.msg, 0)
}

// find returns where the message has the name n.
func (b *Builder) find(n Name) (at uint16, ok bool) {
	for _, at := range b.labels {
		if b.holds(int(at), n) {
			return at, true
		}
	}
	return 0, false
}

// holds reports whether the name at offset at is n. What stands there was
// written by name: pointers aim below themselves. A name that is being written
// ends where the message does.
func (b *Builder) holds(at int, n Name) bool {
	for at < len(b.msg) {
		c := b.msg[at]
		if c&0xc0 == 0xc0 {
			at = int(c&0x3f)<<8 | int(b.msg[at+1])
			continue
		}
		if c != n[0] {
			return false
		}
		if c == 0 {
			return true
		}
		l := 1 + int(c)
		if string(b.msg[at:at+l]) != string(n[:l]) {
			return false
		}
		at, n = at+l, n[l:]
	}
	return false
}
