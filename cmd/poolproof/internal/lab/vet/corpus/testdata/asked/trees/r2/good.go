// Right: tree freed by a type switch with default, deferred
package r2

import (
	"fmt"
	"strings"
	"sync"
)

type Node any
type Str struct{ s string }
type List struct{ kids []Node }

var strs = sync.Pool{New: func() any { return new(Str) }}
var lists = sync.Pool{New: func() any { return new(List) }}

func parse(words []string) Node {
	l := lists.Get().(*List)
	for _, w := range words {
		s := strs.Get().(*Str)
		s.s = w
		l.kids = append(l.kids, s)
	}
	return l
}

func Free(n Node) {
	switch n := n.(type) {
	case nil:
	case *Str:
		n.s = ""
		strs.Put(n)
	case *List:
		for i, k := range n.kids {
			Free(k)
			n.kids[i] = nil
		}
		n.kids = n.kids[:0]
		lists.Put(n)
	default:
		panic(fmt.Sprintf("unknown node %T", n))
	}
}

func Count(line string) int {
	n := parse(strings.Fields(line))
	defer Free(n)
	if l, ok := n.(*List); ok {
		return len(l.kids)
	}
	return 0
}
