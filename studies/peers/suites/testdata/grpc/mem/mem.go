// Package mem gives adapt.GRPC the names of google.golang.org/grpc/mem.
package mem

import (
	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
)

type BufferPool interface {
	Get(length int) *[]byte
	Put(*[]byte)
}

// NopBufferPool is a pool that keeps nothing but the smallest class.
type NopBufferPool struct{}

var nop = adapt.GRPC(buffer.New(buffer.Options{Max: 64}))

func (NopBufferPool) Get(length int) *[]byte { return nop.Get(length) }
func (NopBufferPool) Put(b *[]byte)          { nop.Put(b) }

// NewTieredBufferPool returns a pool with the default classes, whatever the tiers.
func NewTieredBufferPool(...int) BufferPool { return adapt.GRPC(buffer.New(buffer.Options{})) }
