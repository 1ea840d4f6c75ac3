package mdnsreceive

import "golang.org/x/net/ipv4"

// batch is the largest number of packets of a system call in the arms
// readbatch and recvmmsg.
const batch = 64

// ReadBatch is the arm readbatch: x/net's ReadBatch, which is one recvmmsg on
// Linux, into buffers of its own. On other systems it reads one packet a call.
// A packet is valid until deliver returns.
type ReadBatch struct {
	c        *Conn
	messages []ipv4.Message
}

// NewReadBatch returns a Receiver for one goroutine.
func NewReadBatch(c *Conn) *ReadBatch {
	r := &ReadBatch{c: c, messages: make([]ipv4.Message, batch)}
	for i := range r.messages {
		r.messages[i].Buffers = [][]byte{newBuffer()}
		r.messages[i].OOB = make([]byte, controlSize)
	}
	return r
}

// Receive implements Receiver.
func (r *ReadBatch) Receive(n int, deliver func(Packet)) (took int, err error) {
	for took < n {
		got, err := r.c.packets.ReadBatch(r.messages[:min(batch, n-took)], 0)
		if err != nil {
			return took, err
		}
		for i := range r.messages[:got] {
			m := &r.messages[i]
			if m.Flags&flagTruncated != 0 {
				return took, errTruncated
			}
			ifIndex, err := interfaceOf(m.OOB[:m.NN])
			if err != nil {
				return took, err
			}
			deliver(Packet{Data: m.Buffers[0][:m.N], Src: addrPort(m.Addr), IfIndex: ifIndex})
			took++
		}
	}
	return took, nil
}
