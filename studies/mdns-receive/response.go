package mdnsreceive

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// MTUPayload is the largest UDP payload of an Ethernet frame: 1500 bytes less
// 20 of IPv4 and 8 of UDP.
const MTUPayload = 1500 - 20 - 8

// smallest is the size of the shortest response that Response can build: one
// service with the least that its text needs.
const smallest = 140

// Response builds a response of multicast DNS of exactly size bytes. Up to
// MTUPayload it announces printers of one host, as many as fit; beyond that it
// holds one long TXT record, because a packet larger than the MTU must hold one
// record alone (RFC 6762, section 17). serial, of which 24 bits are used,
// stands in its text and makes responses of one size differ. The caller owns
// the result. An error says that there is no response of this size.
func Response(size, serial int) ([]byte, error) {
	if size < smallest || size > BufferSize-28 {
		return nil, fmt.Errorf("no response of %d bytes: the smallest that is built has %d, the largest that RFC 6762 allows %d", size, smallest, BufferSize-28)
	}
	if size > MTUPayload {
		return longText(serial, size-len(longText(serial, 0))), nil
	}
	services := 1
	for len(announcement(services+1, serial, leastFill)) <= size {
		services++
	}
	return announcement(services, serial, size-len(announcement(services, serial, 0))), nil
}

// Types, classes and lifetimes of records.
const (
	typeA, typePTR, typeTXT, typeAAAA, typeSRV = 1, 12, 16, 28, 33

	classIN    = 1
	cacheFlush = 1 << 15 // of the class of a record that has one owner (RFC 6762, section 10.2)

	hostTTL, otherTTL = 120, 4500 // seconds (RFC 6762, section 10)
)

var (
	service = []string{"_ipp", "_tcp", "local"}
	host    = []string{"dut", "local"}

	linkLocal = [16]byte{0: 0xfe, 1: 0x80, 15: 1}
)

// announcement is the response of a host with printers: the services as
// answers, what a client asks next as additionals. fill bytes of text are added
// to the first printer.
func announcement(printers, serial, fill int) []byte {
	b := newBuilder(printers, 2*printers+2)
	instance := func(i int) []string { return append([]string{fmt.Sprintf("P%d", i)}, service...) }
	for i := range printers {
		b.record(service, typePTR, classIN, otherTTL, func() { b.name(instance(i)) })
	}
	for i := range printers {
		b.record(instance(i), typeSRV, classIN|cacheFlush, hostTTL, func() {
			b.msg = append(b.msg, 0, 0, 0, 0, 631>>8, 631&0xff) // priority, weight, port
			b.name(host)
		})
		b.record(instance(i), typeTXT, classIN|cacheFlush, otherTTL, func() {
			if i == 0 {
				b.text(serial, fill)
				return
			}
			for _, s := range []string{"txtvers=1", "qtotal=1", "rp=ipp/print", "ty=Laser Printer", "Color=T", "Duplex=T"} {
				b.string(s)
			}
		})
	}
	b.record(host, typeA, classIN|cacheFlush, hostTTL, func() { b.msg = append(b.msg, 192, 0, 2, 1) })
	b.record(host, typeAAAA, classIN|cacheFlush, hostTTL, func() { b.msg = append(b.msg, linkLocal[:]...) })
	return b.msg
}

// longText is the response that holds one TXT record.
func longText(serial, fill int) []byte {
	b := newBuilder(1, 0)
	b.record(append([]string{"P0"}, service...), typeTXT, classIN|cacheFlush, otherTTL, func() { b.text(serial, fill) })
	return b.msg
}

// builder appends records to a message.
type builder struct {
	msg []byte
	at  map[string]int // offset of each name and of each of its ends, for compression
}

func newBuilder(answers, additionals int) *builder {
	b := &builder{msg: make([]byte, headerSize), at: map[string]int{}}
	binary.BigEndian.PutUint16(b.msg[2:], 1<<15|1<<10) // response, authoritative; the ID is 0
	binary.BigEndian.PutUint16(b.msg[6:], uint16(answers))
	binary.BigEndian.PutUint16(b.msg[10:], uint16(additionals))
	return b
}

// name appends a name, with a pointer to what stands in the message already
// (RFC 1035, section 4.1.4).
func (b *builder) name(labels []string) {
	for i, label := range labels {
		rest := strings.Join(labels[i:], "\x00")
		if at, ok := b.at[rest]; ok {
			b.msg = append(b.msg, 0xc0|byte(at>>8), byte(at))
			return
		}
		b.at[rest] = len(b.msg) // below 9000, where a pointer of 14 bits reaches
		b.string(label)
	}
	b.msg = append(b.msg, 0)
}

// string appends a string of at most 255 bytes behind its length.
func (b *builder) string(s string) {
	b.msg = append(append(b.msg, byte(len(s))), s...)
}

// record appends a record whose data is what data appends.
func (b *builder) record(name []string, typ, class uint16, ttl uint32, data func()) {
	b.name(name)
	b.msg = binary.BigEndian.AppendUint16(b.msg, typ)
	b.msg = binary.BigEndian.AppendUint16(b.msg, class)
	b.msg = binary.BigEndian.AppendUint32(b.msg, ttl)
	b.msg = append(b.msg, 0, 0)
	start := len(b.msg)
	data()
	binary.BigEndian.PutUint16(b.msg[start-2:], uint16(len(b.msg)-start))
}

// leastFill is the length of the shortest string that text can fill with: its
// length, a key of three bytes, the equals sign and one byte.
const leastFill = 6

// text appends the strings of a TXT record: the serial number, then fill
// bytes, which are none or leastFill at least.
func (b *builder) text(serial, fill int) {
	b.string(fmt.Sprintf("n=%06x", serial&0xffffff))
	for key := 0; fill > 0; key++ {
		n := min(fill, 256)
		if left := fill - n; left > 0 && left < leastFill {
			n -= leastFill
		}
		s := fmt.Sprintf("k%02d=", key)
		b.string(s + strings.Repeat("x", n-1-len(s)))
		fill -= n
	}
}
