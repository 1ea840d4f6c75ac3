// Package nilassert asserts what may be nil.
package nilassert

import (
	"bytes"
	"sync"
)

type node struct{ n int }

var (
	noNew   sync.Pool
	byValue = sync.Pool{}
	mayNil  = sync.Pool{New: func() any {
		if limit == 0 {
			return nil
		}
		return new(node)
	}}
	limit int
)

func global(name string) int {
	b := noNew.Get().(*bytes.Buffer) // want "PV018"
	b.Reset()
	n, _ := b.WriteString(name)
	noNew.Put(b)
	return n
}

func emptyLiteral() int {
	n := byValue.Get().(*node) // want "PV018"
	defer byValue.Put(n)
	return n.n
}

func newReturnsNil() int {
	n := mayNil.Get().(*node) // want "PV018"
	defer mayNil.Put(n)
	return n.n
}

type parser struct {
	nodes sync.Pool
}

func (p *parser) node() *node {
	return p.nodes.Get().(*node) // want "PV018"
}

func (p *parser) free(n *node) { p.nodes.Put(n) }

var spare = new(sync.Pool)

func pointer() {
	n := spare.Get().(*node) // want "PV018"
	n.n++
	spare.Put(n)
}
