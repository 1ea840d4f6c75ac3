package oas

import (
	"io"
	"slices"

	"github.com/poolproof/poolproof/buffer"
)

// AppendJSON appends the document in compact JSON: keys in their order, strings
// and numbers as the source has them. The result is the caller's. It allocates
// nothing if dst has the capacity. For an empty document it appends nothing.
func (d *Doc) AppendJSON(dst []byte) []byte { return d.Root().AppendJSON(dst) }

// JSON returns the document in compact JSON. It is the caller's, and has exactly
// the capacity that it needs.
func (d *Doc) JSON() []byte { return d.Root().JSON() }

// MarshalJSON returns what [Doc.JSON] returns. (encoding/json, when it calls
// this method, escapes <, > and & in the result unless it is told not to.)
func (d *Doc) MarshalJSON() ([]byte, error) { return d.Root().MarshalJSON() }

// Size returns how many bytes [Doc.AppendJSON] appends.
func (d *Doc) Size() int { return d.Root().Size() }

// AppendJSON appends n in compact JSON, as [Doc.AppendJSON] does the document. If n
// does not exist it appends nothing.
func (n Node) AppendJSON(dst []byte) []byte {
	if !n.Exists() {
		return dst
	}
	return n.doc.append(slices.Grow(dst, n.Size()), n.at)
}

// JSON returns n in compact JSON, in a slice of its own of exactly that length.
func (n Node) JSON() []byte {
	if !n.Exists() {
		return nil
	}
	return n.doc.append(make([]byte, 0, n.Size()), n.at)
}

// MarshalJSON returns n in compact JSON, and null if n does not exist.
func (n Node) MarshalJSON() ([]byte, error) {
	if !n.Exists() {
		return []byte("null"), nil
	}
	return n.JSON(), nil
}

// Size returns how many bytes n takes in compact JSON.
func (n Node) Size() int {
	x := n.in()
	if x.kind >= Array && n.doc.edited {
		return n.doc.size(n.at)
	}
	return int(x.len)
}

// size counts what an edit may have changed. It stores nothing, so that many
// goroutines may count at a time.
func (d *Doc) size(at uint32) int {
	x := &d.nodes[at]
	if x.kind < Array {
		return int(x.len)
	}
	size := 2 + max(int(x.count)-1, 0)
	for i := x.first; i != 0; i = d.nodes[i].next {
		if k := d.nodes[i].keyLen; k > 0 {
			size += int(k) + 1
		}
		size += d.size(i)
	}
	return size
}

// whole reports whether the text of x is its compact form.
func (d *Doc) whole(x *node) bool {
	return x.kind < Array || x.flags&isCompact != 0 && !d.edited
}

func (d *Doc) append(dst []byte, at uint32) []byte {
	x := &d.nodes[at]
	if d.whole(x) {
		return append(dst, d.span(x.off, x.len)...)
	}
	open, end := brackets(x.kind)
	dst = append(dst, open)
	for i := x.first; i != 0; {
		child := &d.nodes[i]
		if i != x.first {
			dst = append(dst, ',')
		}
		if child.keyLen > 0 {
			dst = append(dst, d.span(child.keyOff, child.keyLen)...)
			dst = append(dst, ':')
		}
		if child.kind < Array {
			dst = append(dst, d.span(child.off, child.len)...)
		} else {
			dst = d.append(dst, i)
		}
		i = child.next
	}
	return append(dst, end)
}

func brackets(k Kind) (open, end byte) {
	if k == Object {
		return '{', '}'
	}
	return '[', ']'
}

// chunkSize is how much [Doc.WriteTo] writes at a time.
const chunkSize = 32 << 10

var chunks = buffer.New(buffer.Options{Name: "oas chunk"}).Sized(chunkSize)

// WriteTo writes the document in compact JSON to w, some 32 KiB at a time, from
// a pooled buffer: w must not keep what Write is given, as [io.Writer] says. It
// returns the first error of w.
func (d *Doc) WriteTo(w io.Writer) (int64, error) {
	if !d.Root().Exists() {
		return 0, nil
	}
	b := chunks.Get()
	defer b.Release()
	o := chunked{w: w, d: d, chunk: b.Bytes()[:0]}
	o.node(1)
	o.flush()
	return o.n, o.err
}

// chunked writes a document piece by piece.
type chunked struct {
	w     io.Writer
	d     *Doc
	chunk []byte
	n     int64
	err   error
}

func (o *chunked) node(at uint32) {
	x := &o.d.nodes[at]
	if o.d.whole(x) {
		o.text(o.d.span(x.off, x.len))
		return
	}
	open, end := brackets(x.kind)
	o.byte(open)
	for i := x.first; i != 0 && o.err == nil; {
		child := &o.d.nodes[i]
		if i != x.first {
			o.byte(',')
		}
		if child.keyLen > 0 {
			o.text(o.d.span(child.keyOff, child.keyLen))
			o.byte(':')
		}
		o.node(i)
		i = child.next
	}
	o.byte(end)
}

func (o *chunked) byte(c byte) {
	if len(o.chunk) == cap(o.chunk) {
		o.flush()
	}
	o.chunk = append(o.chunk, c)
}

func (o *chunked) text(text []byte) {
	if len(text) > cap(o.chunk)-len(o.chunk) {
		o.flush()
	}
	if len(text) <= cap(o.chunk) {
		o.chunk = append(o.chunk, text...)
	} else {
		o.write(text)
	}
}

func (o *chunked) flush() {
	o.write(o.chunk)
	o.chunk = o.chunk[:0]
}

func (o *chunked) write(text []byte) {
	if o.err != nil || len(text) == 0 {
		return
	}
	n, err := o.w.Write(text)
	o.n += int64(n)
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	o.err = err
}
