package a

import (
	"bufs"
	"bytes"
	"io"
)

func deferred(r io.Reader) error {
	b := bufs.Get()
	defer bufs.Put(b)
	_, err := b.ReadFrom(r)
	return err
}

func handedOver(r io.Reader) (*bytes.Buffer, error) {
	b := bufs.Get()
	if _, err := b.ReadFrom(r); err != nil {
		bufs.Put(b)
		return nil, err
	}
	return b, nil
}

func unfit(max int) {
	b := bufs.Get()
	if b.Len() > max {
		return
	}
	bufs.Put(b)
}

func panics(n int) {
	b := bufs.Get()
	if n < 0 {
		panic("negative")
	}
	bufs.Put(b)
}

func sent(out chan<- *bytes.Buffer, done <-chan bool) {
	b := bufs.Get()
	select {
	case out <- b:
	case <-done:
		bufs.Put(b)
	}
}

func optional(pooled bool) {
	var b *bytes.Buffer
	if pooled {
		b = bufs.Get()
	}
	if b != nil {
		bufs.Put(b)
	}
}
