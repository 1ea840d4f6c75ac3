// Package objectread reads objects of a log-structured store.
package objectread

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/poolproof/poolproof/buffer"
)

var blocks = buffer.New(buffer.Options{Name: "objects", Max: 4 << 20})

var (
	errSize     = errors.New("objectread: size out of range")
	errChecksum = errors.New("objectread: wrong checksum")
)

// Log is a file of objects: a size, a checksum, and the bytes.
type Log struct {
	r io.ReaderAt
}

func (l *Log) load(at int64) (*buffer.Buffer, error) {
	var h [8]byte
	if _, err := l.r.ReadAt(h[:], at); err != nil {
		return nil, err
	}
	size, sum := binary.LittleEndian.Uint32(h[:]), binary.LittleEndian.Uint32(h[4:])
	if size == 0 || size > 4<<20 {
		return nil, errSize
	}
	b := blocks.Get(int(size))
	_, err := l.r.ReadAt(b.Bytes(), at+8)
	if err == nil && crc32.ChecksumIEEE(b.Bytes()) != sum {
		err = errChecksum
	}
	if err != nil {
		b.Release()
		return nil, err
	}
	return b, nil
}

// Read returns the object at a position.
func (l *Log) Read(at int64) ([]byte, error) {
	b, err := l.load(at)
	if err != nil {
		return nil, err
	}
	return b.CopyAndRelease(), nil
}

// Copy writes the object at a position to w.
func (l *Log) Copy(w io.Writer, at int64) (int64, error) {
	b, err := l.load(at)
	if err != nil {
		return 0, err
	}
	defer b.Release()
	return b.WriteTo(w)
}
