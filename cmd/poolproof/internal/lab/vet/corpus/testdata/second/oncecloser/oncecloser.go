// Package oncecloser reads compressed files.
package oncecloser

import (
	"compress/gzip"
	"os"
	"sync"
)

var readers sync.Pool

// Reader reads a compressed file.
type Reader struct {
	zr   *gzip.Reader
	f    *os.File
	once sync.Once
	err  error
}

// Open opens the file.
func Open(name string) (*Reader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	zr, _ := readers.Get().(*gzip.Reader)
	if zr == nil {
		zr = new(gzip.Reader)
	}
	if err := zr.Reset(f); err != nil {
		readers.Put(zr)
		f.Close()
		return nil, err
	}
	return &Reader{zr: zr, f: f}, nil
}

func (r *Reader) Read(p []byte) (int, error) { return r.zr.Read(p) }

// Close may be called more than once.
func (r *Reader) Close() error {
	r.once.Do(func() {
		r.err = r.f.Close()
		readers.Put(r.zr)
	})
	return r.err
}
