// Right: an exported function lends; its callers read and lend again
package r04

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

type Decoder struct {
	data []byte
	off  int
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

func (d *Decoder) reset(b []byte) { d.data, d.off = b, 0 }

func Decode(b []byte) (uint32, error) {
	d := decoders.Get().(*Decoder)
	defer decoders.Put(d)
	d.reset(b)
	if len(d.data) < 4 {
		return 0, io.ErrUnexpectedEOF
	}
	d.off = 4
	return binary.BigEndian.Uint32(d.data), nil
}

func Sum(b []byte) (uint32, error) {
	x, err := Decode(b)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", b, err)
	}
	y, err := Decode(b[4:])
	return x + y + uint32(b[0]), err
}
