package mdnsreceive

import (
	"encoding/binary"
	"hash/crc32"
)

// headerSize is the length of a DNS header in bytes.
const headerSize = 12

// Consumer receives the packets. It reads all of their bytes, so
// that packets which are lost, altered or delivered twice show: two Consumers
// that were given the same packets, in any order, are equal. It keeps nothing
// of a packet. It must not be used by two goroutines at once.
type Consumer struct {
	Packets   int
	Bytes     int
	Records   int    // as their headers say
	Malformed int    // packets that are no responses of multicast DNS
	Sum       uint64 // of the CRC-32s of all packets
}

// Deliver consumes p. It uses p.Data only until it returns.
func (c *Consumer) Deliver(p Packet) {
	c.Packets++
	c.Bytes += len(p.Data)
	records, ok := responseHeader(p.Data)
	if !ok {
		c.Malformed++
	}
	c.Records += records
	c.Sum += uint64(crc32.ChecksumIEEE(p.Data))
}

// Add consumes what d did.
func (c *Consumer) Add(d Consumer) {
	c.Packets += d.Packets
	c.Bytes += d.Bytes
	c.Records += d.Records
	c.Malformed += d.Malformed
	c.Sum += d.Sum
}

// responseHeader returns the number of records of a response, and false if msg
// is none: shorter than a header, a query, an opcode or an error code that
// RFC 6762, sections 18.3 and 18.11, tells a receiver to ignore.
func responseHeader(msg []byte) (records int, ok bool) {
	if len(msg) < headerSize {
		return 0, false
	}
	const response, opcode, rcode = 1 << 15, 0xf << 11, 0xf
	if flags := binary.BigEndian.Uint16(msg[2:]); flags&response == 0 || flags&(opcode|rcode) != 0 {
		return 0, false
	}
	for at := 6; at < headerSize; at += 2 { // answers, authority, additionals
		records += int(binary.BigEndian.Uint16(msg[at:]))
	}
	return records, true
}
