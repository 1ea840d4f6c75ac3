// Package suite gives Pool.GRPC the names of thanos' pool.
package suite

import "github.com/poolproof/poolproof/buffer"

type BucketedPool struct{ pool buffer.GRPCPool }

func NewBucketedPool[T ~byte](_, _ int, _ float64, _ uint64) (*BucketedPool, error) {
	return &BucketedPool{buffer.New(buffer.Options{}).GRPC()}, nil
}

func (p *BucketedPool) Get(size int) (*[]byte, error) {
	b := p.pool.Get(size)
	*b = (*b)[:0]
	return b, nil
}

func (p *BucketedPool) Put(b *[]byte) { p.pool.Put(b) }
