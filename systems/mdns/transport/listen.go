package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// Listen opens port 5353 and joins the groups of Multicast DNS on the
// interfaces of the configuration. Other programs of the machine may listen
// too: the port is shared, as RFC 6762, section 15, asks for. The number of
// interfaces is not bounded by the memberships that the system allows a socket
// (on Linux 20 for IPv4): further sockets hold the others. The error names the
// family and the interface. If the configuration names none and none is up,
// the Conn waits for [Conn.Refresh] to find one. ctx is used while Listen runs.
func Listen(ctx context.Context, config Config) (*Conn, error) {
	interfaces, err := choose(config.Interfaces)
	if err != nil {
		return nil, err
	}
	explicit := config.IPv4 || config.IPv6
	var sockets []*net.UDPConn
	var failed []error
	for _, v6 := range []bool{false, true} {
		if explicit && (v6 && !config.IPv6 || !v6 && !config.IPv4) {
			continue
		}
		udp, err := open(ctx, v6)
		if err != nil {
			failed = append(failed, portError(v6, err))
			continue
		}
		sockets = append(sockets, udp)
	}
	if len(sockets) == 0 || explicit && len(failed) > 0 {
		closeAll(sockets)
		return nil, errors.Join(failed...)
	}
	c, err := attach(config, interfaces, sockets)
	if err != nil {
		closeAll(sockets)
		return nil, err
	}
	for _, s := range slices.Clone(c.sockets) {
		errs := s.rejoin(interfaces)
		if all := len(config.Interfaces) > 0; len(errs) == 0 || !all && len(errs) < len(interfaces) {
			continue
		}
		failed = append(failed, portError(s.v6, errors.Join(errs...)))
		c.sockets = slices.DeleteFunc(c.sockets, func(o *socket) bool { return o == s })
		s.close()
		s.free()
	}
	if len(c.sockets) == 0 || explicit && len(failed) > 0 {
		c.Close()
		return nil, errors.Join(failed...)
	}
	return c, nil
}

func portError(v6 bool, err error) error {
	return fmt.Errorf("transport: port %d on %s: %w", Port, familyName(v6), err)
}

func closeAll(sockets []*net.UDPConn) {
	for _, s := range sockets {
		s.Close()
	}
}

// open binds the port of a family, to be shared with others, and sets what its
// packets are sent with.
func open(ctx context.Context, v6 bool) (*net.UDPConn, error) {
	network, address := "udp4", "0.0.0.0"
	if v6 {
		network, address = "udp6", "::"
	}
	config := net.ListenConfig{Control: shareable}
	p, err := config.ListenPacket(ctx, network, net.JoinHostPort(address, strconv.Itoa(Port)))
	if err != nil {
		if isInUse(err) {
			return nil, fmt.Errorf("%w: another program holds the port and does not share it (Avahi does so with disallow-other-stacks=yes)", err)
		}
		return nil, err
	}
	udp := p.(*net.UDPConn)
	if v6 {
		p := ipv6.NewPacketConn(udp)
		err = errors.Join(
			named("hop limit 255", p.SetHopLimit(255)),
			named("multicast hop limit 255", p.SetMulticastHopLimit(255)),
			named("multicast loopback", p.SetMulticastLoopback(true)),
		)
	} else {
		p := ipv4.NewPacketConn(udp)
		err = errors.Join(
			named("TTL 255", p.SetTTL(255)),
			named("multicast TTL 255", p.SetMulticastTTL(255)),
			named("multicast loopback", p.SetMulticastLoopback(true)),
		)
	}
	if err != nil {
		udp.Close()
		return nil, err
	}
	return udp, nil
}
