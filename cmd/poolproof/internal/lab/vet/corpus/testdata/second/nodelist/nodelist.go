// Package nodelist has a linked list whose nodes are used again.
package nodelist

import "sync"

type node struct {
	val  string
	next *node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

// Stack is a stack of strings.
type Stack struct {
	top *node
	n   int
}

// Push adds s.
func (s *Stack) Push(v string) {
	n := nodes.Get().(*node)
	n.val, n.next = v, s.top
	s.top = n
	s.n++
}

// Pop returns the last one.
func (s *Stack) Pop() (string, bool) {
	n := s.top
	if n == nil {
		return "", false
	}
	s.top = n.next
	s.n--
	v := n.val
	*n = node{}
	nodes.Put(n)
	return v, true
}

// Clear drops all.
func (s *Stack) Clear() {
	for n := s.top; n != nil; {
		next := n.next
		*n = node{}
		nodes.Put(n)
		n = next
	}
	s.top, s.n = nil, 0
}
