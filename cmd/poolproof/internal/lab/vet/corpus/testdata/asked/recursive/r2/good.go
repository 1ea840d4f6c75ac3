// Right: recursive literal returns error, deferred put
package r2

import (
	"bytes"
	"errors"
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
	defer putBuf(b)
	var walk func(n *node, depth int) error
	walk = func(n *node, depth int) error {
		if depth > 100 {
			return errors.New("too deep")
		}
		b.WriteString(n.name)
		for _, k := range n.kids {
			if err := walk(k, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(root, 0); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}
