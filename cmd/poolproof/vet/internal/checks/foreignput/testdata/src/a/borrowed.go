package a

import "sync"

// Handlers borrow a Context from Serve.
type Context struct {
	path string
	next []func(*Context)
}

func (c *Context) Next() {
	for _, f := range c.next {
		f(c)
	}
}

type Engine struct {
	contexts sync.Pool
	requests sync.Pool
}

func (e *Engine) Serve(path string) {
	c := e.contexts.Get().(*Context)
	c.path = path
	c.Next()
	e.contexts.Put(c)
}

func (e *Engine) Again(c *Context) {
	c.Next()
	e.contexts.Put(c) // want `Again puts c, which its callers can only have borrowed`
}

func (e *Engine) ReleaseContext(c *Context) { e.contexts.Put(c) }

func (e *Engine) again(c *Context) { e.contexts.Put(c) }

// Others may get a Request, too.
type Request struct{ path string }

func (e *Engine) Do(f func(*Request)) {
	r := e.requests.Get().(*Request)
	f(r)
	e.requests.Put(r)
}

func (e *Engine) AcquireRequest() *Request { return e.requests.Get().(*Request) }

func (e *Engine) Send(r *Request) { e.requests.Put(r) }

// The package gives what it gets to the function that puts.
type Reply struct{ path string }

var replies = sync.Pool{New: func() any { return new(Reply) }}

func Visit(f func(*Reply)) {
	r := replies.Get().(*Reply)
	f(r)
	replies.Put(r)
}

func Answer(path string) {
	r := replies.Get().(*Reply)
	r.path = path
	Write(r)
}

func Write(r *Reply) { replies.Put(r) }
