// Package archive writes and reads compressed blocks.
package archive

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"sync"
)

var gzReaders sync.Pool

var flates = sync.Pool{New: func() any { w, _ := flate.NewWriter(nil, 5); return w }}

var sums = sync.Pool{New: func() any { return crc32.NewIEEE() }}

var blocks = sync.Pool{New: func() any { return make([]byte, 64<<10) }}

// reader closes what it wraps and may be closed twice.
type reader struct {
	gz   *gzip.Reader
	next io.Closer
}

func open(r io.Reader, c io.Closer) (*reader, error) {
	gz, ok := gzReaders.Get().(*gzip.Reader)
	if !ok {
		gz = new(gzip.Reader)
	}
	if err := gz.Reset(r); err != nil {
		return nil, err // want "PV005"
	}
	return &reader{gz, c}, nil
}

func (r *reader) Read(p []byte) (int, error) { return r.gz.Read(p) }

func (r *reader) Close() error {
	err := r.gz.Close()
	gzReaders.Put(r.gz) // want "PV015"
	return errors.Join(err, r.next.Close())
}

// checksum takes a hash and never puts it.
func checksum(p []byte) uint32 {
	h := sums.Get().(hash.Hash32) // want "PV006"
	h.Reset()
	h.Write(p)
	return h.Sum32()
}

// block is put as a slice: a header is allocated each time.
func block(r io.Reader, w io.Writer) error {
	b := blocks.Get().([]byte)
	defer blocks.Put(b) // want "PV008"
	n, err := r.Read(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	return err
}

// deflate puts the writer before it closes it.
func deflate(p []byte) ([]byte, error) {
	var out bytes.Buffer
	w := flates.Get().(*flate.Writer)
	w.Reset(&out)
	if _, err := w.Write(p); err != nil {
		flates.Put(w)
		return nil, err
	}
	flates.Put(w)
	if err := w.Close(); err != nil { // want "PV001"
		return nil, err
	}
	return out.Bytes(), nil
}

// wrong puts the value into the pool of another type.
func wrong(p []byte) {
	h := sums.Get().(hash.Hash32)
	h.Reset()
	h.Write(p)
	flates.Put(h) // want "PV007|PV021"
}
