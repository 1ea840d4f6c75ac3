package moved

import "sync"

// The function of the lease is forgotten.
func FirstByte() byte {
	l := leases.Get().(*leased) // want "PV006"
	return l.data[0]
}

// The memory of the encoder is its own, and only shortened before the Put.
type encoding struct{ b []byte }

var encoders = sync.Pool{New: func() any { return &encoding{b: make([]byte, 0, 64)} }}

func (e *encoding) add(s string)  { e.b = append(e.b, s...) }
func (e *encoding) bytes() []byte { return e.b }

func shorten(e *encoding) {
	e.b = e.b[:0]
	encoders.Put(e)
}

func EncodeWrongly(names []string) []byte {
	e := encoders.Get().(*encoding)
	defer shorten(e)
	for _, n := range names {
		e.add(n)
	}
	return e.bytes() // want "PV003"
}
