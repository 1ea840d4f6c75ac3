package mdnsreceive

import "context"

// Make is the arm make: each packet has a buffer of its own, as it was before
// the pool. The packet is its caller's.
type Make struct{ c *Conn }

// NewMake returns a Receiver that any number of goroutines may use.
func NewMake(c *Conn) *Make { return &Make{c} }

// newBuffer returns a buffer that nobody else has.
func newBuffer() []byte { return make([]byte, BufferSize) }

// Next returns the next packet.
func (m *Make) Next(ctx context.Context) (Packet, error) {
	if err := m.c.Obey(ctx); err != nil {
		return Packet{}, err
	}
	buf := newBuffer()
	n, src, ifIndex, err := m.c.ReadFrom(buf)
	if err != nil {
		return Packet{}, &ReceiveError{"receive", err, "no packet"}
	}
	return Packet{Data: buf[:n], Src: src, IfIndex: ifIndex}, nil
}

// Receive implements Receiver.
func (m *Make) Receive(n int, deliver func(Packet)) (int, error) {
	return each(n, deliver, m.Next)
}

// each delivers what n calls of next return.
func each(n int, deliver func(Packet), next func(context.Context) (Packet, error)) (took int, err error) {
	ctx := context.Background()
	for ; took < n; took++ {
		p, err := next(ctx)
		if err != nil {
			return took, err
		}
		deliver(p)
	}
	return took, nil
}
