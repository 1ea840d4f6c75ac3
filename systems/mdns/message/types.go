package message

import (
	"encoding/binary"
	"strconv"
)

// Type is the type of a record, or of the records that a question asks for.
type Type uint16

// The types that Multicast DNS uses. Records of other types pass through
// [Reader] and [Builder] as opaque bytes.
const (
	TypeA     Type = 1
	TypeNS    Type = 2
	TypeCNAME Type = 5
	TypePTR   Type = 12
	TypeTXT   Type = 16
	TypeAAAA  Type = 28
	TypeSRV   Type = 33
	TypeOPT   Type = 41
	TypeNSEC  Type = 47
	TypeANY   Type = 255 // in questions only
)

// String returns the type's mnemonic, or TYPE and its number (RFC 3597).
func (t Type) String() string {
	switch t {
	case TypeA:
		return "A"
	case TypeNS:
		return "NS"
	case TypeCNAME:
		return "CNAME"
	case TypePTR:
		return "PTR"
	case TypeTXT:
		return "TXT"
	case TypeAAAA:
		return "AAAA"
	case TypeSRV:
		return "SRV"
	case TypeOPT:
		return "OPT"
	case TypeNSEC:
		return "NSEC"
	case TypeANY:
		return "ANY"
	}
	return "TYPE" + strconv.Itoa(int(t))
}

// Class is the class of a record or question, without its top bit.
type Class uint16

// The classes that Multicast DNS uses.
const (
	ClassIN  Class = 1
	ClassANY Class = 255 // in questions only
)

// topBit of a class field says "cache flush" in a record (RFC 6762, section
// 10.2) and "unicast response wanted" in a question (section 5.4).
const topBit = 1 << 15

// Section is a part of a message.
type Section uint8

// The sections, in the order in which they stand in a message.
const (
	Questions Section = iota
	Answers
	Authority
	Additional
	sections = 4
)

// Flags is the third and fourth byte of a message.
type Flags uint16

// The bits of the flags. A query of Multicast DNS has none or Truncated, a
// response has Response and Authoritative (RFC 6762, section 18).
const (
	Response      Flags = 1 << 15
	Authoritative Flags = 1 << 10
	Truncated     Flags = 1 << 9

	opcode Flags = 0xf << 11
	rcode  Flags = 0xf
)

// Plain reports whether opcode and response code are zero. RFC 6762, sections
// 18.3 and 18.11, has receivers ignore all other messages.
func (f Flags) Plain() bool { return f&(opcode|rcode) == 0 }

// headerSize is the length of a message's header in bytes.
const headerSize = 12

// Header is the start of a message: its first twelve bytes.
type Header struct {
	ID     uint16
	Flags  Flags
	Counts [sections]uint16 // of questions and records, by section
}

// ReadHeader returns the header of msg, and false if msg is shorter than one.
func ReadHeader(msg []byte) (Header, bool) {
	if len(msg) < headerSize {
		return Header{}, false
	}
	h := Header{ID: binary.BigEndian.Uint16(msg), Flags: Flags(binary.BigEndian.Uint16(msg[2:]))}
	for i := range h.Counts {
		h.Counts[i] = binary.BigEndian.Uint16(msg[4+2*i:])
	}
	return h, true
}
