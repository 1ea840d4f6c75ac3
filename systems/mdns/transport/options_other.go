//go:build !linux && !darwin

package transport

import (
	"net"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// routed says that the control bytes of a packet choose its interface.
const routed = false

// prepare sets the receive buffer, whose size is not known.
func prepare(udp *net.UDPConn, _ bool, buffer int) (granted int, err error) {
	return 0, named("the receive buffer", udp.SetReadBuffer(buffer))
}

// route has all multicast packets of a socket leave by i, the one interface that
// a Conn has here. It needs no control bytes.
func route(udp *net.UDPConn, v6 bool, i net.Interface) ([]byte, error) {
	if v6 {
		return nil, ipv6.NewPacketConn(udp).SetMulticastInterface(&i)
	}
	return nil, ipv4.NewPacketConn(udp).SetMulticastInterface(&i)
}
