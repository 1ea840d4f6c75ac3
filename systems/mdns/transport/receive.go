package transport

import (
	"bytes"
	"context"
	"iter"
	"net"
)

// Serve calls h with each packet, one after the other, until ctx ends or the
// Conn is closed; it returns the error that says which, ctx.Err() or
// net.ErrClosed, or the first error of a socket. The packet is lent: it and its
// Data are valid until h returns. If h panics, so does Serve; packets that were
// not handed out stay for the next call.
func (c *Conn) Serve(ctx context.Context, h func(*Packet)) error {
	_, err := c.serve(ctx, func(p *Packet) bool {
		h(p)
		return true
	})
	return err
}

// Packets returns an iterator over the packets, for one loop. A packet is lent:
// it and its Data are valid until the next step. When ctx ends, the Conn is
// closed or a socket fails, the iterator yields a nil packet with the error and
// ends. After a break the packets that were not yielded stay for the next call.
func (c *Conn) Packets(ctx context.Context) iter.Seq2[*Packet, error] {
	return func(yield func(*Packet, error) bool) {
		stopped, err := c.serve(ctx, func(p *Packet) bool { return yield(p, nil) })
		if !stopped {
			yield(nil, err)
		}
	}
}

// serve lends packets to h until it returns false.
func (c *Conn) serve(ctx context.Context, h func(*Packet) bool) (stopped bool, err error) {
	if err := c.enter(ctx); err != nil {
		return false, err
	}
	c.serving.Store(true)
	defer func() {
		c.serving.Store(false)
		c.leave()
	}()
	for {
		s, err := c.await(ctx)
		if err != nil {
			return false, err
		}
		for s.next < s.n {
			if !h(s.lend()) {
				return true, nil
			}
			if err := ctx.Err(); err != nil {
				return false, err
			}
		}
	}
}

// ReceiveOwned returns the next packet. The caller is its one owner, and must
// call its Release. Any number of goroutines may call it.
func (c *Conn) ReceiveOwned(ctx context.Context) (*Owned, error) {
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	defer c.leave()
	s, err := c.await(ctx)
	if err != nil {
		return nil, err
	}
	c.gets.Add(1)
	return s.take(), nil
}

// ReceiveCopy returns a copy of the next packet's bytes, in memory of its own,
// which is the caller's for good: one allocation of its length. Any number of
// goroutines may call it.
func (c *Conn) ReceiveCopy(ctx context.Context) ([]byte, Meta, error) {
	if err := c.enter(ctx); err != nil {
		return nil, Meta{}, err
	}
	defer c.leave()
	s, err := c.await(ctx)
	if err != nil {
		return nil, Meta{}, err
	}
	p := s.lend()
	data := bytes.Clone(p.Data)
	if data == nil {
		data = []byte{}
	}
	return data, p.Meta, nil
}

// Receive is [Conn.ReceiveCopy] for code that expects a net.Addr, which is a
// *net.UDPAddr here: two allocations more. Interface, destination, hop limit
// and truncation are lost. An IPv6 link-local address has the name of the
// interface as its zone.
func (c *Conn) Receive(ctx context.Context) ([]byte, net.Addr, error) {
	data, meta, err := c.ReceiveCopy(ctx)
	if err != nil {
		return nil, nil, err
	}
	src := net.UDPAddrFromAddrPort(meta.Src)
	if meta.Src.Addr().IsLinkLocalUnicast() && meta.Src.Addr().Is6() {
		src.Zone = c.zone(meta.IfIndex)
	}
	return data, src, nil
}
