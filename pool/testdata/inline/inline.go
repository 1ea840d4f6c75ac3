// Package inline calls each Get and Put once. A test asks the compiler whether
// the calls were inlined.
package inline

import "github.com/poolproof/poolproof/pool"

// Use takes an object and gives it back.
func Use(p *pool.Pool[[64]byte]) {
	p.Put(p.Get())
}

// UseLocal does the same with a Local.
func UseLocal(l *pool.Local[[64]byte]) {
	l.Put(l.Get())
}
