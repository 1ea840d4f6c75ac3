package mdnsreceive

import (
	"sync/atomic"

	"github.com/poolproof/poolproof/pool"
)

// Owned is a packet with its memory and the number of its owners. The memory
// is used again when the last of them has released it.
type Owned struct {
	Packet  // Data lies in buf
	owners  atomic.Int32
	buf     [BufferSize]byte
	control [controlSize]byte
}

// owned holds packets without an owner.
var owned = pool.New(pool.Options[Owned]{})

// Retain adds an owner, who must call Release, and returns o. Only an owner may
// call it.
func (o *Owned) Retain() *Owned {
	if o.owners.Add(1) < 2 {
		panic("mdnsreceive: Retain of a packet that nobody owns")
	}
	return o
}

// Release ends the ownership of one owner, who must not use o afterwards. One
// Release too many panics, if the packet has not become somebody else's yet.
func (o *Owned) Release() {
	switch owners := o.owners.Add(-1); {
	case owners < 0:
		panic("mdnsreceive: Release of a packet that nobody owns")
	case owners == 0:
		o.Packet = Packet{}
		owned.Put(o)
	}
}

// Counted is the arm counted: ReadMsgUDPAddrPort into a pooled object that
// counts its owners. Of a packet that Receive delivers the receiver is one
// owner, until deliver returns.
type Counted struct{ c *Conn }

// NewCounted returns a Receiver that any number of goroutines may use.
func NewCounted(c *Conn) *Counted { return &Counted{c} }

// Next returns the next packet, of which the caller is the one owner.
func (c *Counted) Next() (*Owned, error) {
	o := owned.Get()
	o.owners.Store(1)
	n, src, ifIndex, err := c.c.ReadMsg(o.buf[:], o.control[:])
	if err != nil {
		o.Release()
		return nil, err
	}
	o.Packet = Packet{Data: o.buf[:n], Src: src, IfIndex: ifIndex}
	return o, nil
}

// Receive implements Receiver. A packet is valid until deliver returns.
func (c *Counted) Receive(n int, deliver func(Packet)) (took int, err error) {
	for ; took < n; took++ {
		o, err := c.Next()
		if err != nil {
			return took, err
		}
		deliver(o.Packet)
		o.Release()
	}
	return took, nil
}
