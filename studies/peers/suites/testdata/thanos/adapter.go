// Package suite gives adapt.GRPC the names of thanos' pool.
package suite

import (
	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
)

type BucketedPool struct{ pool adapt.GRPCPool }

func NewBucketedPool[T ~byte](_, _ int, _ float64, _ uint64) (*BucketedPool, error) {
	return &BucketedPool{adapt.GRPC(buffer.New(buffer.Options{}))}, nil
}

func (p *BucketedPool) Get(size int) (*[]byte, error) {
	b := p.pool.Get(size)
	*b = (*b)[:0]
	return b, nil
}

func (p *BucketedPool) Put(b *[]byte) { p.pool.Put(b) }
