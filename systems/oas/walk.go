package oas

import (
	"strconv"

	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/systems/oas/internal/grammar"
)

// Action tells a walk how to go on. The function that it calls returns it.
type Action uint8

const (
	Continue Action = iota // go on, into the value
	Skip                   // go on, but not into the value
	Stop                   // end the walk
)

// Walk calls fn for each value of the document, the root first and each value
// before what is in it, in the order of the document. fn may edit the value that
// it is called for and what is in that, and may delete it if it returns [Skip].
// Walk allocates nothing once its cursors are warm.
func (d *Doc) Walk(fn func(*Cursor) Action) {
	if !d.Root().Exists() {
		return
	}
	c := cursors.Get()
	defer cursors.Put(c)
	c.begin(d)
	c.walk(fn)
}

// Cursor says where a walk is. The walk lends it to a function for one call.
// After the call the Cursor moves on, and after the walk another walk may use it.
// The caller may keep what its methods return.
type Cursor struct {
	doc   *Doc
	gen   uint32
	stack []frame // from the root to the value

	// What is found when it is asked for, from the root down: the pointers of
	// the first named frames, one after the other, and the kinds of the first
	// judged ones.
	version  grammar.Version
	text     []byte
	pointers int
	judged   int

	places *places  // of the document, from the first call of Pos on
	key    []byte   // one with escapes, without them
	seen   []uint64 // a bit for each node that a Visit has gone to through a reference
}

// frame is a value on the way to where the walk is.
type frame struct {
	at    uint32
	index int32 // in its array; -1 in an object
	kind  ObjectKind
	form  grammar.Form
	jump  bool // reached through the reference in the frame before

	// Where the pointer begins and ends in text. It begins at 0 unless there
	// was a jump.
	from, to int
}

// cursors keeps cursors, which grow to the depth of documents. One that is put
// must not hold on to a document.
var cursors = pool.New(pool.Options[Cursor]{
	Name: "oas cursor",
	Reset: func(c *Cursor) {
		*c = Cursor{stack: c.stack[:0], text: c.text[:0], key: c.key[:0], seen: c.seen[:0]}
	},
	Size:    func(c *Cursor) int { return cap(c.text) + cap(c.key) + 40*cap(c.stack) + 8*cap(c.seen) },
	MaxSize: 1 << 20,
})

func (c *Cursor) begin(d *Doc) {
	c.doc, c.gen = d, d.gen
	if c.version = grammar.Version(d.Version()); c.version == 0 {
		c.version = grammar.Every
	}
}

// walk visits the root and what is in it.
func (c *Cursor) walk(fn func(*Cursor) Action) {
	c.push(frame{at: 1, index: -1})
	if fn(c) == Continue {
		c.inside(fn)
	}
}

// inside visits what is in the value that the walk is at. It returns false if the
// walk is to end. The children have one frame, one after the other.
func (c *Cursor) inside(fn func(*Cursor) Action) bool {
	parent := &c.doc.nodes[c.top().at]
	i := parent.first
	if i == 0 {
		return true
	}
	index, step := int32(-1), int32(0)
	if parent.kind == Array {
		index, step = 0, 1
	}
	level := len(c.stack)
	c.push(frame{})
	for {
		f := &c.stack[level]
		f.at, f.index = i, index
		c.pointers, c.judged = min(c.pointers, level), min(c.judged, level)
		switch fn(c) {
		case Stop:
			return false
		case Continue:
			if c.doc.nodes[i].first != 0 && !c.inside(fn) {
				return false
			}
		}
		if i = c.doc.nodes[i].next; i == 0 {
			c.pop()
			return true
		}
		index += step
	}
}

func (c *Cursor) push(f frame) { c.stack = append(c.stack, f) }

func (c *Cursor) pop() {
	last := len(c.stack) - 1
	c.stack = c.stack[:last]
	c.pointers, c.judged = min(c.pointers, last), min(c.judged, last)
}

func (c *Cursor) top() *frame {
	if len(c.stack) == 0 {
		panic("oas: this Cursor is used after its walk; keep what its methods return, not the Cursor")
	}
	return &c.stack[len(c.stack)-1]
}

// Pos returns what [Node.Pos] returns for the value, without reading the source up
// to it each time.
func (c *Cursor) Pos() (line, column int) {
	offset := c.doc.offset(c.top().at)
	if offset < 0 {
		return 0, 0
	}
	if c.places == nil {
		c.places = c.doc.places()
	}
	return c.places.of(offset)
}

// Node returns the value that the walk is at. It can be kept.
func (c *Cursor) Node() Node { return Node{c.doc, c.top().at, c.gen} }

// Depth returns how many values the value is in; 0 for the root.
func (c *Cursor) Depth() int { return len(c.stack) - 1 }

// Parent returns the value that holds the one of c, or the reference through
// which the walk came to it.
func (c *Cursor) Parent() Node {
	if len(c.stack) < 2 {
		return Node{}
	}
	return Node{c.doc, c.stack[len(c.stack)-2].at, c.gen}
}

// Pointer returns the JSON pointer of the value, for which [Doc.At] returns it.
func (c *Cursor) Pointer() string { return string(c.pointer()) }

// AppendPointer appends the JSON pointer of the value to dst.
func (c *Cursor) AppendPointer(dst []byte) []byte { return append(dst, c.pointer()...) }

// pointer returns the pointer of the value, which is the last one in c.text.
func (c *Cursor) pointer() []byte {
	if c.pointers < len(c.stack) {
		c.writePointers()
	}
	f := c.top()
	return c.text[f.from:f.to]
}

