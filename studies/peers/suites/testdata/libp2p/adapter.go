// Package suite gives Pool.Bytes and Pool.Free the names of go-buffer-pool.
package suite

import (
	"sync"

	"github.com/poolproof/poolproof/buffer"
)

type BufferPool struct {
	once sync.Once
	pool *buffer.Pool
}

func (p *BufferPool) of() *buffer.Pool {
	p.once.Do(func() { p.pool = buffer.New(buffer.Options{}) })
	return p.pool
}

func (p *BufferPool) Get(length int) []byte { return p.of().Bytes(length) }

func (p *BufferPool) Put(b []byte) {
	if !p.of().Free(b) {
		panic("a slice of the pool was refused")
	}
}

var global BufferPool

func Get(length int) []byte { return global.Get(length) }
func Put(b []byte)          { global.Put(b) }
