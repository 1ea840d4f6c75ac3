package mdnsreceive

import "bytes"

// Msg is the arm msg: net's ReadMsgUDPAddrPort into one buffer, which each
// packet overwrites. A packet is valid until deliver returns.
type Msg struct {
	c       *Conn
	buf     []byte
	control [controlSize]byte
}

// NewMsg returns a Receiver for one goroutine.
func NewMsg(c *Conn) *Msg { return &Msg{c: c, buf: newBuffer()} }

// next returns the next packet, valid until it is called again.
func (m *Msg) next() (Packet, error) {
	n, src, ifIndex, err := m.c.ReadMsg(m.buf, m.control[:])
	return Packet{Data: m.buf[:n], Src: src, IfIndex: ifIndex}, err
}

// Receive implements Receiver.
func (m *Msg) Receive(n int, deliver func(Packet)) (took int, err error) {
	for ; took < n; took++ {
		p, err := m.next()
		if err != nil {
			return took, err
		}
		deliver(p)
	}
	return took, nil
}

// Copy is the arm copy: as Msg, and the caller gets a copy. The packet is its
// caller's, the published contract, at one allocation.
type Copy struct{ msg *Msg }

// NewCopy returns a Receiver for one goroutine.
func NewCopy(c *Conn) *Copy { return &Copy{NewMsg(c)} }

// Next returns the next packet.
func (c *Copy) Next() (Packet, error) {
	p, err := c.msg.next()
	if err != nil {
		return Packet{}, err
	}
	p.Data = bytes.Clone(p.Data)
	return p, nil
}

// Receive implements Receiver.
func (c *Copy) Receive(n int, deliver func(Packet)) (took int, err error) {
	for ; took < n; took++ {
		p, err := c.Next()
		if err != nil {
			return took, err
		}
		deliver(p)
	}
	return took, nil
}
