package transport

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// Interfaces returns the interfaces of the Conn: those that it was made with, or
// that the last [Conn.Refresh] found.
func (c *Conn) Interfaces() []net.Interface { return slices.Clone(*c.interfaces.Load()) }

// Refresh looks at the system's interfaces again: it joins the groups on those
// that have come up since, and leaves out those that have gone or are down. If
// the configuration names interfaces, these count by their names, so that one
// that was removed and made again is taken again. It reports whether there is a
// change, in the interfaces or in what they are. An error says on which
// interface a group could not be joined; the others are in use nevertheless, and
// the next call tries again.
//
// Refresh may be called while others send and receive. On systems that do not
// tell on which interface a packet came in (all but Linux and macOS) it does
// nothing.
func (c *Conn) Refresh() (changed bool, err error) {
	if !multiHomed {
		return false, nil
	}
	c.refreshing.Lock()
	defer c.refreshing.Unlock()
	now, err := c.present()
	if err != nil {
		return false, err
	}
	var failed []error
	for _, s := range c.sockets {
		failed = append(failed, s.rejoin(now))
	}
	changed = !slices.EqualFunc(now, *c.interfaces.Load(), func(a, b net.Interface) bool {
		return a.Index == b.Index && a.Name == b.Name && a.MTU == b.MTU
	})
	c.interfaces.Store(&now)
	return changed, errors.Join(failed...)
}

// present returns the interfaces that are up now, of those wanted.
func (c *Conn) present() ([]net.Interface, error) {
	if len(c.config.Interfaces) == 0 {
		return usable(net.FlagUp | net.FlagMulticast)
	}
	all, err := usable(net.FlagUp)
	return slices.DeleteFunc(all, func(i net.Interface) bool {
		return !slices.ContainsFunc(c.config.Interfaces, func(w net.Interface) bool { return w.Name == i.Name })
	}), err
}

// rejoin brings the socket's groups and routes in line with the interfaces that
// are there.
func (s *socket) rejoin(now []net.Interface) error {
	var failed []error
	after := make(map[int][]byte, len(now))
	for _, i := range now {
		if !s.joined[i.Index] {
			// The first time it may have joined already, by Listen or before New.
			if err := s.group(&i, true); err != nil && !errors.Is(err, syscall.EADDRINUSE) {
				failed = append(failed, fmt.Errorf("transport: joining the %s group on %s: %w", s.family(), i.Name, err))
				continue
			}
			s.joined[i.Index] = true
		}
		b, err := route(s.udp, s.v6, i)
		if err != nil {
			failed = append(failed, fmt.Errorf("transport: sending by %s from interface %s: %w", s.family(), i.Name, err))
			continue
		}
		after[i.Index] = b
	}
	for index := range s.joined {
		if _, ok := after[index]; !ok {
			// A kernel allows a socket few groups, so those of interfaces that
			// have gone must be given up. There is nothing to do if it did so.
			_ = s.group(&net.Interface{Index: index}, false)
			delete(s.joined, index)
		}
	}
	s.routes.Store(&after)
	return errors.Join(failed...)
}

// group joins the group of the socket's family on an interface, or leaves it.
func (s *socket) group(i *net.Interface, join bool) error {
	if s.v6 {
		p, group := ipv6.NewPacketConn(s.udp), &net.UDPAddr{IP: GroupIPv6.AsSlice()}
		if join {
			return p.JoinGroup(i, group)
		}
		return p.LeaveGroup(i, group)
	}
	p, group := ipv4.NewPacketConn(s.udp), &net.UDPAddr{IP: GroupIPv4.AsSlice()}
	if join {
		return p.JoinGroup(i, group)
	}
	return p.LeaveGroup(i, group)
}
