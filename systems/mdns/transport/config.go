package transport

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
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

// choose returns the interfaces wanted, or all that are up and can multicast.
func choose(wanted []net.Interface) ([]net.Interface, error) {
	if len(wanted) > 0 {
		return wanted, nil
	}
	chosen, err := usable(net.FlagUp | net.FlagMulticast)
	if err == nil && len(chosen) == 0 && !multiHomed {
		err = errors.New("transport: no interface is up and can multicast; name one in Config.Interfaces")
	}
	return chosen, err
}

// usable returns the system's interfaces that have all of flags.
func usable(flags net.Flags) ([]net.Interface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("transport: listing the interfaces: %w", err)
	}
	return slices.DeleteFunc(all, func(i net.Interface) bool {
		return i.Flags&flags != flags
	}), nil
}

func named(option string, err error) error {
	if err != nil {
		return fmt.Errorf("setting %s: %w", option, err)
	}
	return nil
}

func isIPv6(udp *net.UDPConn) bool {
	a := udp.LocalAddr().(*net.UDPAddr).AddrPort().Addr()
	return a.Is6() && !a.Is4In6()
}

func familyName(v6 bool) string {
	if v6 {
		return "IPv6"
	}
	return "IPv4"
}
