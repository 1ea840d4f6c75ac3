//go:build linux || darwin

package mdnsreceive

import (
	"encoding/binary"
	"net"

	"golang.org/x/sys/unix"
)

// flagTruncated of a received message: it was longer than the buffer.
const flagTruncated = unix.MSG_TRUNC

// interfaceOf returns the interface index that the control bytes of a packet
// hold: the first four bytes of a struct in_pktinfo.
func interfaceOf(control []byte) (int, error) {
	for len(control) > 0 {
		header, data, rest, err := unix.ParseOneSocketControlMessage(control)
		if err != nil {
			return 0, err
		}
		if header.Level == unix.IPPROTO_IP && header.Type == unix.IP_PKTINFO && len(data) >= 4 {
			return int(binary.NativeEndian.Uint32(data)), nil
		}
		control = rest
	}
	return 0, errNoInterface
}

// receiveBuffer returns the size of the socket's receive buffer in bytes.
func receiveBuffer(udp *net.UDPConn) (size int, err error) {
	raw, err := udp.SyscallConn()
	if err != nil {
		return 0, err
	}
	if e := raw.Control(func(fd uintptr) {
		size, err = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF)
	}); e != nil {
		return 0, e
	}
	return size, err
}
