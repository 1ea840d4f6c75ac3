package oas

// AppendIndent appends the document with each member and element on a line of
// its own, laid out as [encoding/json.Indent] does: after a line feed stand
// prefix and, for each level, indent. The result is the caller's.
func (d *Doc) AppendIndent(dst []byte, prefix, indent string) []byte {
	return d.Root().AppendIndent(dst, prefix, indent)
}

// AppendIndent appends n as [Doc.AppendIndent] does the document.
func (n Node) AppendIndent(dst []byte, prefix, indent string) []byte {
	if !n.Exists() {
		return dst
	}
	var short [128]byte
	in := indenter{d: n.doc, indent: indent, line: append(append(short[:0], '\n'), prefix...)}
	return in.append(dst, n.at)
}

// indenter holds what a line begins with, which grows and shrinks by a level.
type indenter struct {
	d      *Doc
	indent string
	line   []byte
}

func (in *indenter) append(dst []byte, at uint32) []byte {
	d := in.d
	x := &d.nodes[at]
	if x.kind < Array {
		return append(dst, d.span(x.off, x.len)...)
	}
	open, end := brackets(x.kind)
	dst = append(dst, open)
	if x.first == 0 {
		return append(dst, end)
	}
	outer := len(in.line)
	in.line = append(in.line, in.indent...)
	for i := x.first; i != 0; {
		child := &d.nodes[i]
		if i != x.first {
			dst = append(dst, ',')
		}
		dst = append(dst, in.line...)
		if child.keyLen > 0 {
			dst = append(dst, d.span(child.keyOff, child.keyLen)...)
			dst = append(dst, ':', ' ')
		}
		if child.kind < Array {
			dst = append(dst, d.span(child.off, child.len)...)
		} else {
			dst = in.append(dst, i)
		}
		i = child.next
	}
	in.line = in.line[:outer]
	dst = append(dst, in.line...)
	return append(dst, end)
}
