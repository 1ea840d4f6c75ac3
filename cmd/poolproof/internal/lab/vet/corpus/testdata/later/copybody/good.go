// Package copybody is right.
package copybody

import (
	"bytes"
	"io"
	"sync"
)

const maxCap = 1 << 16

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func put(b *bytes.Buffer) {
	if b.Cap() > maxCap {
		return
	}
	b.Reset()
	bufs.Put(b)
}

func Copy(dst io.Writer, src io.Reader) (n int64, err error) {
	b := bufs.Get().(*bytes.Buffer)
	defer put(b)
	if _, err = b.ReadFrom(src); err != nil {
		return 0, err
	}
	n = int64(b.Len())
	_, err = dst.Write(b.Bytes())
	return n, err
}

// Body hands the buffer to the reader that it returns.
func Body(src io.Reader) (io.ReadCloser, error) {
	b := bufs.Get().(*bytes.Buffer)
	if _, err := b.ReadFrom(src); err != nil {
		put(b)
		return nil, err
	}
	return &body{b: b}, nil
}

type body struct {
	b    *bytes.Buffer
	once sync.Once
}

func (b *body) Read(p []byte) (int, error) { return b.b.Read(p) }
func (b *body) Close() error {
	b.once.Do(func() { put(b.b) })
	return nil
}
