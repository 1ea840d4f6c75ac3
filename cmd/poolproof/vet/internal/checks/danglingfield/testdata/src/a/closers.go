package a

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
)

var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type closer struct {
	io.Reader
	close func() error
}

func (c *closer) Close() error { return c.close() } // want `a second call of Close calls close again, and the function that the field holds puts the same object each time; set the field to nil`

func wrapped(r io.Reader) io.ReadCloser {
	b := texts.Get().(*bytes.Buffer)
	return &closer{r, func() error { b.Reset(); texts.Put(b); return nil }}
}

type closesOnce struct {
	io.Reader
	close func() error
}

func (c *closesOnce) Close() error {
	if c.close == nil {
		return nil
	}
	err := c.close()
	c.close = nil
	return err
}

func wrappedOnce(r io.Reader) io.ReadCloser {
	b := texts.Get().(*bytes.Buffer)
	return &closesOnce{r, func() error { texts.Put(b); return nil }}
}

type remembers struct {
	io.Reader
	close func() error
}

func (c *remembers) Close() error { return c.close() }

func wrappedAndRemembered(r io.Reader) io.ReadCloser {
	b := texts.Get().(*bytes.Buffer)
	return &remembers{r, func() error {
		if b != nil {
			texts.Put(b)
			b = nil
		}
		return nil
	}}
}

type guarded struct {
	io.Reader
	close func()
	once  sync.Once
}

func (c *guarded) Close() error {
	c.once.Do(c.close)
	return nil
}

func wrappedAndGuarded(r io.Reader) io.ReadCloser {
	b := texts.Get().(*bytes.Buffer)
	return &guarded{Reader: r, close: func() { texts.Put(b) }}
}

type unrelated struct {
	io.Reader
	close func() error
}

func (c *unrelated) Close() error { return c.close() }

func wrappedForOthers(r io.ReadCloser) io.ReadCloser {
	return &unrelated{r, func() error { return r.Close() }}
}

type marked struct {
	io.Reader
	close  func() error
	closed bool
}

func (c *marked) Close() error {
	if !c.closed {
		c.closed = true
		return c.close()
	}
	return nil
}

func wrappedAndMarked(r io.Reader) io.ReadCloser {
	b := texts.Get().(*bytes.Buffer)
	return &marked{Reader: r, close: func() error { texts.Put(b); return nil }}
}

type single struct {
	io.Reader
	close func()
}

func (c *single) Close() error {
	c.close()
	return nil
}

func wrappedForOneCall(r io.Reader) io.ReadCloser {
	b, once := texts.Get().(*bytes.Buffer), new(sync.Once)
	return &single{Reader: r, close: func() { once.Do(func() { texts.Put(b) }) }}
}

func wrappedAndSwapped(r io.Reader) io.ReadCloser {
	b, done := texts.Get().(*bytes.Buffer), new(atomic.Bool)
	return &single{Reader: r, close: func() {
		if done.Swap(true) {
			return
		}
		texts.Put(b)
	}}
}

type handle struct{ freed bool }

var handles = sync.Pool{New: func() any { return new(handle) }}

// free is a method of its own, which says by itself what a second call does.
func (h *handle) free() { handles.Put(h) }

func wrappedByMethod(r io.Reader) io.ReadCloser {
	return &single{Reader: r, close: handles.Get().(*handle).free}
}
