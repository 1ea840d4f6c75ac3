// Package webctx has a context for each request.
package webctx

import (
	"net/http"
	"sync"
)

// Context is one request.
type Context struct {
	W    http.ResponseWriter
	R    *http.Request
	errs []error
	keys map[string]any
}

func (c *Context) reset() { *c = Context{errs: c.errs[:0]} }

// Set keeps a value.
func (c *Context) Set(k string, v any) {
	if c.keys == nil {
		c.keys = map[string]any{}
	}
	c.keys[k] = v
}

// Fail notes an error.
func (c *Context) Fail(err error) { c.errs = append(c.errs, err) }

// Server serves a handler.
type Server struct {
	ctxs    sync.Pool
	Handler func(*Context)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, _ := s.ctxs.Get().(*Context)
	if c == nil {
		c = new(Context)
	}
	c.W, c.R = w, r
	s.Handler(c)
	for _, err := range c.errs {
		http.Error(w, err.Error(), 500)
	}
	c.reset()
	s.ctxs.Put(c)
}
