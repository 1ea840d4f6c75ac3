package transport

import (
	"net"
	"net/netip"
)

func newSocket(c *Conn, udp *net.UDPConn) (*socket, error) {
	s := &socket{conn: c, udp: udp, v6: isIPv6(udp), resume: make(chan struct{}, 1), joined: map[int]member{}}
	var err error
	if s.granted, err = prepare(udp, s.v6, c.config.RecvBuffer); err != nil {
		return nil, err
	}
	all, err := routes(udp, s.v6, *c.interfaces.Load())
	if err != nil {
		return nil, err
	}
	s.routes.Store(&all)
	batch := c.config.Batch
	if batch > 1 && canBatch {
		if err := s.batch.init(udp, batch); err != nil {
			return nil, err
		}
		s.read, s.batched = s.readBatch, true
	} else {
		batch = 1
		s.read = s.readOne
	}
	s.slots = make([]*Owned, batch)
	for i := range s.slots {
		s.slots[i] = packets.Get()
		s.batch.aim(i, s.slots[i])
	}
	return s, nil
}

// close ends what waits for the socket, and its memberships.
func (s *socket) close() error {
	s.conn.refreshing.Lock()
	defer s.conn.refreshing.Unlock()
	for _, h := range s.holders {
		h.close()
	}
	s.holders = nil
	return s.udp.Close()
}

// fill waits until there is a packet, and reads as many as there are room for.
// All packets of the call before must have been handed out: they end here.
func (s *socket) fill() error {
	s.retire()
	if err := s.read(); err != nil {
		return err
	}
	s.received.Add(uint64(s.n))
	return nil
}

// retire ends the use of the packets that were lent, and of those that were
// received and will not be. Memory that need not be touched is left alone: what
// is written over it next is a packet.
func (s *socket) retire() {
	if s.conn.config.ClearUsed || checked {
		for s.next < s.n {
			s.lend()
		}
		for _, o := range s.slots[:s.n] {
			if o.Data != nil {
				o.scrub(s.conn.config.ClearUsed)
				o.Packet = Packet{}
			}
		}
	}
	s.next, s.n = 0, 0
}

// readOne reads one packet by package net, on any system.
func (s *socket) readOne() error {
	o := s.slots[0]
	n, controlled, flags, src, err := s.udp.ReadMsgUDPAddrPort(o.buf[:], s.room[:])
	cut := flags&flagTruncated != 0
	if err != nil {
		if !isTruncation(err) {
			return err
		}
		cut = true
	}
	o.Packet = Packet{Data: o.buf[:n:n], Meta: Meta{Src: unzoned(src), HopLimit: -1, Truncated: cut}}
	s.control(s.room[:controlled], &o.Meta)
	if cut {
		s.truncated.Add(1)
	}
	s.n = 1
	return nil
}

// unzoned is an address as [Meta] has it.
func unzoned(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// lend hands out the next packet until the next fill.
func (s *socket) lend() *Packet {
	o := s.slots[s.next]
	if s.batched {
		s.describe(s.next, o)
	}
	s.next++
	return &o.Packet
}

// take hands out the next packet for good: another one takes its slot.
func (s *socket) take() *Owned {
	s.lend()
	last := s.next - 1
	o := s.slots[last]
	s.slots[last] = packets.Get()
	s.batch.aim(last, s.slots[last])
	o.conn = s.conn
	o.owners.Store(1)
	return o
}

// free gives the slots to the pool. The socket is not read any more.
func (s *socket) free() {
	s.retire()
	for _, o := range s.slots {
		o.Packet = Packet{}
		packets.Put(o)
	}
	s.slots = nil
}
