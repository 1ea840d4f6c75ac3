// Package jsontree builds trees of pooled nodes.
package jsontree

import (
	"bufio"
	"io"
	"strings"
	"sync"
)

// Node is a part of a document.
type Node struct {
	Name string
	Kids []*Node
}

var nodes = sync.Pool{New: func() any { return new(Node) }}

// Parse reads an indented list.
func Parse(sc *bufio.Scanner) *Node {
	root := nodes.Get().(*Node)
	root.Name = "root"
	last := root
	for sc.Scan() {
		n := nodes.Get().(*Node)
		n.Name = strings.TrimSpace(sc.Text())
		if strings.HasPrefix(sc.Text(), "  ") && last != root {
			last.Kids = append(last.Kids, n)
			continue
		}
		root.Kids = append(root.Kids, n)
		last = n
	}
	return root
}

// Free gives the tree back.
func (n *Node) Free() {
	for i, k := range n.Kids {
		k.Free()
		n.Kids[i] = nil
	}
	n.Kids = n.Kids[:0]
	n.Name = ""
	nodes.Put(n)
}

// Count returns how many nodes r has.
func Count(r io.Reader) int {
	t := Parse(bufio.NewScanner(r))
	defer t.Free()
	sum := 1
	for _, k := range t.Kids {
		sum += 1 + len(k.Kids)
	}
	return sum
}
