package bufferpeers

import (
	stdslices "slices"

	"github.com/valyala/bytebufferpool"
	zap "go.uber.org/zap/buffer"
)

var growing = []Peer{
	{Name: "valyala", Module: "github.com/valyala/bytebufferpool", New: func() Pool { return newValyala() }},
	{Name: "zap", Module: "go.uber.org/zap/buffer", New: func() Pool { return newZap() }},
}

type valyalaPool struct {
	native[*bytebufferpool.ByteBuffer]
	pool *bytebufferpool.Pool
}

func newValyala() valyalaPool {
	p := new(bytebufferpool.Pool)
	return valyalaPool{native[*bytebufferpool.ByteBuffer]{
		get: func(size int) *bytebufferpool.ByteBuffer {
			b := p.Get()
			b.B = stdslices.Grow(b.B, size)[:size]
			return b
		},
		empty: p.Get,
		write: func(b *bytebufferpool.ByteBuffer, chunk []byte) *bytebufferpool.ByteBuffer {
			b.B = append(b.B, chunk...)
			return b
		},
		bytes: (*bytebufferpool.ByteBuffer).Bytes,
		holds: func(b *bytebufferpool.ByteBuffer) int { return cap(b.B) },
		put:   p.Put,
	}, p}
}

func (p valyalaPool) Pairs(size, n int) {
	for range n {
		b := p.pool.Get()
		b.B = stdslices.Grow(b.B, size)[:size]
		touch(b.B)
		p.pool.Put(b)
	}
}

// zapPool starts each buffer with 1 KiB and gives no access to its free
// memory: a size that is known is written.
type zapPool struct {
	native[*zap.Buffer]
	pool zap.Pool
}

var zeros [1 << 20]byte

func newZap() zapPool {
	p := zap.NewPool()
	return zapPool{native[*zap.Buffer]{
		get: func(size int) *zap.Buffer {
			b := p.Get()
			for rest := size; rest > 0; rest -= min(rest, len(zeros)) {
				b.AppendBytes(zeros[:min(rest, len(zeros))])
			}
			return b
		},
		empty: p.Get,
		write: func(b *zap.Buffer, chunk []byte) *zap.Buffer {
			b.AppendBytes(chunk)
			return b
		},
		bytes: (*zap.Buffer).Bytes,
		holds: (*zap.Buffer).Cap,
		put:   (*zap.Buffer).Free,
	}, p}
}

// Pairs has to write all bytes, where others write two.
func (p zapPool) Pairs(size, n int) {
	for range n {
		b := p.pool.Get()
		b.AppendBytes(zeros[:size])
		touch(b.Bytes())
		b.Free()
	}
}
