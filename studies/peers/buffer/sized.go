package bufferpeers

import (
	"github.com/bytedance/gopkg/lang/mcache"
	"github.com/gobwas/pool/pbytes"
	libp2p "github.com/libp2p/go-buffer-pool"
	"github.com/oxtoacart/bpool"
	prometheus "github.com/prometheus/prometheus/util/pool"
	thanos "github.com/thanos-io/thanos/pkg/pool"
	"github.com/xtaci/smux"
	"google.golang.org/grpc/mem"
)

// The peers whose users choose the limits get 64 B to 1 MiB in powers of two,
// the range of package buffer; the others are as they come.
const (
	smallest = 64
	largest  = 1 << 20
)

var sized = []Peer{
	{Name: "mcache", Module: "github.com/bytedance/gopkg/lang/mcache", New: func() Pool { return newMcache() }},
	{Name: "libp2p", Module: "github.com/libp2p/go-buffer-pool", New: func() Pool { return newLibp2p() }},
	{Name: "gobwas", Module: "github.com/gobwas/pool/pbytes", New: func() Pool { return newGobwas() }},
	{Name: "prometheus", Module: "github.com/prometheus/prometheus/util/pool", New: func() Pool { return newPrometheus() }},
	{Name: "thanos", Module: "github.com/thanos-io/thanos/pkg/pool", New: func() Pool { return newThanos() }},
	{Name: "smux", Module: "github.com/xtaci/smux", Max: 64 << 10, New: func() Pool { return newSmux() }},
	{Name: "grpc", Module: "google.golang.org/grpc/mem", Clears: true, New: func() Pool { return newGRPC() }},
	{Name: "oxtoacart", Module: "github.com/oxtoacart/bpool", New: func() Pool { return newOxtoacart() }},
}

type mcachePool struct{ native[[]byte] }

func newMcache() mcachePool {
	return mcachePool{slices(func(size int) []byte { return mcache.Malloc(size) }, mcache.Free)}
}

func (mcachePool) Pairs(size, n int) {
	for range n {
		b := mcache.Malloc(size)
		touch(b)
		mcache.Free(b)
	}
}

type libp2pPool struct {
	native[[]byte]
	pool *libp2p.BufferPool
}

func newLibp2p() libp2pPool {
	p := new(libp2p.BufferPool)
	return libp2pPool{slices(p.Get, p.Put), p}
}

func (p libp2pPool) Pairs(size, n int) {
	for range n {
		b := p.pool.Get(size)
		touch(b)
		p.pool.Put(b)
	}
}

type gobwasPool struct {
	native[[]byte]
	pool *pbytes.Pool
}

func newGobwas() gobwasPool {
	p := pbytes.New(smallest, largest)
	return gobwasPool{slices(p.GetLen, p.Put), p}
}

func (p gobwasPool) Pairs(size, n int) {
	for range n {
		b := p.pool.GetLen(size)
		touch(b)
		p.pool.Put(b)
	}
}

type prometheusPool struct {
	native[[]byte]
	pool *prometheus.Pool
}

func newPrometheus() prometheusPool {
	p := prometheus.New(smallest, largest, 2, func(size int) any { return make([]byte, 0, size) })
	return prometheusPool{slices(
		func(size int) []byte { return p.Get(size).([]byte)[:size] },
		func(b []byte) { p.Put(b) },
	), p}
}

func (p prometheusPool) Pairs(size, n int) {
	for range n {
		b := p.pool.Get(size).([]byte)[:size]
		touch(b)
		p.pool.Put(b)
	}
}

type thanosPool struct {
	native[*[]byte]
	pool *thanos.BucketedPool[byte]
}

func newThanos() thanosPool {
	p := thanos.MustNewBucketedPool[byte](smallest, largest, 2, 0)
	return thanosPool{pointers(
		func(size int) *[]byte {
			b, err := p.Get(size)
			if err != nil {
				panic(err) // without a cap on what is in use Get has none
			}
			*b = (*b)[:size]
			return b
		},
		p.Put,
	), p}
}

func (p thanosPool) Pairs(size, n int) {
	for range n {
		b, err := p.pool.Get(size)
		if err != nil {
			panic(err)
		}
		*b = (*b)[:size]
		touch(*b)
		p.pool.Put(b)
	}
}

type smuxPool struct {
	native[*[]byte]
	pool *smux.Allocator
}

func newSmux() smuxPool {
	p := smux.NewAllocator()
	return smuxPool{pointers(p.Get, func(b *[]byte) { mustPut(p.Put(b)) }), p}
}

func (p smuxPool) Pairs(size, n int) {
	for range n {
		b := p.pool.Get(size)
		touch(*b)
		mustPut(p.pool.Put(b))
	}
}

func mustPut(err error) {
	if err != nil {
		panic(err)
	}
}

type grpcPool struct {
	native[*[]byte]
	pool mem.BufferPool
}

// newGRPC returns a pool with the tiers of mem.DefaultBufferPool.
func newGRPC() grpcPool {
	p, err := mem.NewBinaryTieredBufferPool(8, 12, 14, 15, 20)
	if err != nil {
		panic(err) // the tiers are constants
	}
	return grpcPool{pointers(p.Get, p.Put), p}
}

func (p grpcPool) Pairs(size, n int) {
	for range n {
		b := p.pool.Get(size)
		touch(*b)
		p.pool.Put(b)
	}
}

// oxtoacartPool is a BytePool for each size, of 64 buffers: one has a single
// size. As it is not asked for a size, mixed sizes would need a pool for
// each, so there are powers of two here, as a user might build them.
type oxtoacartPool struct {
	native[[]byte]
	pools []*bpool.BytePool
}

func newOxtoacart() oxtoacartPool {
	p := oxtoacartPool{}
	for size := smallest; size <= largest; size *= 2 {
		p.pools = append(p.pools, bpool.NewBytePool(64, size))
	}
	p.native = slices(
		func(size int) []byte {
			if size > largest {
				return make([]byte, size)
			}
			return p.of(size).Get()[:size]
		},
		func(b []byte) {
			if cap(b) <= largest {
				p.of(cap(b)).Put(b)
			}
		},
	)
	return p
}

func (p oxtoacartPool) of(size int) *bpool.BytePool {
	i := 0
	for smallest<<i < size {
		i++
	}
	return p.pools[i]
}

func (p oxtoacartPool) Pairs(size, n int) {
	pool := p.of(size)
	for range n {
		b := pool.Get()[:size]
		touch(b)
		pool.Put(b)
	}
}
