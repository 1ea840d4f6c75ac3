package oversize

import (
	"bytes"
	"io"
	"sync"

	"example.org/corpus/lib/bufs"
)

const limit = 1 << 20

func checked(r io.Reader) (int64, error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	n, err := b.ReadFrom(r)
	if b.Cap() <= limit {
		buffers.Put(b) // fine "PV012" within the limit
	}
	return n, err
}

func checkedSlice(parts [][]byte, use func([]byte)) {
	p := slices.Get().(*[]byte)
	*p = (*p)[:0]
	for _, x := range parts {
		*p = append(*p, x...)
	}
	use(*p)
	if cap(*p) > limit {
		return
	}
	slices.Put(p) // fine "PV012" within the limit
}

func byPutter(r io.Reader) (int64, error) {
	b := bufs.Get()
	defer bufs.Put(b) // fine "PV012" its putter drops what is large
	return b.ReadFrom(r)
}

// An array does not grow.
var blocks = sync.Pool{New: func() any { return new([512]byte) }}

func fixed(r io.Reader) (int, error) {
	p := blocks.Get().(*[512]byte)
	defer blocks.Put(p) // fine "PV012" of fixed size
	return r.Read(p[:])
}
