// Package inline calls Get and Put once each. A test asks the compiler whether
// both calls were inlined.
package inline

import "github.com/poolproof/poolproof/pool"

// Use takes an object and gives it back.
func Use(p *pool.Pool[[64]byte]) {
	p.Put(p.Get())
}
