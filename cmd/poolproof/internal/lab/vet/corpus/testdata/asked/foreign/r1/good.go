// Right: lend, and take back oneself
package r1

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
	c.Path = ""
	contexts.Put(c)
}
