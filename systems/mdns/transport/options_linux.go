package transport

import (
	"errors"

	"golang.org/x/sys/unix"
)

// routed says that the control bytes of a packet choose its interface, also for
// IPv6 addresses that have a zone.
const routed = true

// prepareMore sets what Linux alone has. A socket would otherwise receive the
// packets of every group that any program has joined on the host (IP_MULTICAST_ALL,
// IPV6_MULTICAST_ALL); that the kernel counts what it drops, and grants a larger
// receive buffer to privileged programs, is used where it is possible.
func prepareMore(fd int, v6 bool, buffer int) error {
	level, option, name := unix.IPPROTO_IP, unix.IP_MULTICAST_ALL, "IP_MULTICAST_ALL"
	if v6 {
		level, option, name = unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_ALL, "IPV6_MULTICAST_ALL"
	}
	if err := unix.SetsockoptInt(fd, level, option, 0); err != nil && !errors.Is(err, unix.ENOPROTOOPT) {
		return named(name, err)
	}
	if err := named("SO_RXQ_OVFL", unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1)); err != nil {
		return err
	}
	// Without the privilege this fails, and what SO_RCVBUF got stays.
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, buffer)
	return nil
}
