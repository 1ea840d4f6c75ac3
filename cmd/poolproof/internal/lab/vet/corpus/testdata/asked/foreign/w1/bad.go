// Wrong: an exported function puts what it only lent
package w1

import (
	"sync"
)

var contexts = sync.Pool{New: func() any { return new(Context) }}

// Context is lent to handlers.
type Context struct {
	Path string
	out  []byte
}

func Serve(path string, handle func(*Context)) {
	c := contexts.Get().(*Context)
	c.Path, c.out = path, c.out[:0]
	handle(c)
	contexts.Put(c)
}

// Done ends c early.
func Done(c *Context) {
	c.Path = ""
	contexts.Put(c) // want "PV021" the handler has only borrowed c
}
