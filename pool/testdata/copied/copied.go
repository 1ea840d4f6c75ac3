// Package copied copies a pool, which go vet must report.
package copied

import "github.com/poolproof/poolproof/pool"

// Copy returns a copy of what p points to.
func Copy(p *pool.Pool[int]) *pool.Pool[int] {
	copied := *p
	return &copied
}
