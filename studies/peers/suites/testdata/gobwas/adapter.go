// Package suite gives Pool.Bytes and Pool.Free the names of pbytes.
package suite

import "github.com/poolproof/poolproof/buffer"

type Pool struct{ pool *buffer.Pool }

func New(_, most int) *Pool { return &Pool{buffer.New(buffer.Options{Max: max(64, most)})} }

func (p *Pool) Get(n, c int) []byte { return p.pool.Bytes(c)[:n] }

func (p *Pool) Put(b []byte) {
	if !p.pool.Free(b) {
		panic("a slice of the pool was refused")
	}
}
