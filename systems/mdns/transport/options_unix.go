//go:build linux || darwin

package transport

import (
	"errors"
	"net"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
	"golang.org/x/sys/unix"
)

// prepare has the kernel tell of each packet what Meta has, and sets the receive
// buffer. It returns the size of that.
func prepare(udp *net.UDPConn, v6 bool, buffer int) (granted int, err error) {
	if v6 {
		err = ipv6.NewPacketConn(udp).SetControlMessage(ipv6.FlagDst|ipv6.FlagInterface|ipv6.FlagHopLimit, true)
	} else {
		err = ipv4.NewPacketConn(udp).SetControlMessage(ipv4.FlagDst|ipv4.FlagInterface|ipv4.FlagTTL, true)
	}
	if err := named("the packet information", err); err != nil {
		return 0, err
	}
	if err := named("the receive buffer", udp.SetReadBuffer(buffer)); err != nil {
		return 0, err
	}
	raw, err := udp.SyscallConn()
	if err != nil {
		return 0, err
	}
	if e := raw.Control(func(fd uintptr) {
		if err = prepareMore(int(fd), v6, buffer); err == nil {
			granted, err = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF)
		}
	}); e != nil {
		return 0, e
	}
	return granted, err
}

// route returns the control bytes that send from an interface.
func route(_ *net.UDPConn, v6 bool, i net.Interface) ([]byte, error) {
	var b []byte
	if v6 {
		b = (&ipv6.ControlMessage{IfIndex: i.Index}).Marshal()
	} else {
		b = (&ipv4.ControlMessage{IfIndex: i.Index}).Marshal()
	}
	if b == nil {
		return nil, errors.ErrUnsupported
	}
	return b, nil
}
