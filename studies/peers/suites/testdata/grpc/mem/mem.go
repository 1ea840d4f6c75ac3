// Package mem gives Pool.GRPC the names of google.golang.org/grpc/mem.
package mem

import "github.com/poolproof/poolproof/buffer"

type BufferPool interface {
	Get(length int) *[]byte
	Put(*[]byte)
}

// NopBufferPool is a pool that keeps nothing but the smallest class.
type NopBufferPool struct{}

var nop = buffer.New(buffer.Options{Max: 64}).GRPC()

func (NopBufferPool) Get(length int) *[]byte { return nop.Get(length) }
func (NopBufferPool) Put(b *[]byte)          { nop.Put(b) }

// NewTieredBufferPool returns a pool with the default classes, whatever the tiers.
func NewTieredBufferPool(...int) BufferPool { return buffer.New(buffer.Options{}).GRPC() }
