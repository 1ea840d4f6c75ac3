// Package blockcodec writes blocks of a file with runs of equal bytes packed.
package blockcodec

import (
	"io"
	"sync"
)

const blockSize = 4096

var scratch = sync.Pool{New: func() any {
	b := make([]byte, 2*blockSize)
	return &b
}}

// pack writes the packed form of src to dst if that is large enough, and else to new memory.
func pack(dst, src []byte) []byte {
	if cap(dst) < 2*len(src) {
		dst = make([]byte, 2*len(src))
	}
	dst = dst[:0]
	for i := 0; i < len(src); {
		n := 1
		for i+n < len(src) && n < 255 && src[i+n] == src[i] {
			n++
		}
		dst = append(dst, byte(n), src[i])
		i += n
	}
	return dst
}

// File is a file of packed blocks.
type File struct {
	w    io.WriterAt
	end  int64
	last []byte
}

// Append packs block, writes it at the end, and returns where it is.
func (f *File) Append(block []byte) (at int64, err error) {
	p := scratch.Get().(*[]byte)
	packed := pack(*p, block)
	at = f.end
	n, err := f.w.WriteAt(packed, at)
	f.last = append(f.last[:0], packed...)
	scratch.Put(p)
	f.end += int64(n)
	return at, err
}

// Last returns the packed form of the last block, to be read until the next Append.
func (f *File) Last() []byte { return f.last }
