// Wrong: Put of the rest of a field, within one function
package w3

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
	defer frames.Put(f) // want "PV013" f.buf has lost its beginning
	if f.n, err = r.Read(f.buf); err != nil {
		return 0, err
	}
	for i := 0; i+2 <= f.n; i += 2 {
		sum += int(binary.BigEndian.Uint16(f.buf))
		f.buf = f.buf[2:]
	}
	return sum, nil
}
