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

func (l *Log) header(at int64) (size, sum uint32, err error) {
	var h [8]byte
	if _, err := l.r.ReadAt(h[:], at); err != nil {
		return 0, 0, err
	}
	return binary.LittleEndian.Uint32(h[:]), binary.LittleEndian.Uint32(h[4:]), nil
}

// Read returns the object at a position.
func (l *Log) Read(at int64) ([]byte, error) {
	size, sum, err := l.header(at)
	if err != nil {
		return nil, err
	}
	if size == 0 || size > 4<<20 {
		return nil, errSize
	}
	b := blocks.Get(int(size))
	if _, err := l.r.ReadAt(b.Bytes(), at+8); err != nil {
		b.Release()
		return nil, err
	}
	if crc32.ChecksumIEEE(b.Bytes()) != sum {
		return nil, errChecksum // want PV005
	}
	return b.CopyAndRelease(), nil
}