// writePointers brings c.text up to date.
func (c *Cursor) writePointers() {
	if c.pointers == 0 {
		c.stack[0].from, c.stack[0].to = 0, 0
		c.pointers = 1
	}
	before := &c.stack[c.pointers-1]
	text := c.text[:before.to]
	for i := c.pointers; i < len(c.stack); i++ {
		f := &c.stack[i]
		f.from = before.from
		switch {
		case f.jump:
			f.from = before.to
			text = append(text, Node{c.doc, f.at, c.gen}.Pointer()...)
		case f.index >= 0:
			text = strconv.AppendInt(append(text, '/'), int64(f.index), 10)
		default:
			text = c.doc.appendKey(text, &c.doc.nodes[f.at])
		}
		f.to = len(text)
		before = f
	}
	c.text, c.pointers = text, len(c.stack)
}

// judge brings the kinds in the stack up to date.
func (c *Cursor) judge() {
	if c.judged == 0 {
		c.stack[0].kind, c.stack[0].form = DocumentObject, grammar.Single
		c.judged = 1
	}
	for i := c.judged; i < len(c.stack); i++ {
		f := &c.stack[i]
		if before := &c.stack[i-1]; f.jump {
			f.kind, f.form = before.kind, before.form
		} else {
			f.kind, f.form = c.kindIn(before, f.at)
		}
	}
	c.judged = len(c.stack)
}

// kindIn returns what the grammar says of a child of the value in a frame.
func (c *Cursor) kindIn(in *frame, child uint32) (ObjectKind, grammar.Form) {
	if in.kind == Free {
		return Free, grammar.Single
	}
	is := c.doc.nodes[in.at].kind
	switch in.form {
	case grammar.Listed:
		if is == Array {
			return in.kind, grammar.Single
		}
	case grammar.Named:
		if is == Object {
			return in.kind, grammar.Single
		}
	default:
		x := &c.doc.nodes[child]
		if is != Object || x.kind < Array {
			break
		}
		key := c.doc.span(x.keyOff, x.keyLen)
		if x.flags&keyEscaped != 0 {
			c.key = appendUnescaped(c.key[:0], key)
			key = c.key
		} else {
			key = key[1 : len(key)-1]
		}
		if r := grammar.Find(grammar.Kind(in.kind), key, c.version); r != nil {
			return ObjectKind(r.Kind), r.Form
		}
	}
	return Free, grammar.Single
}

// ObjectKind returns what the value is by the specification, and [Free] for what
// is no object or an object that the specification leaves open. A reference, or any
// other value, in the place of an object is of the kind of that object.
func (c *Cursor) ObjectKind() ObjectKind {
	c.judge()
	f := c.top()
	if f.form != grammar.Single {
		return Free
	}
	return f.kind
}

// Is reports whether the value is an object of kind k.
func (c *Cursor) Is(k ObjectKind) bool { return c.ObjectKind() == k }

// Ancestor returns the innermost object of kind k that the value is in, or the
// value itself if it is one.
func (c *Cursor) Ancestor(k ObjectKind) Node {
	if i := c.find(k); i >= 0 {
		return Node{c.doc, c.stack[i].at, c.gen}
	}
	return Node{}
}

func (c *Cursor) find(k ObjectKind) int {
	c.judge()
	for i := len(c.stack) - 1; i >= 0; i-- {
		if f := &c.stack[i]; f.kind == k && f.form == grammar.Single {
			return i
		}
	}
	return -1
}

// Path returns the key of the path item that the value is in, such as
// "/pets/{id}": the outermost one, so that it is not that of a callback.
func (c *Cursor) Path() string {
	c.judge()
	for i := range c.stack {
		if f := &c.stack[i]; f.kind == PathItemObject && f.form == grammar.Single {
			return c.keyAt(i)
		}
	}
	return ""
}

// Method returns the key of the operation that the value is in, such as "get".
func (c *Cursor) Method() string { return c.keyAt(c.find(OperationObject)) }

// Status returns the key of the response that the value is in, if that is a
// response of an operation: "200", "4XX" or "default".
func (c *Cursor) Status() string {
	i := c.find(ResponseObject)
	for i > 0 && c.stack[i].jump {
		i--
	}
	if i < 1 || c.stack[i-1].kind != ResponsesObject {
		return ""
	}
	return c.keyAt(i)
}

// Name returns the name that the value has, or the innermost object around it
// that has one, where the specification leaves names open: that of a component,
// a property, a header, or a media type.
func (c *Cursor) Name() string {
	c.judge()
	for i := len(c.stack) - 1; i > 0; i-- {
		if c.stack[i-1].form == grammar.Named && !c.stack[i].jump {
			return c.keyAt(i)
		}
	}
	return ""
}

// keyAt returns the key of a frame; for one that was reached through a reference
// the key of what refers to it.
func (c *Cursor) keyAt(i int) string {
	for i > 0 && c.stack[i].jump {
		i--
	}
	if i < 0 {
		return ""
	}
	return Node{c.doc, c.stack[i].at, c.gen}.Key()
}

// Reference returns the innermost reference through which a [Doc.Visit] with
// Follow came to the value; it does not exist if there was none.
func (c *Cursor) Reference() Node {
	for i := len(c.stack) - 1; i > 0; i-- {
		if c.stack[i].jump {
			return Node{c.doc, c.stack[i-1].at, c.gen}
		}
	}
	return Node{}
}

// References returns through how many references the visit came to the value.
func (c *Cursor) References() int {
	n := 0
	for i := range c.stack {
		if c.stack[i].jump {
			n++
		}
	}
	return n
}
