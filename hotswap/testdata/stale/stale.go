// Package stale keeps a pointer after Release. It is wrong: the value has a
// writer by then.
package stale

import "github.com/poolproof/poolproof/hotswap"

// Page is a value.
type Page struct{ N uint64 }

// Read returns the number of the current page, and a pointer that it should not
// have kept.
func Read(c *hotswap.Container[Page]) (uint64, *Page) {
	ref := c.Acquire()
	defer ref.Release()
	return ref.Value().N, ref.Value()
}

// write makes a page of n current.
func write(p *hotswap.Pool[Page], c *hotswap.Container[Page], n uint64) error {
	d := p.Get()
	d.Value().N = n
	return c.Update(&d)
}
