// Package oversize keeps buffers of any size for ever.
package oversize

import (
	"bytes"
	"io"
	"sync"
)

var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	slices  = sync.Pool{New: func() any { return new([]byte) }}
)

func body(r io.Reader, use func([]byte)) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	_, err := io.Copy(b, r)
	use(b.Bytes())
	buffers.Put(b) // want "PV012"
	return err
}

func deferred(r io.Reader) (int64, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want "PV012"
	b.Reset()
	return b.ReadFrom(r)
}

func slice(parts [][]byte, use func([]byte)) {
	p := slices.Get().(*[]byte)
	*p = (*p)[:0]
	for _, x := range parts {
		*p = append(*p, x...)
	}
	use(*p)
	slices.Put(p) // want "PV012"
}
