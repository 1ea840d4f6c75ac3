// Right: reader over a string
package r1

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func Lines(r io.Reader) (*bufio.Scanner, error) {
	b := getBuf()
	defer putBuf(b)
	if _, err := b.ReadFrom(r); err != nil {
		return nil, err
	}
	return bufio.NewScanner(strings.NewReader(b.String())), nil
}
