package oas

// AppendIndent appends the document with each member and element on a line of
// its own, laid out as [encoding/json.Indent] does: after a line feed stand
// prefix and, for each level, indent. The result is the caller's. It allocates
// nothing if dst has the capacity and a line begins with 128 bytes at most.
func (d *Doc) AppendIndent(dst []byte, prefix, indent string) []byte {
	return d.Root().AppendIndent(dst, prefix, indent)
}

// AppendIndent appends n as [Doc.AppendIndent] does the document.
func (n Node) AppendIndent(dst []byte, prefix, indent string) []byte {
	if !n.Exists() {
		return dst
	}
	var short [128]byte
	return n.doc.appendIndent(dst, n.at, append(append(short[:0], '\n'), prefix...), indent)
}

// appendIndent appends a value. line ends a line and begins the one of
// the value's closing bracket.
func (d *Doc) appendIndent(dst []byte, at uint32, line []byte, indent string) []byte {
	x := &d.nodes[at]
	if x.kind < Array {
		return append(dst, d.span(x.off, x.len)...)
	}
	open, end := brackets(x.kind)
	dst = append(dst, open)
	if x.first == 0 {
		return append(dst, end)
	}
	inner := append(line, indent...)
	for i := x.first; i != 0; {
		child := &d.nodes[i]
		if i != x.first {
			dst = append(dst, ',')
		}
		dst = append(dst, inner...)
		if child.keyLen > 0 {
			dst = append(dst, d.span(child.keyOff, child.keyLen)...)
			dst = append(dst, ':', ' ')
		}
		if child.kind < Array {
			dst = append(dst, d.span(child.off, child.len)...)
		} else {
			dst = d.appendIndent(dst, i, inner, indent)
		}
		i = child.next
	}
	dst = append(dst, line...)
	return append(dst, end)
}
