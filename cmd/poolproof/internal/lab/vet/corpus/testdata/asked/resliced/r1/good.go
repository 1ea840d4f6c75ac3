// Right: cut at the end only
package r1

import (
	"encoding/binary"
	"io"
	"sync"
)

type frame struct {
	buf []byte
	n   int
}

var frames = sync.Pool{New: func() any { return &frame{buf: make([]byte, 4096)} }}

func Sum(r io.Reader) (sum int, err error) {
	f := frames.Get().(*frame)
	defer frames.Put(f)
	f.buf = f.buf[:cap(f.buf)]
	if f.n, err = r.Read(f.buf); err != nil {
		return 0, err
	}
	f.buf = f.buf[:f.n]
	for rest := f.buf; len(rest) >= 2; rest = rest[2:] {
		sum += int(binary.BigEndian.Uint16(rest))
	}
	return sum, nil
}
