package orderedjsonpublished

import (
	"bytes"

	"github.com/poolproof/poolproof/pool"
)

// size is the first capacity of a buffer, in bytes, as published.
const size = 4 << 10

// payload is the written text: the published benchmark has a document's first
// keys here, 59 bytes.
const payload = `{"openapi":"3.0.3","info":{"title":"Shop","version":"1.0"}}`

// Fresh is the published form without a pool. Like the other forms it returns
// the number of bytes in the buffer.
func Fresh() int {
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteString(payload)
	return b.Len()
}

var buffers = pool.New(pool.Options[bytes.Buffer]{
	New:   func() *bytes.Buffer { return bytes.NewBuffer(make([]byte, 0, size)) },
	Reset: (*bytes.Buffer).Reset,
})

// Pool is the published form with a pool.
func Pool() int {
	b := buffers.Get()
	b.WriteString(payload)
	n := b.Len()
	buffers.Put(b)
	return n
}

// Zero starts with no memory, as most code does that has no pool.
func Zero() int {
	var b bytes.Buffer
	b.WriteString(payload)
	return b.Len()
}
