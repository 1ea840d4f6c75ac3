// Package copied copies pools, which go vet must report.
package copied

import "github.com/poolproof/poolproof/pool"

// Copy returns a copy of what p points to.
func Copy(p *pool.Pool[int]) *pool.Pool[int] {
	copied := *p
	return &copied
}

// Argument takes a copy.
func Argument(p pool.Pool[int]) *int {
	return p.Get()
}

func value(p *pool.Pool[int]) pool.Pool[int] {
	return *p
}

type server struct {
	buffers pool.Pool[int]
}

// Range copies the pools of all servers, one after the other.
func Range(pools []pool.Pool[int]) {
	for _, p := range pools {
		p.Put(nil)
	}
}

// Stack returns a copy of a Local.
func Stack(l *pool.Local[int]) any {
	return *l
}

var (
	_ = value
	_ server
)
