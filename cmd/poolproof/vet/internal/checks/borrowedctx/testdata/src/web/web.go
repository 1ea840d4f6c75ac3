// Package web lends contexts to handlers, as web frameworks do.
package web

import "sync"

// Context is what a handler gets. It must not be kept.
type Context struct{ Path string }

// Copy returns a context that may be kept.
func (c *Context) Copy() *Context {
	other := *c
	return &other
}

var contexts = sync.Pool{New: func() any { return new(Context) }}

// Serve calls the handler.
func Serve(path string, handler func(*Context)) {
	c := contexts.Get().(*Context)
	c.Path = path
	handler(c)
	contexts.Put(c)
}
