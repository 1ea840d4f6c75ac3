// Package copied has the mistake that go vet reports.
package copied

import "github.com/poolproof/poolproof/buffer"

// Copy has its receiver's pool by value.
func Copy(p *buffer.Pool) buffer.Stats {
	q := *p
	return q.Stats()
}
