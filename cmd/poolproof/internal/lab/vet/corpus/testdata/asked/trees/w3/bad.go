// Wrong: a child is freed, then its parent's free frees it again
package w3

import (
	"sync"
)

type Node interface{ Eval() int }
type Lit struct{ V int }
type Neg struct{ X *Lit }

func (l *Lit) Eval() int { return l.V }
func (n *Neg) Eval() int { return -n.X.V }

var lits = sync.Pool{New: func() any { return new(Lit) }}
var negs = sync.Pool{New: func() any { return new(Neg) }}

func free(n Node) {
	switch n := n.(type) {
	case *Neg:
		free(n.X)
		n.X = nil
		negs.Put(n)
	case *Lit:
		lits.Put(n)
	}
}

func Minus(v int) int {
	l := lits.Get().(*Lit)
	l.V = v
	n := negs.Get().(*Neg)
	n.X = l
	r := n.Eval()
	free(n)
	free(l) // want "PV002" free(n) has put its child l
	return r
}
