//go:build linux || darwin

package transport

import (
	"encoding/binary"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// controlSize has room for the control bytes of a packet. On 64-bit Linux these
// are 40 for the destination and interface in IPv6, 24 for the hop limit and 24
// for the number of dropped packets.
const controlSize = 128

const (
	flagTruncated = unix.MSG_TRUNC
	multiHomed    = true // the interface of a packet is known
)

// control reads the control bytes of a packet: those that the kernel has written,
// aligned for their headers.
func (s *socket) control(b []byte, m *Meta) {
	for len(b) >= unix.SizeofCmsghdr {
		h := (*unix.Cmsghdr)(unsafe.Pointer(unsafe.SliceData(b)))
		start, end := unix.CmsgLen(0), int(h.Len)
		if end < start || end > len(b) {
			return
		}
		switch data := b[start:end]; {
		case h.Level == unix.IPPROTO_IP && h.Type == unix.IP_PKTINFO && len(data) >= 12:
			m.IfIndex = int(binary.NativeEndian.Uint32(data))
			m.Dst = netip.AddrFrom4([4]byte(data[8:12]))
		case h.Level == unix.IPPROTO_IPV6 && h.Type == unix.IPV6_PKTINFO && len(data) >= 20:
			m.Dst = netip.AddrFrom16([16]byte(data[:16])).Unmap()
			m.IfIndex = int(binary.NativeEndian.Uint32(data[16:]))
		case h.Level == unix.IPPROTO_IP && h.Type == ttlType && len(data) >= 1:
			m.HopLimit = hops(data)
		case h.Level == unix.IPPROTO_IPV6 && h.Type == unix.IPV6_HOPLIMIT && len(data) >= 4:
			m.HopLimit = hops(data)
		case isOverflow(h) && len(data) >= 4:
			s.overflow(binary.NativeEndian.Uint32(data))
		}
		b = b[min(unix.CmsgSpace(end-start), len(b)):]
	}
}

// hops is the number in data: an int, or one byte on some systems.
func hops(data []byte) int {
	if len(data) >= 4 {
		return int(int32(binary.NativeEndian.Uint32(data)))
	}
	return int(data[0])
}

// overflow takes the kernel's count of packets that it dropped since the socket
// was made, of which it tells 32 bits.
func (s *socket) overflow(count uint32) {
	last := s.dropped.Load()
	s.dropped.Store(last + uint64(count-uint32(last)))
}
