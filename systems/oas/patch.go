package oas

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// AppendSource appends the document as its source has it, with the edits put in their
// places. What no edit has changed is the same byte for byte: white space, comments,
// quotes and anchors. So an unchanged document is its source. A change takes the lines
// of the value that it is of; a deleted member takes the comment lines right above it
// and the comment at its end; a new one goes after the last of its object or array. An
// alias is written out if what it stands for has changed.
//
// Before it returns, AppendSource reads what it has written, and compares that with
// the document. It returns an error, and dst as it was, if the source has a layout into
// which the edits cannot be put; [Doc.AppendYAML] and [Doc.AppendIndent] write the
// document then. The result is the caller's.
func (d *Doc) AppendSource(dst []byte) ([]byte, error) {
	if !d.Root().Exists() {
		return dst, nil
	}
	if !d.edited {
		return append(dst, d.source...), nil
	}
	l, err := d.layout()
	if err != nil {
		return dst, err
	}
	p := patcher{layout: l, d: d, same: make([]bool, len(l.was)), parents: map[uint32]uint32{}}
	p.y = yamlWriter{d: d, unit: max(len(l.unit), 1), flat: l.flat}
	if l.yaml {
		p.newline = "\n"
		if i := bytes.IndexByte(l.source, '\n'); i > 0 && l.source[i-1] == '\r' {
			p.newline = "\r\n"
		}
		p.atEnd = len(l.source) > 0 && l.source[len(l.source)-1] != '\n'
	}
	p.compare(1)
	p.change(1, scope{column: -1})
	was := len(dst)
	if dst, err = p.apply(dst); err != nil {
		return dst, err
	}
	var again Doc
	read := again.resetJSON
	if l.yaml {
		read = again.resetYAML
	}
	if err := read(dst[was:]); err != nil {
		return dst[:was], fmt.Errorf("%w (%v)", errLayout, err)
	}
	if !equal(d, 1, &again, 1) {
		return dst[:was], errLayout
	}
	return dst, nil
}

// equal reports whether two values are the same, however their strings are written.
func equal(a *Doc, i uint32, b *Doc, j uint32) bool {
	x, y := &a.nodes[i], &b.nodes[j]
	if x.kind != y.kind || x.count != y.count {
		return false
	}
	if x.kind == String {
		return sameText(a, x.off, x.len, x.flags&valueEscaped != 0, b, y.off, y.len, y.flags&valueEscaped != 0)
	}
	if x.kind < Array {
		return bytes.Equal(a.span(x.off, x.len), b.span(y.off, y.len))
	}
	i, j = x.first, y.first
	for ; i != 0 && j != 0; i, j = a.nodes[i].next, b.nodes[j].next {
		x, y := &a.nodes[i], &b.nodes[j]
		if x.keyLen > 0 && !sameText(a, x.keyOff, x.keyLen, x.flags&keyEscaped != 0, b, y.keyOff, y.keyLen, y.flags&keyEscaped != 0) {
			return false
		}
		if !equal(a, i, b, j) {
			return false
		}
	}
	return i == j
}

// sameText reports whether two strings are the same when their escapes are undone.
func sameText(a *Doc, off, n uint32, escaped bool, b *Doc, bOff, bN uint32, bEscaped bool) bool {
	if bytes.Equal(a.span(off, n), b.span(bOff, bN)) {
		return true
	}
	return (escaped || bEscaped) && a.text2string(off, n, escaped) == b.text2string(bOff, bN, bEscaped)
}

// patcher finds the changes of a source that make it the document.
type patcher struct {
	*layout
	d       *Doc
	y       yamlWriter
	newline string
	atEnd   bool              // the last line has no end
	same    []bool            // values, of those that were parsed, that are as they were
	parents map[uint32]uint32 // of changed containers: where each child was
	patches []patch
}

// patch is a piece of the source and what takes its place.
type patch struct {
	from, to int
	text     []byte
}

