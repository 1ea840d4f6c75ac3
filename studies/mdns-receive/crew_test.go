package mdnsreceive

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew is a number of goroutines that receive from one socket. They live as
// long as a slice of the benchmark, so that an operation does not start them.
type crew struct {
	size    int
	start   chan struct{} // one value for each goroutine begins an operation
	working sync.WaitGroup
	tickets atomic.Int64 // packets of the operation that nobody has claimed

	mu    sync.Mutex
	total *Consumer // of the operation; guarded by mu
	took  int       // guarded by mu
	err   error     // the first; guarded by mu
}

// newCrew starts n goroutines, each with a Receiver of its own unless the arm's
// is for all.
func newCrew(c *Conn, a arm, n int) (*crew, error) {
	crew := &crew{size: n, start: make(chan struct{}, n)}
	var receivers []Receiver
	for i := range n {
		if i > 0 && a.shared {
			receivers = append(receivers, receivers[0])
			continue
		}
		r, err := a.open(c)
		if err != nil {
			return nil, err
		}
		receivers = append(receivers, r)
	}
	for _, r := range receivers {
		go crew.work(r)
	}
	return crew, nil
}

// work is one goroutine. A ticket says that there is a packet for it.
func (c *crew) work(r Receiver) {
	own := new(Consumer)
	deliver := own.Deliver
	for range c.start {
		*own = Consumer{}
		var failed error
		for failed == nil && c.tickets.Add(-1) >= 0 {
			_, failed = r.Receive(1, deliver)
			runtime.Gosched()
		}
		c.mu.Lock()
		c.total.Add(*own)
		c.took += own.Packets
		if c.err == nil {
			c.err = failed
		}
		c.mu.Unlock()
		c.working.Done()
	}
}

// receive has the goroutines take n packets. They are consumed in total.
func (c *crew) receive(n int, total *Consumer) (took int, err error) {
	c.mu.Lock()
	c.total, c.took, c.err = total, 0, nil
	c.mu.Unlock()
	c.tickets.Store(int64(n))
	c.working.Add(c.size)
	for range c.size {
		c.start <- struct{}{}
	}
	c.working.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.took, c.err
}

// dismiss ends the goroutines.
func (c *crew) dismiss() { close(c.start) }
