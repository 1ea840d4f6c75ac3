// Package crew runs the goroutines of a benchmark's operation.
package crew

// Crew is a number of goroutines that do an operation together. They live as
// long as the Crew and wait between operations, so that an operation neither
// starts goroutines nor allocates.
//
// It is there because testing's RunParallel cannot say who does what: it hands
// out operations from one counter that all goroutines write, which is the very
// thing that a benchmark of shared memory wants to measure, and with few
// operations one goroutine may do them all. A Crew's share of the work is fixed.
//
// A Crew is for one goroutine, which takes part as number 0.
type Crew struct {
	work  func(i int)
	start []chan struct{} // of the goroutines 1, 2, ...
	done  chan struct{}
}

// New returns a Crew of n goroutines, of which n-1 are new. In an operation
// each calls work once, with its number: 0, 1, ..., n-1. A panic in work ends
// the program.
func New(n int, work func(i int)) *Crew {
	c := &Crew{work: work, done: make(chan struct{})}
	for i := 1; i < n; i++ {
		start := make(chan struct{}, 1)
		c.start = append(c.start, start)
		go func() {
			for range start {
				work(i)
				c.done <- struct{}{}
			}
		}()
	}
	return c
}

// Run is one operation. It returns when each goroutine has returned from work,
// and what they wrote there can be read.
func (c *Crew) Run() {
	for _, s := range c.start {
		s <- struct{}{}
	}
	c.work(0)
	for range c.start {
		<-c.done
	}
}

// Close lets the goroutines end. Run must not be called after it.
func (c *Crew) Close() {
	for _, s := range c.start {
		close(s)
	}
}
