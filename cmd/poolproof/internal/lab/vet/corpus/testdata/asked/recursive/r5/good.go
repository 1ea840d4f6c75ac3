// Right: recursive literal in a field of a struct
package r5

import (
	"bytes"
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

type visitor struct {
	visit func(*node)
	count int
}

func Render(root *node) string {
	b := getBuf()
	defer putBuf(b)
	v := &visitor{}
	v.visit = func(n *node) {
		v.count++
		b.WriteString(n.name)
		for _, k := range n.kids {
			v.visit(k)
		}
	}
	v.visit(root)
	return b.String()
}
