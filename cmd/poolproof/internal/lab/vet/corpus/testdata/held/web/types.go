// Package web has the bugs of servers, middleware and clients of HTTP. Each was
// published; its comment says where.
package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"unsafe"
)

var errStatus = errors.New("web: status")

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var gzips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// zipped closes its writer when the handler has ended.
type zipped struct {
	http.ResponseWriter
	gw *gzip.Writer
}

func (z *zipped) Write(p []byte) (int, error) { return z.gw.Write(p) }

// Ctx is a request whose strings are memory of the server.
type Ctx struct {
	path   []byte
	params map[string][2]int
	body   []byte
}

// Param is valid until the handler returns.
func (c *Ctx) Param(name string) string {
	at, ok := c.params[name]
	if !ok {
		return ""
	}
	b := c.path[at[0]:at[1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func (c *Ctx) Body() []byte { return c.body }

// App serves.
type App struct {
	pool    sync.Pool
	handler func(*Ctx) error
}

func newApp(h func(*Ctx) error) *App {
	a := &App{handler: h}
	a.pool.New = func() any { return &Ctx{params: map[string][2]int{}} }
	return a
}

// Serve answers one request.
func (a *App) Serve(path string) error {
	c := a.pool.Get().(*Ctx)
	c.path = append(c.path[:0], path...)
	err := a.handler(c)
	clear(c.params)
	a.pool.Put(c)
	return err
}

// Context is what the handlers of an engine are given.
type Context struct {
	w    http.ResponseWriter
	r    *http.Request
	keys map[string]any
	next int
}

func (c *Context) reset(w http.ResponseWriter, r *http.Request) {
	c.w, c.r = w, r
	clear(c.keys)
	c.next = 0
}

// Engine has one handler for each path.
type Engine struct {
	pool   sync.Pool
	routes map[string]func(*Context)
}

func newEngine() *Engine {
	e := &Engine{routes: map[string]func(*Context){}}
	e.pool.New = func() any { return &Context{keys: map[string]any{}} }
	return e
}

func (e *Engine) handle(c *Context) {
	if h := e.routes[c.r.URL.Path]; h != nil {
		h(c)
	}
}

func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := e.pool.Get().(*Context)
	c.reset(w, r)
	e.handle(c)
	e.pool.Put(c)
}

// inflater is what a request's body is read through.
type inflater struct {
	zr     *gzip.Reader
	src    io.ReadCloser
	closed bool
}

var inflaters = sync.Pool{New: func() any { return new(gzip.Reader) }}

func (i *inflater) Read(p []byte) (int, error) { return i.zr.Read(p) }

// routing is the state of one request of a gateway.
type routing struct {
	id     string
	tokens int
	done   bool
}

var routings = sync.Pool{New: func() any { return new(routing) }}

func newRouting(id string) *routing {
	r := routings.Get().(*routing)
	r.id, r.tokens, r.done = id, 0, false
	return r
}

// Delete gives r back.
func (r *routing) Delete() { routings.Put(r) }

type gateway struct {
	counts map[string]int
}

func (g *gateway) finish(r *routing) { g.counts[r.id] -= r.tokens }

var copies = sync.Pool{New: func() any {
	b := make([]byte, 32<<10)
	return &b
}}

type closeWriter interface{ CloseWrite() error }

var parts = sync.Pool{New: func() any {
	b := make([]byte, 5<<20)
	return &b
}}

var builders = sync.Pool{New: func() any { return new(strings.Builder) }}

// message is a websocket that is written through one buffer.
type message struct {
	out    io.Writer
	frames *sync.Pool
	buf    *[]byte
	pos    int
}

func newMessage(out io.Writer) *message { return &message{out: out, frames: &copies} }

func retry(n int, f func() error) (err error) {
	for range n {
		if err = f(); err == nil {
			return nil
		}
	}
	return err
}
