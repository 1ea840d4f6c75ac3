// Package broadcast is right.
package broadcast

import (
	"bytes"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func All(ws []io.Writer, p []byte) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	var wg sync.WaitGroup
	errs := make([]error, len(ws))
	for i, w := range ws {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, errs[i] = w.Write(b.Bytes())
		}()
	}
	wg.Wait()
	bufs.Put(b)
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func Pair(a, c io.Writer, p []byte) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	done := make(chan error, 1)
	go func() {
		_, err := a.Write(b.Bytes())
		done <- err
	}()
	_, err := c.Write(b.Bytes())
	if e := <-done; err == nil {
		err = e
	}
	bufs.Put(b)
	return err
}
