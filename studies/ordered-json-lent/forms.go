package orderedjsonlent

import (
	"bytes"
	"io"

	"github.com/poolproof/poolproof/pool"
)

// size is the first capacity of a buffer, in bytes, as published.
const size = 4 << 10

// payload is written to each buffer: the first keys of a document, 59 bytes, as
// many as published.
const payload = `{"openapi":"3.0.3","info":{"title":"Shop","version":"1.0"}}`

// write is where a buffer goes: any function, for what the compiler knows.
var write = func(w io.Writer) { io.WriteString(w, payload) }

// Fresh writes the payload to a new buffer of 4 KiB. Like the other forms it
// returns the number of bytes in the buffer.
func Fresh() int {
	b := bytes.NewBuffer(make([]byte, 0, size))
	write(b)
	return b.Len()
}

var buffers = pool.New(pool.Options[bytes.Buffer]{
	New:   func() *bytes.Buffer { return bytes.NewBuffer(make([]byte, 0, size)) },
	Reset: (*bytes.Buffer).Reset,
})

// Pool writes the payload to a pooled buffer.
func Pool() int {
	b := buffers.Get()
	write(b)
	n := b.Len()
	buffers.Put(b)
	return n
}

// Zero starts with no memory, as most code does that has no pool.
func Zero() int {
	var b bytes.Buffer
	write(&b)
	return b.Len()
}
