package a

import (
	"compress/gzip"
	"compress/zlib"
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
