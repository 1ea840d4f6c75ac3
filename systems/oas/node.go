package oas

import (
	"iter"
	"strconv"
)

// Kind is the type of a value in JSON.
type Kind uint8

// The kinds of values. Invalid is that of the zero [Node].
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"invalid", "null", "boolean", "number", "string", "array", "object"}

// String returns the name that JSON Schema uses, such as "boolean".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// node is a value of a document. It has no pointers, so that the garbage
// collector never looks into the array that holds them all.
//
// Index 0 of that array is no value, index 1 is the root. Parsing appends a node
// before its children, so until the first edit a subtree is contiguous, and the
// index of a node is greater than that of its parent and of its elder siblings.
type node struct {
	// keyOff and keyLen are the text of the key with its quotes; keyLen is 0 for
	// the root and in an array.
	keyOff, keyLen uint32

	// off is where the value begins. For a scalar len is the length of its text.
	// For a container len is the size of its compact form, which need not be
	// that of its text, and which no longer holds once the document was edited.
	off, len uint32

	first, next uint32 // child and sibling; 0 for none
	count       uint32 // children
	kind        Kind
	flags       uint8
}

const (
	valueEscaped = 1 << iota // a string with a backslash
	keyEscaped               // a key with a backslash
	isCompact                // the text of the container is its compact form
)

// Node is a value of a [Doc]. It is a value itself: it can be kept and compared.
// Keeping one across [Doc.Reset] is a misuse, and each later use of it panics.
// The zero Node stands for a value that does not exist; each of its methods
// returns a zero value, so that Get calls can be chained.
type Node struct {
	doc *Doc
	at  uint32
	gen uint32
}

// none is the value that the zero Node reads.
var none node

// in returns the node itself. The pointer is valid until the next edit.
func (n Node) in() *node {
	if n.doc == nil {
		return &none
	}
	if n.gen != n.doc.gen {
		panic("oas: this Node belongs to what its Doc held before Reset; get it from the Doc again")
	}
	return &n.doc.nodes[n.at]
}

func (n Node) with(at uint32) Node {
	if at == 0 {
		return Node{}
	}
	return Node{n.doc, at, n.gen}
}

// Exists reports whether n is a value of a document.
func (n Node) Exists() bool { return n.in().kind != Invalid }

// Doc returns the document that n belongs to.
func (n Node) Doc() *Doc { return n.doc }

// Kind returns what n is.
func (n Node) Kind() Kind { return n.in().kind }

// Len returns the number of members of an object or of elements of an array,
// and 0 for everything else.
func (n Node) Len() int { return int(n.in().count) }

// Key returns the key of n in its object, without escapes. It is empty for the
// root and for an element of an array.
func (n Node) Key() string {
	x := n.in()
	if x.keyLen == 0 {
		return ""
	}
	return n.doc.text2string(x.keyOff, x.keyLen, x.flags&keyEscaped != 0)
}

// KeyIs reports whether the key of n is key. It does not allocate.
func (n Node) KeyIs(key string) bool {
	x := n.in()
	if x.keyLen == 0 {
		return false
	}
	return n.doc.keyIs(x, key)
}

// Get returns the member of an object that has this key. It looks at one member
// after the other; [Node.All] is the way to look at many.
func (n Node) Get(key string) Node {
	x := n.in()
	if x.kind != Object {
		return Node{}
	}
	nodes := n.doc.nodes
	for i := x.first; i != 0; i = nodes[i].next {
		if n.doc.keyIs(&nodes[i], key) {
			return n.with(i)
		}
	}
	return Node{}
}

// Index returns the element i of an array, or the member i of an object. It
// counts from the first one, so a loop is better served by [Node.All].
func (n Node) Index(i int) Node {
	x := n.in()
	if i < 0 || i >= int(x.count) {
		return Node{}
	}
	at := x.first
	for range i {
		at = n.doc.nodes[at].next
	}
	return n.with(at)
}

// All yields the members of an object or the elements of an array in the order
// of the document. The one that is yielded may be deleted meanwhile.
func (n Node) All() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for i := n.in().first; i != 0; {
			next := n.doc.nodes[i].next
			if !yield(n.with(i)) {
				return
			}
			i = next
		}
	}
}

// Str returns the text of a string without escapes, and "" for everything else.
func (n Node) Str() string {
	x := n.in()
	if x.kind != String {
		return ""
	}
	return n.doc.text2string(x.off, x.len, x.flags&valueEscaped != 0)
}

// Is reports whether n is the string s. It does not allocate unless n has
// escapes.
func (n Node) Is(s string) bool {
	x := n.in()
	if x.kind != String {
		return false
	}
	text := n.doc.span(x.off, x.len)
	if x.flags&valueEscaped != 0 {
		return unescapedIs(text, s)
	}
	return string(text[1:len(text)-1]) == s
}

// Bool returns the value of a boolean, and whether n is one.
func (n Node) Bool() (value, ok bool) {
	x := n.in()
	return x.kind == Bool && x.len == uint32(len("true")), x.kind == Bool
}

// Int returns the value of a number, and whether n is one that is an integer in
// the range of int64. 1.0 and 1e2 are integers.
func (n Node) Int() (value int64, ok bool) {
	x := n.in()
	if x.kind != Number {
		return 0, false
	}
	text := string(n.doc.span(x.off, x.len))
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != float64(int64(f)) || f < -1<<53 || f > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// Float returns the value of a number, and whether n is one in the range of
// float64.
func (n Node) Float() (value float64, ok bool) {
	x := n.in()
	if x.kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n.doc.span(x.off, x.len)), 64)
	return f, err == nil
}

// Raw returns n in compact JSON. For a scalar it is the text of the document
// itself, which the caller must not change and which is valid until
// [Doc.Reset]; for a container it is a new slice, which [Node.AppendJSON]
// avoids.
func (n Node) Raw() []byte {
	x := n.in()
	switch {
	case x.kind == Invalid:
		return nil
	case x.kind < Array:
		return n.doc.span(x.off, x.len)
	}
	return n.JSON()
}

// Pos returns where the value of n begins in the source: the line, and the
// character in it, both counted from 1. A value that an edit has brought has no
// place in the source; for it both are 0. Each call reads the source up to n; in a
// walk, [Cursor.Pos] does not.
func (n Node) Pos() (line, column int) {
	if !n.Exists() {
		return 0, 0
	}
	offset := n.doc.offset(n.at)
	if offset < 0 {
		return 0, 0
	}
	m := mark{1, 1}.to(n.doc.source, 0, offset, n.doc.odd)
	return int(m.line), int(m.column)
}
