package transport

import (
	"bytes"
	"net/netip"
	"sync/atomic"

	"github.com/poolproof/poolproof/pool"
)

// Meta is the kernel's information about a packet.
type Meta struct {
	// Src is the sender. An IPv6 address has no zone: IfIndex is it.
	Src netip.AddrPort

	// Dst is the address that the packet was sent to: a group, or one of ours.
	// It is the zero Addr where the system does not tell.
	Dst netip.Addr

	// IfIndex is the index of the interface on which the packet came in. It can
	// be one that is not the Conn's, on which another program has joined the group:
	// Linux gives such packets to all sockets that have joined the group on any
	// interface, for IPv6 always and for IPv4 if a Conn has more interfaces than a
	// socket may have memberships.
	IfIndex int

	// HopLimit is the hop limit (IPv6) or time to live (IPv4) with which the
	// packet arrived, -1 where the system does not tell.
	HopLimit int

	// Truncated says that the packet was longer than [BufferSize]: its end is
	// lost.
	Truncated bool
}

// Packet is a datagram that is lent: it is valid until the function that was
// called with it returns, or the loop that it was yielded to goes on. A
// receiver that needs it longer copies it, or calls [Conn.ReceiveOwned].
type Packet struct {
	// Data is the payload, without capacity beyond its length.
	Data []byte
	Meta
}

// Owned is a packet with its memory and the number of its owners. The memory is
// used again when the last of them has called Release. Owners may be in
// different goroutines and read at the same time; none may write.
type Owned struct {
	Packet // Data lies in buf

	conn   *Conn        // counts; nil while the object is in the pool
	owners atomic.Int32 // 0 while a socket has it, or the pool
	buf    [BufferSize]byte
}

// packets holds packets without an owner, for all Conns.
var packets = pool.New(pool.Options[Owned]{Name: "mdns packets"})

// Retain adds an owner, who must call Release, and returns o. Only an owner may
// call it: it panics if there is none.
func (o *Owned) Retain() *Owned {
	if o.count(+1) < 2 {
		panic("transport: Retain of a packet that was released")
	}
	return o
}

// Release gives up the caller's ownership. The caller must not use o or its
// Data afterwards: with the last owner the memory is there for another packet.
// One Release too many panics, unless the memory has a new owner already.
func (o *Owned) Release() {
	switch o.count(-1) {
	case -1:
		panic("transport: Release of a packet that was released")
	case 0:
		c := o.conn
		o.scrub(c.config.ClearUsed)
		o.Packet, o.conn = Packet{}, nil
		c.puts.Add(1)
		packets.Put(o)
	}
}

// count adds d to the number of owners and returns it, or -1 if there is none:
// then it writes nothing, because the memory is not the caller's.
func (o *Owned) count(d int32) int32 {
	for {
		owners := o.owners.Load()
		if owners <= 0 {
			return -1
		}
		if o.owners.CompareAndSwap(owners, owners+d) {
			return owners + d
		}
	}
}

// Clone returns a copy of the packet's bytes, the caller's for good.
func (o *Owned) Clone() []byte { return bytes.Clone(o.Data) }

// scrub is called when a packet has no user any more. It touches the bytes that
// were received, and no others.
func (o *Owned) scrub(zero bool) {
	used := o.buf[:len(o.Data)]
	switch {
	case zero:
		clear(used)
	case checked:
		for i := range used {
			used[i] = poison
		}
	}
}
