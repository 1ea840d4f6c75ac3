package orderedjsonlibrary

import (
	"bytes"

	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/systems/oas"
)

// Grow is the arm grow, and again: the document is written to a buffer that
// starts empty. The result is the caller's.
func Grow(d *oas.Doc) []byte {
	var out bytes.Buffer
	d.WriteTo(&out) // a Buffer returns no errors
	return out.Bytes()
}

// The published limits, in bytes: what a buffer has at first, and the most that
// one may have to be kept.
const (
	pooledSize = 4 << 10
	keptSize   = 1 << 20
)

var buffers = pool.New(pool.Options[bytes.Buffer]{
	New:   func() *bytes.Buffer { return bytes.NewBuffer(make([]byte, 0, pooledSize)) },
	Reset: (*bytes.Buffer).Reset,
})

// release gives a buffer back, if it is not too large to be kept.
func release(b *bytes.Buffer) {
	if b.Cap() <= keptSize {
		buffers.Put(b)
	}
}

// Pool is the arm pool: a pooled buffer, its content copied out before it goes
// back. The result is the caller's.
func Pool(d *oas.Doc) []byte {
	out := buffers.Get()
	defer release(out)
	d.WriteTo(out) // a Buffer returns no errors
	return bytes.Clone(out.Bytes())
}

// Exact is the arm exact. The result is the caller's.
func Exact(d *oas.Doc) []byte { return d.JSON() }

// Lease is the arm lease: a slice that keeps its memory from one document to the
// next. The zero value is ready for use, by one goroutine at a time.
type Lease struct{ out []byte }

// JSON returns the document; the result is valid until the next call.
func (l *Lease) JSON(d *oas.Doc) []byte {
	l.out = d.AppendJSON(l.out[:0])
	return l.out
}
