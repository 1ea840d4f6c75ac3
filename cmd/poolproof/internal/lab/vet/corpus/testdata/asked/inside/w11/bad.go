// Wrong: rows of a slice hold memory of the buffer
package w11

import (
	"bytes"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

type Row struct {
	Key   []byte
	Value int
}

func Rows(r io.Reader) ([]Row, error) {
	b := getBuf()
	defer putBuf(b)
	if _, err := b.ReadFrom(r); err != nil {
		return nil, err
	}
	var rows []Row
	for i, f := range bytes.Fields(b.Bytes()) {
		rows = append(rows, Row{Key: f, Value: i})
	}
	return rows, nil // want "PV003" the keys are memory of b
}
