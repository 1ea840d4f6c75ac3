// Right: recursive literal uses the buffer, deferred put
package r1

import (
	"bytes"
	"fmt"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

type node struct {
	name string
	kids []*node
}

func Render(root *node) string {
	b := getBuf()
	defer putBuf(b)
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		fmt.Fprintf(b, "%*s%s\n", depth, "", n.name)
		for _, k := range n.kids {
			walk(k, depth+1)
		}
	}
	walk(root, 0)
	return b.String()
}
