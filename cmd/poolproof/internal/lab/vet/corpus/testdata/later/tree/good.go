// Package tree is right.
package tree

import "sync"

type node struct {
	key         string
	val         int
	left, right *node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

type tree struct{ root *node }

func (t *tree) set(k string, v int) {
	p := &t.root
	for *p != nil {
		switch n := *p; {
		case k < n.key:
			p = &n.left
		case k > n.key:
			p = &n.right
		default:
			n.val = v
			return
		}
	}
	n := nodes.Get().(*node)
	n.key, n.val = k, v
	*p = n
}

func free(n *node) {
	if n == nil {
		return
	}
	free(n.left)
	free(n.right)
	*n = node{}
	nodes.Put(n)
}

func (t *tree) reset() {
	free(t.root)
	t.root = nil
}

func Count(keys []string) map[string]int {
	var t tree
	defer t.reset()
	for i, k := range keys {
		t.set(k, i)
	}
	m := map[string]int{}
	var walk func(*node)
	walk = func(n *node) {
		if n != nil {
			walk(n.left)
			m[n.key] = n.val
			walk(n.right)
		}
	}
	walk(t.root)
	return m
}
