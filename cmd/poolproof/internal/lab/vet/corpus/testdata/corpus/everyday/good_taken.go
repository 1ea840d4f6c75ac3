package everyday

import (
	"errors"
	"sync"
)

type check struct {
	errs []error
	n    int
}

var checks = sync.Pool{New: func() any { return new(check) }}

type failures []error

func (f failures) Error() string { return "failed" }

func (c *check) run(n int) {
	if n > c.n {
		c.errs = append(c.errs, errors.New("too large"))
	}
}

// The errors are taken out of the object before it is put.
func validate(n int) (err error) {
	c := checks.Get().(*check)
	c.run(n)
	if len(c.errs) > 0 {
		err = failures(c.errs)
		c.errs = nil
	}
	checks.Put(c)
	return // fine "PV001" c has let go of them
}

// A pool that is replaced under the lock that its users take.
type guarded struct {
	mu   sync.RWMutex
	pool sync.Pool
}

func (g *guarded) setNew(mk func() any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pool = sync.Pool{New: mk} // fine "PV009" nobody is in get or put
}

func (g *guarded) get() any {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.pool.Get()
}
