// Wrong: in a case: the node is put, then its children are read
package w2

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

func Free(n Node) {
	switch n := n.(type) {
	case *Bin:
		bins.Put(n)
		Free(n.L) // want "PV001" n was put on the line above
		Free(n.R)
	case *Lit:
		lits.Put(n)
	}
}
