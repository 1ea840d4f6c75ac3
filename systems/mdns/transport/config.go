package transport

import (
	"cmp"
	"net"
	"net/netip"
)

// Port is the UDP port of Multicast DNS.
const Port = 5353

// BufferSize is the room for a packet in bytes. RFC 6762, section 17, allows
// 9000 with the headers of IP and UDP.
const BufferSize = 9000

// The groups of Multicast DNS (RFC 6762, section 3).
var (
	GroupIPv4 = netip.MustParseAddr("224.0.0.251")
	GroupIPv6 = netip.MustParseAddr("ff02::fb")
)

// Config says what a Conn listens on. The zero value means all interfaces that
// can multicast, and both families as far as the system has them.
type Config struct {
	// Interfaces are those to join the groups on, and to send from. Nil means
	// all that are up and can multicast. One that is named here must work, else
	// Listen fails.
	Interfaces []net.Interface

	// IPv4 and IPv6 choose the families. If neither is set, both are used, and
	// one that the system lacks is left out.
	IPv4, IPv6 bool

	// RecvBuffer is the size of each socket's receive buffer in bytes, in which
	// the kernel keeps packets that wait to be read. 0 means 4 MiB. The kernel
	// may grant less ([Stats] tells), unless the process may exceed its limit
	// (on Linux net.core.rmem_max, with CAP_NET_ADMIN).
	RecvBuffer int

	// Batch is how many packets a system call fetches at most. 0 means 8. With
	// 1, and on systems other than Linux, each packet is a call of its own.
	Batch int

	// ClearUsed clears the bytes of a packet when the last owner has given it
	// up, and no others: nothing was written to these.
	ClearUsed bool
}

const (
	defaultRecvBuffer = 4 << 20
	defaultBatch      = 8
	maxBatch          = 1024 // what the kernel takes (UIO_MAXIOV)
)

// filled returns c with the defaults in place of zeros.
func (c Config) filled() Config {
	c.RecvBuffer = cmp.Or(max(c.RecvBuffer, 0), defaultRecvBuffer)
	c.Batch = min(cmp.Or(max(c.Batch, 0), defaultBatch), maxBatch)
	return c
}
