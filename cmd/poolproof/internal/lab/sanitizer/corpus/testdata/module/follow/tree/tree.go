// Package tree has functions that call themselves for the children of a node, as encoders of
// trees do.
package tree

// Doc is a tree in one array.
type Doc struct {
	nodes []node
	text  []byte
}

type node struct {
	name        string
	first, next int
}

// New returns a tree of three nodes.
func New() *Doc {
	return &Doc{nodes: []node{{name: "root", first: 1}, {name: "left", next: 2}, {name: "right"}}}
}

// Node is one node of a tree.
type Node struct {
	doc *Doc
	at  int
}

// Root returns the first node.
func (d *Doc) Root() Node { return Node{d, 0} }

// AppendText appends the tree. The result is the caller's.
func (d *Doc) AppendText(dst []byte) []byte { return d.Root().AppendText(dst) }

// AppendText appends the node and what is below it.
func (n Node) AppendText(dst []byte) []byte { return n.doc.append(dst, n.at) }

func (d *Doc) append(dst []byte, at int) []byte {
	x := &d.nodes[at]
	dst = append(append(dst, x.name...), '(')
	for i := x.first; i != 0; i = d.nodes[i].next {
		dst = d.append(dst, i)
	}
	return append(dst, ')')
}

// Text returns the tree. The array stays the document's: it is valid until the next call.
func (d *Doc) Text() []byte {
	d.text = d.append(d.text[:0], 0)
	return d.text
}

// A Link is one of a chain, each with an array of its own.
type Link struct {
	Next *Link
	Room []byte
}

// Last returns the array of the last link.
func (l *Link) Last() []byte {
	for l.Next != nil {
		l = l.Next
	}
	return l.Room[:0]
}

// Deepest returns the same array, link by link.
func (l *Link) Deepest() []byte {
	if l.Next != nil {
		return l.Next.Deepest()
	}
	return l.Room[:0]
}
