package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// Listen opens port 5353 and joins the groups of Multicast DNS on the
// interfaces of the configuration. Other programs of the machine may listen
// too: the port is shared, as RFC 6762, section 15, asks for. The error names
// the family and the interface. If the configuration names none and none is up,
// the Conn waits for [Conn.Refresh] to find one. ctx is used while Listen runs.
func Listen(ctx context.Context, config Config) (*Conn, error) {
	interfaces, err := choose(config.Interfaces)
	if err != nil {
		return nil, err
	}
	explicit := config.IPv4 || config.IPv6
	var sockets []*net.UDPConn
	var failed []error
	for _, f := range []struct {
		wanted bool
		name   string
		open   func(context.Context, []net.Interface, bool) (*net.UDPConn, error)
	}{
		{config.IPv4 || !explicit, "IPv4", listenIPv4},
		{config.IPv6 || !explicit, "IPv6", listenIPv6},
	} {
		if !f.wanted {
			continue
		}
		udp, err := f.open(ctx, interfaces, len(config.Interfaces) > 0)
		if err != nil {
			failed = append(failed, fmt.Errorf("transport: port %d on %s: %w", Port, f.name, err))
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
	}
	return c, err
}

func closeAll(sockets []*net.UDPConn) {
	for _, s := range sockets {
		s.Close()
	}
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

// open binds the port of a family, to be shared with others.
func open(ctx context.Context, network, address string) (*net.UDPConn, error) {
	config := net.ListenConfig{Control: shareable}
	p, err := config.ListenPacket(ctx, network, address)
	if err != nil {
		if isInUse(err) {
			return nil, fmt.Errorf("%w: another program holds the port and does not share it (Avahi does so with disallow-other-stacks=yes)", err)
		}
		return nil, err
	}
	return p.(*net.UDPConn), nil
}

func listenIPv4(ctx context.Context, interfaces []net.Interface, all bool) (*net.UDPConn, error) {
	udp, err := open(ctx, "udp4", fmt.Sprintf("0.0.0.0:%d", Port))
	if err != nil {
		return nil, err
	}
	p := ipv4.NewPacketConn(udp)
	group := &net.UDPAddr{IP: GroupIPv4.AsSlice()}
	err = errors.Join(
		named("TTL 255", p.SetTTL(255)),
		named("multicast TTL 255", p.SetMulticastTTL(255)),
		named("multicast loopback", p.SetMulticastLoopback(true)),
		join(interfaces, all, func(i *net.Interface) error { return p.JoinGroup(i, group) }),
	)
	if err != nil {
		udp.Close()
		return nil, err
	}
	return udp, nil
}

func listenIPv6(ctx context.Context, interfaces []net.Interface, all bool) (*net.UDPConn, error) {
	udp, err := open(ctx, "udp6", fmt.Sprintf("[::]:%d", Port))
	if err != nil {
		return nil, err
	}
	p := ipv6.NewPacketConn(udp)
	group := &net.UDPAddr{IP: GroupIPv6.AsSlice()}
	err = errors.Join(
		named("hop limit 255", p.SetHopLimit(255)),
		named("multicast hop limit 255", p.SetMulticastHopLimit(255)),
		named("multicast loopback", p.SetMulticastLoopback(true)),
		join(interfaces, all, func(i *net.Interface) error { return p.JoinGroup(i, group) }),
	)
	if err != nil {
		udp.Close()
		return nil, err
	}
	return udp, nil
}

func named(option string, err error) error {
	if err != nil {
		return fmt.Errorf("setting %s: %w", option, err)
	}
	return nil
}

// join joins a group on the interfaces: on all of them, or on one at least.
func join(interfaces []net.Interface, all bool, group func(*net.Interface) error) error {
	var failed []string
	var first error
	for _, i := range interfaces {
		if err := group(&i); err != nil {
			failed = append(failed, i.Name)
			first = errors.Join(first, err)
		}
	}
	if len(failed) > 0 && len(failed) == len(interfaces) || all && len(failed) > 0 {
		return fmt.Errorf("joining the group on %s: %w", strings.Join(failed, ", "), first)
	}
	return nil
}
