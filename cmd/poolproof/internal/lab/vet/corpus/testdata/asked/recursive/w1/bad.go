// Wrong: recursive literal is called again after the put
package w1

import (
	"bytes"
	"fmt"
	"io"
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

func Render(w io.Writer, root *node) error {
	b := getBuf()
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		fmt.Fprintf(b, "%*s%s\n", depth, "", n.name)
		for _, k := range n.kids {
			walk(k, depth+1)
		}
	}
	walk(root, 0)
	_, err := b.WriteTo(w)
	putBuf(b)
	if err != nil {
		walk(root, 1) // want "PV001" walk writes to b, which was put
	}
	return err
}
