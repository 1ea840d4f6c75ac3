package message

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
)

// Resource is a record. Its Data is in wire form without compression, so that
// two records have the same data if and only if the strings are equal; names in
// Data keep their case.
type Resource struct {
	Name  Name
	Type  Type
	Class Class
	Flush bool   // the record is unique: RFC 6762, section 10.2
	TTL   uint32 // seconds
	Data  string
}

// Question asks for records.
type Question struct {
	Name    Name
	Type    Type
	Class   Class
	Unicast bool // a unicast response is wanted: RFC 6762, section 5.4
}

// A returns the data and type of the address record of a: A or AAAA. A zone is
// left out.
func A(a netip.Addr) (Type, string) {
	a = a.Unmap()
	if a.Is4() {
		b := a.As4()
		return TypeA, string(b[:])
	}
	b := a.As16()
	return TypeAAAA, string(b[:])
}

// SRV returns the data of a SRV record (RFC 2782).
func SRV(priority, weight, port uint16, target Name) string {
	b := make([]byte, 0, srvFixed+len(target))
	b = binary.BigEndian.AppendUint16(b, priority)
	b = binary.BigEndian.AppendUint16(b, weight)
	b = binary.BigEndian.AppendUint16(b, port)
	return string(append(b, target...))
}

// ReadSRV returns the fields of a SRV record's data without compression, and
// false if it is none.
func ReadSRV(data string) (priority, weight, port uint16, target Name, ok bool) {
	if len(data) < srvFixed || !Name(data[srvFixed:]).Valid() {
		return 0, 0, 0, "", false
	}
	u16 := func(at int) uint16 { return uint16(data[at])<<8 | uint16(data[at+1]) }
	return u16(0), u16(2), u16(4), Name(data[srvFixed:]), true
}

// TXT returns the data of a TXT record. Without strings it is one empty string,
// because the data must not be empty (RFC 6763, section 6.1). An error says
// which string is longer than 255 bytes, or that all are longer than a record.
func TXT(texts ...string) (string, error) {
	if len(texts) == 0 {
		return "\x00", nil
	}
	var b strings.Builder
	for i, s := range texts {
		if len(s) > 255 {
			return "", fmt.Errorf("string %d of a TXT record has %d bytes, at most 255 are possible", i+1, len(s))
		}
		b.WriteByte(byte(len(s)))
		b.WriteString(s)
	}
	if b.Len() > 0xffff {
		return "", fmt.Errorf("a TXT record of %d bytes: at most 65535 are possible", b.Len())
	}
	return b.String(), nil
}

// ReadTXT returns the strings of a TXT record's data that are not empty.
func ReadTXT(data string) (texts []string) {
	for data != "" {
		end := 1 + int(data[0]) // of a string of 255 bytes no byte holds it
		if end > len(data) {
			break
		}
		if s := data[1:end]; s != "" {
			texts = append(texts, s)
		}
		data = data[end:]
	}
	return texts
}

// NSEC returns the data of an NSEC record that says which types below 256 the
// name has, and no others, in the restricted form of RFC 6762, section 6.1: the
// next name is the name itself, the bitmap is block 0.
func NSEC(name Name, types ...Type) string {
	var bits [32]byte
	n := 0
	for _, t := range types {
		if t < 256 {
			bits[t/8] |= 0x80 >> (t % 8)
			n = max(n, int(t/8)+1)
		}
	}
	return string(name) + string([]byte{0, byte(n)}) + string(bits[:n])
}

// NSECHas reports whether an NSEC record's data, without compression, says that
// the name has records of type t. It returns true for what is not in the
// restricted form of [NSEC], which denies nothing that we understand.
func NSECHas(data string, t Type) bool {
	n := 0
	for n < len(data) && data[n] != 0 {
		n += 1 + int(data[n])
	}
	bitmap := data[min(n+1, len(data)):]
	if len(bitmap) < 2 || bitmap[0] != 0 || int(bitmap[1]) != len(bitmap)-2 || t > 255 {
		return true
	}
	at := 2 + int(t/8)
	return at < len(bitmap) && bitmap[at]&(0x80>>(t%8)) != 0
}

// String writes the record as a line for people.
func (r Resource) String() string {
	flush := ""
	if r.Flush {
		flush = " flush"
	}
	return fmt.Sprintf("%s %d%s %s %s", r.Name, r.TTL, flush, r.Type, r.text())
}

// text writes the data.
func (r Resource) text() string {
	switch r.Type {
	case TypeA, TypeAAAA:
		if a, ok := netip.AddrFromSlice([]byte(r.Data)); ok {
			return a.String()
		}
	case TypePTR, TypeCNAME, TypeNS:
		return Name(r.Data).String()
	case TypeSRV:
		if priority, weight, port, target, ok := ReadSRV(r.Data); ok {
			return fmt.Sprintf("%d %d %d %s", priority, weight, port, target)
		}
	case TypeTXT:
		return fmt.Sprintf("%q", ReadTXT(r.Data))
	}
	return fmt.Sprintf("%x", r.Data)
}
