// Package lend lends pooled objects to callbacks.
package lend

import (
	"bytes"
	"maps"
	"sync"
)

// Ctx describes one request. It is valid during the callback only.
type Ctx struct {
	Path   string
	Body   []byte
	values map[string]string
}

var contexts = sync.Pool{New: func() any { return &Ctx{values: map[string]string{}} }}

// Set keeps a value for the callbacks that follow.
func (c *Ctx) Set(key, value string) { c.values[key] = value }

// Value returns what Set kept.
func (c *Ctx) Value(key string) string { return c.values[key] }

// Copy returns a context that outlives the callback.
func (c *Ctx) Copy() *Ctx {
	return &Ctx{
		Path:   c.Path,
		Body:   bytes.Clone(c.Body),
		values: maps.Clone(c.values),
	}
}

// Serve calls handler once for every path.
func Serve(paths []string, handler func(*Ctx)) {
	for _, path := range paths {
		serve(path, handler)
	}
}

func serve(path string, handler func(*Ctx)) {
	c := contexts.Get().(*Ctx)
	c.Path = path
	handler(c)
	c.Path = ""
	c.Body = c.Body[:0]
	clear(c.values)
	contexts.Put(c)
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// WithBuffer calls fn with a buffer that is empty, and fn's during the call.
func WithBuffer(fn func(*bytes.Buffer) error) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	return fn(b)
}