// scope says where a value stands: the column of its entry, and whether that is between
// brackets.
type scope struct {
	column int
	inFlow bool
}

func (p *patcher) put(from, to int, text []byte) {
	p.patches = append(p.patches, patch{from, to, text})
}

// compare finds out which values are as they were.
func (p *patcher) compare(i uint32) bool {
	if int(i) >= len(p.was) {
		return false
	}
	now, was := &p.d.nodes[i], &p.was[i]
	if now.kind != was.kind || now.off != was.off {
		return false
	}
	same := now.first == was.first
	for c := now.first; c != 0; c = p.d.nodes[c].next {
		if !p.compare(c) || p.d.nodes[c].next != p.was[c].next || p.renamed(c) {
			same = false
		}
	}
	if p.extents[i].style == aliased && same {
		at, _ := slices.BinarySearchFunc(p.d.aliases, i, func(a alias, i uint32) int { return cmp.Compare(a.node, i) })
		if target := p.d.aliases[at].target; target != 0 {
			same = p.same[target]
		}
	}
	p.same[i] = same
	return same
}

func (p *patcher) renamed(i uint32) bool { return p.d.nodes[i].keyOff != p.was[i].keyOff }

// change notes what to change of a value that was parsed.
func (p *patcher) change(i uint32, in scope) {
	if p.same[i] {
		return
	}
	now, was, e := &p.d.nodes[i], &p.was[i], &p.extents[i]
	var kept, added []uint32
	for c := now.first; c != 0; c = p.d.nodes[c].next {
		if int(c) < len(p.was) {
			kept = append(kept, c)
		} else {
			added = append(added, c)
		}
	}
	if now.off != was.off || now.kind != was.kind || e.style == aliased || e.style == awkward || len(kept) == 0 {
		p.value(i, in)
		return
	}
	inside := scope{inFlow: e.style == flow}
	k := 0
	for c := was.first; c != 0; {
		if k < len(kept) && kept[k] == c {
			if p.renamed(c) {
				p.rename(c, inside)
			}
			inside.column = int(p.extents[c].column)
			p.change(c, inside)
			c, k = p.was[c].next, k+1
			continue
		}
		first, last := c, c
		for c = p.was[c].next; c != 0 && (k == len(kept) || kept[k] != c); c = p.was[c].next {
			last = c
		}
		before := uint32(0)
		if k > 0 {
			before = kept[k-1]
		}
		p.drop(i, before, first, last, c, e.style)
	}
	if len(added) > 0 {
		p.add(now.kind, kept[len(kept)-1], added, e.style)
	}
}

// rename changes a key.
func (p *patcher) rename(i uint32, in scope) {
	x, e := &p.d.nodes[i], &p.extents[i]
	key := p.d.span(x.keyOff, x.keyLen)
	if p.yaml {
		text := p.y.content(x.keyOff, x.keyLen, x.flags&keyEscaped != 0)
		if key = nil; in.inFlow {
			key = appendFlowScalar(key, text)
		} else {
			key = appendScalar(key, text)
		}
	}
	from := int(e.entry)
	if p.yaml {
		from = int(p.d.spots[i].key)
	}
	p.put(from, int(e.keyEnd), key)
}

// sort puts the patches in the order of the source. What is added at a place comes
// before what is removed from there on.
func (p *patcher) sort() {
	slices.SortStableFunc(p.patches, func(a, b patch) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
}

// apply appends the source with its patches.
func (p *patcher) apply(dst []byte) ([]byte, error) {
	p.sort()
	if last := len(p.patches) - 1; p.atEnd && last >= 0 && p.patches[last].from == len(p.source) {
		p.endOfBlock()
	}
	was, at := len(dst), 0
	for _, c := range p.patches {
		if c.from < at || c.to < c.from {
			return dst[:was], errLayout
		}
		dst = append(append(dst, p.source[at:c.from]...), c.text...)
		at = c.to
	}
	return append(dst, p.source[at:]...), nil
}
