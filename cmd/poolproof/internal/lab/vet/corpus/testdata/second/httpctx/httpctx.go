// Package httpctx has a context for each request, as small web frameworks do.
package httpctx

import (
	"net/http"
	"sync"
)

// Context is one request and its answer.
type Context struct {
	W      http.ResponseWriter
	R      *http.Request
	params map[string]string
	errs   []error
	status int
}

func (c *Context) reset(w http.ResponseWriter, r *http.Request) { // want "PV011"
	c.W, c.R = w, r
	clear(c.params)
	c.status = 0
}

// Fail notes an error.
func (c *Context) Fail(err error) { c.errs = append(c.errs, err) }

// SetParam sets a parameter.
func (c *Context) SetParam(k, v string) { c.params[k] = v }

// Router serves one handler.
type Router struct {
	pool sync.Pool
	h    func(*Context)
}

// New returns a router.
func New(h func(*Context)) *Router {
	return &Router{h: h, pool: sync.Pool{New: func() any {
		return &Context{params: map[string]string{}}
	}}}
}

func (rt *Router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := rt.pool.Get().(*Context)
	c.reset(w, r)
	rt.h(c)
	if len(c.errs) > 0 {
		http.Error(w, c.errs[0].Error(), http.StatusInternalServerError)
	}
	rt.pool.Put(c)
}
