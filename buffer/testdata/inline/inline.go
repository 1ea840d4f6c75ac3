// Package inline calls what the compiler is expected to inline.
package inline

import "github.com/poolproof/poolproof/buffer"

// Use calls each once.
func Use(p *buffer.Pool) int {
	b := p.Get(10)
	n := len(b.Bytes()) + b.Len() + b.Cap()
	b.Reset()
	b.Release()
	p.Free(p.Bytes(10))
	return n
}
