package mdnsreceive

import "sync"

// Fixed is the arm fixed: one buffer, which each packet overwrites. A packet is
// valid until deliver returns.
type Fixed struct {
	c   *Conn
	buf []byte
}

// NewFixed returns a Receiver for one goroutine.
func NewFixed(c *Conn) *Fixed { return &Fixed{c, newBuffer()} }

// Receive implements Receiver.
func (f *Fixed) Receive(n int, deliver func(Packet)) (took int, err error) {
	for ; took < n; took++ {
		if err := f.one(deliver); err != nil {
			return took, err
		}
	}
	return took, nil
}

// one delivers one packet.
func (f *Fixed) one(deliver func(Packet)) error {
	n, src, ifIndex, err := f.c.ReadFrom(f.buf)
	if err != nil {
		return err
	}
	deliver(Packet{Data: f.buf[:n], Src: src, IfIndex: ifIndex})
	return nil
}

// Locked is the arm locked: one buffer for all receivers. It belongs to the one
// that holds the mutex, from before it reads until its deliver has returned, so
// a packet is valid until then, and packets are consumed one at a time.
type Locked struct {
	mu    sync.Mutex
	fixed *Fixed // guarded by mu
}

// NewLocked returns a Receiver that any number of goroutines may use.
func NewLocked(c *Conn) *Locked { return &Locked{fixed: NewFixed(c)} }

// Receive implements Receiver.
func (l *Locked) Receive(n int, deliver func(Packet)) (took int, err error) {
	for ; took < n; took++ {
		if err := l.one(deliver); err != nil {
			return took, err
		}
	}
	return took, nil
}

func (l *Locked) one(deliver func(Packet)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fixed.one(deliver)
}
