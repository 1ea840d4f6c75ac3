// Right: rows of a slice hold copies
package r11

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
	Key   string
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
		rows = append(rows, Row{Key: string(f), Value: i})
	}
	return rows, nil
}
