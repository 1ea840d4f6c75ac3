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
	if c.isClosed() {
		return false, net.ErrClosed
	}
	now, err := c.present()
	if err != nil {
		return false, err
	}
	var failed []error
	for _, s := range c.sockets {
		failed = append(failed, s.rejoin(now)...)
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
// are there. It returns an error for each interface that could not be joined.
func (s *socket) rejoin(now []net.Interface) (failed []error) {
	s.leaveOthers(now) // first: it makes room
	after := make(map[int][]byte, len(now))
	for _, i := range now {
		if s.joined[i.Index] == nil {
			m, err := s.join(&i)
			if err != nil {
				failed = append(failed, fmt.Errorf("transport: joining the %s group on %s: %w", s.family(), i.Name, err))
				continue
			}
			s.joined[i.Index] = m
		}
		b, err := route(s.udp, s.v6, i)
		if err != nil {
			failed = append(failed, fmt.Errorf("transport: sending by %s from interface %s: %w", s.family(), i.Name, err))
			continue
		}
		after[i.Index] = b
	}
	s.routes.Store(&after)
	return failed
}

// leaveOthers leaves the group on interfaces that are not there any more.
func (s *socket) leaveOthers(now []net.Interface) {
	for index, m := range s.joined {
		if !slices.ContainsFunc(now, func(i net.Interface) bool { return i.Index == index }) {
			// A kernel allows a socket few groups, so those of interfaces that
			// have gone must be given up. There is nothing to do if it did so.
			_ = m.leave(index)
			delete(s.joined, index)
		}
	}
}

// member is a socket that is a member of the group on some interfaces.
type member interface {
	join(*net.Interface) error
	leave(ifIndex int) error
}

// join joins the group on an interface and returns the member: the socket itself
// or, if the system allows it no further group, a holder. The packets of a group
// that any socket of the system has joined come to this one (see open of holder).
func (s *socket) join(i *net.Interface) (member, error) {
	// The first time the socket may have joined already, before New.
	err := group{s}.join(i)
	if err == nil || errors.Is(err, syscall.EADDRINUSE) {
		return group{s}, nil
	}
	if !isFull(err) {
		return nil, err
	}
	for _, h := range s.holders {
		if h.join(i) == nil {
			return h, nil
		}
	}
	h, holding := newHolder(s)
	if holding != nil {
		return nil, errors.Join(err, holding)
	}
	if h.join(i) != nil {
		h.close()
		return nil, fmt.Errorf("%w, of a new socket too (on Linux net.ipv4.igmp_max_memberships and net.core.optmem_max bound the groups of a socket)", err)
	}
	s.holders = append(s.holders, h)
	return h, nil
}

// group is the socket itself as a member.
type group struct{ *socket }

func (g group) join(i *net.Interface) error {
	if g.v6 {
		return ipv6.NewPacketConn(g.udp).JoinGroup(i, &net.UDPAddr{IP: GroupIPv6.AsSlice()})
	}
	return ipv4.NewPacketConn(g.udp).JoinGroup(i, &net.UDPAddr{IP: GroupIPv4.AsSlice()})
}

func (g group) leave(ifIndex int) error {
	i := &net.Interface{Index: ifIndex}
	if g.v6 {
		return ipv6.NewPacketConn(g.udp).LeaveGroup(i, &net.UDPAddr{IP: GroupIPv6.AsSlice()})
	}
	return ipv4.NewPacketConn(g.udp).LeaveGroup(i, &net.UDPAddr{IP: GroupIPv4.AsSlice()})
}
