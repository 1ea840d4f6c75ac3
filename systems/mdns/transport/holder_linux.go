package transport

import (
	"errors"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// isFull reports whether err says that a socket can join no further group.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOBUFS) || errors.Is(err, syscall.ENOMEM)
}

// holder is a socket that joins the group where another one can join no more:
// Linux allows a socket net.ipv4.igmp_max_memberships of them, 20 unless it is
// set. A holder is not bound to a port, so that it receives nothing.
type holder struct {
	fd int
	v6 bool
}

// newHolder returns a holder, and has the kernel give s the packets of all groups
// that are joined on the host and come to its port: what a holder has joined is
// none of the groups of s itself.
func newHolder(s *socket) (*holder, error) {
	domain, level, all, name := unix.AF_INET, unix.IPPROTO_IP, unix.IP_MULTICAST_ALL, "IP_MULTICAST_ALL"
	if s.v6 {
		domain, level, all, name = unix.AF_INET6, unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_ALL, "IPV6_MULTICAST_ALL"
	}
	raw, err := s.udp.SyscallConn()
	if err != nil {
		return nil, err
	}
	if e := raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), level, all, 1) }); e != nil {
		return nil, e
	}
	if err != nil && !errors.Is(err, unix.ENOPROTOOPT) {
		return nil, named(name, err)
	}
	fd, err := unix.Socket(domain, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	return &holder{fd, s.v6}, nil
}

func (h *holder) join(i *net.Interface) error {
	return h.member(i.Index, unix.IP_ADD_MEMBERSHIP, unix.IPV6_JOIN_GROUP)
}

func (h *holder) leave(ifIndex int) error {
	return h.member(ifIndex, unix.IP_DROP_MEMBERSHIP, unix.IPV6_LEAVE_GROUP)
}

func (h *holder) member(ifIndex, ipv4, ipv6 int) error {
	if h.v6 {
		m := &unix.IPv6Mreq{Multiaddr: GroupIPv6.As16(), Interface: uint32(ifIndex)}
		return os.NewSyscallError("setsockopt", unix.SetsockoptIPv6Mreq(h.fd, unix.IPPROTO_IPV6, ipv6, m))
	}
	m := &unix.IPMreqn{Multiaddr: GroupIPv4.As4(), Ifindex: int32(ifIndex)}
	return os.NewSyscallError("setsockopt", unix.SetsockoptIPMreqn(h.fd, unix.IPPROTO_IP, ipv4, m))
}

func (h *holder) close() { unix.Close(h.fd) }
