// Package tree has pooled nodes that point at each other.
package tree

import "sync"

type node struct {
	key         int
	left, right *node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

// Tree is a set of numbers.
type Tree struct {
	root *node
	free *node
	size int
}

func newNode(key int) *node {
	n := nodes.Get().(*node)
	*n = node{key: key}
	return n // fine "PV006" the caller's
}

// Add adds a number.
func (t *Tree) Add(key int) bool {
	at := &t.root
	for *at != nil {
		switch n := *at; {
		case key < n.key:
			at = &n.left
		case key > n.key:
			at = &n.right
		default:
			return false
		}
	}
	*at = newNode(key) // fine "PV004 PV006" the tree's
	t.size++
	return true
}

// Clear puts all nodes.
func (t *Tree) Clear() {
	clearNodes(t.root)
	t.root, t.size = nil, 0 // fine "PV015" cleared
}

func clearNodes(n *node) {
	if n == nil {
		return
	}
	left, right := n.left, n.right
	n.left, n.right = nil, nil
	nodes.Put(n)
	clearNodes(left) // fine "PV001" read before the Put
	clearNodes(right)
}

// PopMin removes the smallest number.
func (t *Tree) PopMin() (key int, ok bool) {
	at := &t.root
	if *at == nil {
		return 0, false
	}
	for (*at).left != nil {
		at = &(*at).left
	}
	n := *at
	key, *at = n.key, n.right
	n.right = nil
	nodes.Put(n)
	t.size--
	return key, true // fine "PV001" a number
}

// Each walks with a pooled stack.
func (t *Tree) Each(fn func(int)) {
	p := stacks.Get().(*[]*node)
	stack := (*p)[:0]
	for n := t.root; n != nil || len(stack) > 0; {
		if n != nil {
			stack = append(stack, n)
			n = n.left
			continue
		}
		n = stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		fn(n.key)
		n = n.right
	}
	clear(stack[:cap(stack)])
	*p = stack[:0]
	stacks.Put(p) // fine "PV013 PV017" stored back and cleared
}

var stacks = sync.Pool{New: func() any { s := make([]*node, 0, 16); return &s }}

// A free list in front of the pool.
func (t *Tree) take() *node {
	if n := t.free; n != nil {
		t.free = n.right
		n.right = nil
		return n
	}
	return nodes.Get().(*node) // fine "PV006" the caller's
}

func (t *Tree) give(n *node) {
	n.left, n.right = nil, t.free
	t.free = n // fine "PV004" kept, not put
}

func (t *Tree) drain() {
	for t.free != nil {
		n := t.free
		t.free = n.right
		n.right = nil
		nodes.Put(n) // fine "PV001" the field has moved on
	}
}
