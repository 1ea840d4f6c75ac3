// Package inline makes the calls that are to be inlined, each once. A test asks
// the compiler whether they were.
package inline

import "github.com/poolproof/poolproof/hotswap"

// Load loads a value.
func Load(r *hotswap.Reader[[64]byte]) byte {
	return r.Load()[0]
}

// Hold holds a value while it reads it.
func Hold(c *hotswap.Container[[64]byte]) byte {
	r := c.Acquire()
	x := r.Value()[0]
	r.Release()
	return x
}
