package mdnsreceive

import (
	"bytes"
	"context"
	"net"
	"net/netip"
)

// The arms docmake and docpool are the code as the document describes it, a day
// before the release: the socket is read by net.PacketConn's ReadFrom, which
// allocates the address alone, and does not tell the interface. So the pool is
// judged on both, with the read that hides it and with the one before.

// readFrom reads one packet into buf.
func (c *Conn) readFrom(buf []byte) (n int, src netip.AddrPort, err error) {
	n, from, err := net.PacketConn(c.udp).ReadFrom(buf)
	if err != nil {
		return 0, netip.AddrPort{}, err
	}
	return n, addrPort(from), nil
}

// DocMake is the arm docmake: a new buffer for each packet. The packet is its
// caller's.
type DocMake struct{ c *Conn }

// NewDocMake returns a Receiver that any number of goroutines may use.
func NewDocMake(c *Conn) *DocMake { return &DocMake{c} }

// Next returns the next packet.
func (m *DocMake) Next(ctx context.Context) (Packet, error) {
	if err := m.c.Obey(ctx); err != nil {
		return Packet{}, err
	}
	buf := newBuffer()
	n, src, err := m.c.readFrom(buf)
	if err != nil {
		return Packet{}, &ReceiveError{"receive", err, "no packet"}
	}
	return Packet{Data: buf[:n], Src: src}, nil
}

// Receive implements Receiver.
func (m *DocMake) Receive(n int, deliver func(Packet)) (int, error) {
	return each(n, deliver, m.Next)
}

// DocPool is the arm docpool: the buffer from the pool, cleared when it is put,
// and a copy for the caller.
type DocPool struct{ c *Conn }

// NewDocPool returns a Receiver that any number of goroutines may use.
func NewDocPool(c *Conn) *DocPool { return &DocPool{c} }

// Next returns the next packet.
func (p *DocPool) Next(ctx context.Context) (Packet, error) {
	if err := p.c.Obey(ctx); err != nil {
		return Packet{}, err
	}
	buf := cleared.get()
	n, src, err := p.c.readFrom(*buf)
	if err != nil {
		cleared.put(buf, 0)
		return Packet{}, &ReceiveError{"receive", err, "no packet"}
	}
	data := bytes.Clone((*buf)[:n])
	cleared.put(buf, n)
	return Packet{Data: data, Src: src}, nil
}

// Receive implements Receiver.
func (p *DocPool) Receive(n int, deliver func(Packet)) (int, error) {
	return each(n, deliver, p.Next)
}
