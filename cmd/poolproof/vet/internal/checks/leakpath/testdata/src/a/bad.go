package a

import (
	"bufs"
	"bytes"
	"errors"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func onError(r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	if _, err := b.ReadFrom(r); err != nil {
		return err // want `this return of an error loses b`
	}
	buffers.Put(b)
	return nil
}

func early(n int) int {
	b := bufs.Get()
	if n == 0 {
		return 0 // want `this return loses b`
	}
	defer bufs.Put(b)
	return b.Len()
}

func rounds(n int) {
	for i := range n {
		b := bufs.Get() // want `the next round of the loop gets another object and loses b`
		if i == 3 {
			continue
		}
		bufs.Put(b)
	}
}

var errEmpty = errors.New("empty")

func falls(n int) {
	b := bufs.Get()
	if n > 0 {
		bufs.Put(b)
	}
} // want `this return loses b`
