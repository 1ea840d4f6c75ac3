package a

import (
	"compress/gzip"
	"compress/zlib"
	"errors"
	"sync"
)

type compressors struct {
	Writers *sync.Pool
	readers *sync.Pool
	zlibs   sync.Pool
}

func (c *compressors) AcquireWriter() *gzip.Writer { return c.Writers.Get().(*gzip.Writer) }

func (c *compressors) ReleaseWriter(w *gzip.Writer) {} // want `ReleaseWriter does nothing, and nothing else puts into the pool Writers, from which AcquireWriter takes`

func (c *compressors) AcquireReader() *gzip.Reader { return (c.readers.Get().(*gzip.Reader)) }

func (c *compressors) ReleaseReader(r *gzip.Reader) { c.readers.Put(r) }

func (c *compressors) AcquireZlib() *zlib.Writer { return c.zlibs.Get().(*zlib.Writer) }

// A function beside a method says nothing of the pool of that.
func freeZlib(*zlib.Writer) {}

// Another type, which has no pool.
type fresh struct{}

func (fresh) AcquireWriter() *gzip.Writer { return new(gzip.Writer) }

func (fresh) ReleaseWriter(*gzip.Writer) {}

var keys = sync.Pool{New: func() any { return new([16]byte) }}

func getKey() *[16]byte { return keys.Get().(*[16]byte) }

func freeKey(*[16]byte) {} // want `freeKey does nothing`

func freeKeys(*[16]byte, int) {}

func freeName(string) {}

func useKey(*[16]byte) {}

// Others put what this function is given and leaves alone.
var blocks = sync.Pool{New: func() any { return new([64]byte) }}

func getBlock() *[64]byte { return blocks.Get().(*[64]byte) }

func doneWith(*[64]byte) {}

func putBlock(b *[64]byte) { blocks.Put(b) }

// A pool of sizes: what is freed is measured, and not put.
type sizedPool struct {
	classes [8]sync.Pool
	max     int
}

func (p *sizedPool) Malloc(size int) []byte {
	b := p.classes[size%8].Get().([]byte)
	return b[:size]
}

func (p *sizedPool) Free(b []byte) error { // want `Free puts nothing, and neither does other code put into the pool classes, from which Malloc takes what it returns`
	if cap(b) == 0 || cap(b) > p.max {
		return errSize
	}
	return nil
}

var errSize = errors.New("size")

type keepingPool struct {
	classes [8]sync.Pool
	free    [][]byte
}

func (p *keepingPool) Malloc(size int) []byte {
	b := p.classes[size%8].Get().([]byte)
	return b[:size]
}

func (p *keepingPool) Free(b []byte) error {
	p.free = append(p.free, b)
	return nil
}

type puttingPool struct {
	classes [8]sync.Pool
}

func (p *puttingPool) Malloc(size int) []byte {
	b := p.classes[size%8].Get().([]byte)
	return b[:size]
}

func (p *puttingPool) Free(b []byte) {}

func (p *puttingPool) recycle(b []byte) { p.classes[cap(b)%8].Put(b) }
