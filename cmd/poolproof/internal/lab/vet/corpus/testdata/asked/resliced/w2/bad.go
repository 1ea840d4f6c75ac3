// Wrong: a resliced *[]byte in a field is put
package w2

import (
	"encoding/binary"
	"io"
	"sync"
)

var slabs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type stream struct {
	p   *[]byte
	src io.Reader
}

func open(src io.Reader) *stream { return &stream{p: slabs.Get().(*[]byte), src: src} }

func (s *stream) header() (uint32, error) {
	if _, err := io.ReadFull(s.src, (*s.p)[:4]); err != nil {
		return 0, err
	}
	v := binary.BigEndian.Uint32(*s.p)
	*s.p = (*s.p)[4:] // may "PV013" here the beginning is cut off
	return v, nil
}

func (s *stream) Close() {
	if s.p != nil {
		slabs.Put(s.p) // want "PV013" header has cut off the beginning
		s.p = nil
	}
}

func Header(src io.Reader) (uint32, error) {
	s := open(src)
	defer s.Close()
	return s.header()
}
