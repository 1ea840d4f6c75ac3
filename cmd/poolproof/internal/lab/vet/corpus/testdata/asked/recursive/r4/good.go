// Right: recursive literal gets and puts its own buffer at each level, and captures another
package r4

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

func Render(root *node) string {
	out := getBuf()
	defer putBuf(out)
	var walk func(n *node) int
	walk = func(n *node) int {
		line := getBuf()
		defer putBuf(line)
		line.WriteString(n.name)
		total := 0
		for _, k := range n.kids {
			total += walk(k)
		}
		out.Write(line.Bytes())
		return total + line.Len()
	}
	walk(root)
	return out.String()
}
