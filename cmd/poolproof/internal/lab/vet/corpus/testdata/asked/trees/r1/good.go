// Right: expression tree freed by a type switch
package r1

import (
	"sync"
)

type Node interface{ Eval() int }
type Lit struct{ V int }
type Bin struct{ L, R Node }

func (l *Lit) Eval() int { return l.V }
func (b *Bin) Eval() int { return b.L.Eval() + b.R.Eval() }

var lits = sync.Pool{New: func() any { return new(Lit) }}
var bins = sync.Pool{New: func() any { return new(Bin) }}

func newLit(v int) *Lit { l := lits.Get().(*Lit); l.V = v; return l }
func newBin(l, r Node) *Bin {
	b := bins.Get().(*Bin)
	b.L, b.R = l, r
	return b
}

func free(n Node) {
	switch n := n.(type) {
	case *Bin:
		free(n.L)
		free(n.R)
		n.L, n.R = nil, nil
		bins.Put(n)
	case *Lit:
		lits.Put(n)
	}
}

func Sum(vs []int) int {
	var root Node = newLit(0)
	for _, v := range vs {
		root = newBin(root, newLit(v))
	}
	s := root.Eval()
	free(root)
	return s
}
