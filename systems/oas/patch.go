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
		return a.text2string(x.off, x.len, x.flags&valueEscaped != 0) == b.text2string(y.off, y.len, y.flags&valueEscaped != 0)
	}
	if x.kind < Array {
		return bytes.Equal(a.span(x.off, x.len), b.span(y.off, y.len))
	}
	i, j = x.first, y.first
	for ; i != 0 && j != 0; i, j = a.nodes[i].next, b.nodes[j].next {
		x, y := &a.nodes[i], &b.nodes[j]
		if x.keyLen > 0 && a.text2string(x.keyOff, x.keyLen, x.flags&keyEscaped != 0) != b.text2string(y.keyOff, y.keyLen, y.flags&keyEscaped != 0) {
			return false
		}
		if !equal(a, i, b, j) {
			return false
		}
	}
	return i == j
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

// scope is what a value is in: the column of its entry, and whether that is between
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

// drop removes the children from first to last. before and after are the next ones
// that stay, or 0.
func (p *patcher) drop(parent, before, first, last, after uint32, s style) {
	text := p.source
	from, end := int(p.extents[first].entry), int(max(p.extents[last].end, p.extents[last].sep))
	start := p.lineStart(from)
	alone := len(bytes.TrimLeft(text[start:from], " \t")) == 0 // no other text before it in its line
	if s == block {
		stop := p.lineStop(end)
		if alone {
			if !(parent == 1 && first == p.was[parent].first) {
				start = p.comments(start, from-start)
			}
			if p.keeps(first - 1) { // the empty lines after it would become part of the one before
				for at, l := range lines(text, afterLine(text, stop), len(text)) {
					if len(bytes.TrimSpace(text[at:l.end])) > 0 {
						break
					}
					stop = p.lineStop(at)
				}
			}
			if start > 0 {
				// From the end of the line before, so that what is added after these
				// lines is not added within them.
				start = p.lineStop(start - 1)
			} else {
				stop = afterLine(text, stop)
			}
			p.put(start, stop, nil)
			return
		}
		// It is the first one, and stands after a dash.
		next := int(p.extents[after].entry)
		if stop < next && bytes.IndexByte(text[stop:next], '#') >= 0 { // a comment of the next one
			from, next = len(bytes.TrimRight(text[:from], " ")), stop
		}
		p.put(from, next, nil)
		return
	}
	if after == 0 {
		if gap := int(p.extents[before].end); !p.yaml || bytes.IndexByte(text[gap:from], '#') < 0 {
			from = max(gap, int(p.extents[before].sep))
		} else if rest := bytes.TrimLeft(text[end:], " \t"); len(rest) > 0 && rest[0] == ',' {
			end = len(text) - len(rest) + 1 // the comma before it stays
		}
		p.put(from, end, nil)
		return
	}
	next := int(p.extents[after].entry)
	for end < next && text[end] != ',' {
		end++
	}
	if stop := p.lineStop(end); p.yaml && alone && stop < next {
		p.put(start, afterLine(text, stop), nil) // with the comment in its line
		return
	}
	p.put(from, next, nil)
}

// keeps reports whether a value is a block scalar to which all empty lines after it belong.
func (p *patcher) keeps(i uint32) bool {
	e := &p.extents[i]
	if e.style != flow || e.start >= e.end || p.source[e.start] != '|' && p.source[e.start] != '>' {
		return false
	}
	header, _, _ := bytes.Cut(p.source[e.start:p.lineStop(int(e.start))], []byte{'#'})
	return bytes.IndexByte(header, '+') >= 0
}

// comments returns where the comment lines begin that stand right above a line and
// are indented as it is.
func (p *patcher) comments(start, indent int) int {
	for start > 0 {
		above := p.lineStart(start - 1)
		lead := leadOf(p.source, above)
		if len(lead) != indent || above+indent >= len(p.source) || p.source[above+indent] != '#' {
			break
		}
		start = above
	}
	return start
}

// afterLine returns where the next line begins.
func afterLine(text []byte, stop int) int {
	if stop < len(text) && text[stop] == '\r' {
		stop++
	}
	return min(stop+1, len(text))
}

// add writes new children after the last one that stays.
func (p *patcher) add(in Kind, last uint32, added []uint32, s style) {
	e := &p.extents[last]
	end := int(max(e.end, e.sep))
	start := p.lineStart(int(e.entry))
	lead := p.source[start:e.entry]
	var text []byte
	if s == block {
		stop := p.lineStop(end)
		p.y.oneLine = p.atEnd || p.foot(stop, int(e.column))
		for _, c := range added {
			text = appendLine(text, int(e.column))
			text = p.y.entry(text, in, c, int(e.column))
		}
		p.put(stop, stop, p.ends(text))
		return
	}
	onLines := len(bytes.TrimLeft(lead, " \t")) == 0 && start > 0
	for _, c := range added {
		text = append(text, ',')
		switch {
		case onLines:
			text = append(append(text, p.lineBreak()...), lead...)
		case p.spaced():
			text = append(text, ' ')
		}
		if p.yaml {
			text = p.y.flowEntry(text, c)
			continue
		}
		if x := &p.d.nodes[c]; x.keyLen > 0 {
			text = append(append(text, p.d.span(x.keyOff, x.keyLen)...), ':')
			if p.spaced() {
				text = append(text, ' ')
			}
		}
		text = p.jsonValue(text, c, lead, onLines)
	}
	p.put(end, end, text)
}

// spaced reports whether the source has a space after the colon of its first key.
func (p *patcher) spaced() bool {
	for i := uint32(1); i < uint32(len(p.was)); i++ {
		if e := &p.extents[i]; p.was[i].keyLen > 0 && e.style != nowhere {
			return int(e.sep) < len(p.source) && p.source[e.sep] == ' '
		}
	}
	return true
}

func (p *patcher) lineBreak() string {
	if p.newline == "" {
		p.newline = "\n"
		if i := bytes.IndexByte(p.source, '\n'); i > 0 && p.source[i-1] == '\r' {
			p.newline = "\r\n"
		}
	}
	return p.newline
}

// ends makes lines end as those of the source do.
func (p *patcher) ends(text []byte) []byte {
	if p.lineBreak() == "\r\n" {
		return bytes.ReplaceAll(text, newline, []byte("\r\n"))
	}
	return text
}

// jsonValue appends a value of JSON, whose lines begin with lead.
func (p *patcher) jsonValue(text []byte, i uint32, lead []byte, onLines bool) []byte {
	if !onLines || p.unit == "" {
		return p.d.append(text, i)
	}
	was := len(text)
	text = p.d.appendIndent(text, i, append([]byte{'\n'}, lead...), p.unit)
	return append(text[:was], p.ends(text[was:])...)
}

// value writes a value in the place of the one that was there.
func (p *patcher) value(i uint32, in scope) {
	e := &p.extents[i]
	from, to := int(e.start), int(e.end)
	if !p.yaml {
		start := p.lineStart(int(e.entry))
		lead := leadOf(p.source, start)
		p.put(from, to, p.jsonValue(nil, i, lead, i == 1 || start > 0))
		return
	}
	if in.inFlow {
		text := p.y.appendFlow(nil, i)
		if sep := int(e.sep); from >= sep && sep > int(e.entry) && len(bytes.TrimSpace(p.source[sep:from])) == 0 && p.lineStart(from) <= sep {
			from, text = sep, append([]byte{' '}, text...) // after the colon
		}
		p.put(from, to, text)
		return
	}
	if i == 1 {
		p.y.oneLine = p.atEnd
		p.put(from, to, p.ends(p.y.value(nil, i, 0, true)))
		return
	}
	p.inBlock(i, in.column)
}

// inBlock writes a value after a colon or a dash. It has a head, which stands in that
// line, and a body of further lines.
func (p *patcher) inBlock(i uint32, column int) {
	x, e := &p.d.nodes[i], &p.extents[i]
	sep, to := int(e.sep), max(int(e.end), int(e.sep))
	stop := p.lineStop(to)
	comment := len(bytes.TrimSpace(p.source[to:stop])) > 0
	p.y.oneLine = p.atEnd || comment || p.foot(stop, column)
	inner := column + p.y.unit
	if x.keyLen == 0 {
		inner = column + 2
	} else if x.kind == Array && p.y.flat {
		inner = column
	}
	var head, body []byte
	if x.kind >= Array && x.first != 0 {
		body = p.y.value(nil, i, inner, false)
		if x.keyLen == 0 && !comment { // after a dash it begins there
			head = append([]byte{' '}, p.y.value(nil, i, inner, true)...)
			body = nil
		}
	} else {
		head = p.scalar(i, inner)
		if at := bytes.IndexByte(head, '\n'); at >= 0 {
			head, body = head[:at], head[at:]
		}
	}
	first := p.lineStop(sep)
	if to <= first { // what was there is in this line
		p.put(sep, to, p.ends(head))
		p.put(stop, stop, p.ends(body))
		return
	}
	if rest := p.source[sep:first]; e.style != block && len(bytes.TrimSpace(rest)) > 0 && bytes.TrimSpace(rest)[0] != '#' {
		// It begins in this line and ends in a later one.
		p.put(sep, to, p.ends(append(head, body...)))
		return
	} else if len(bytes.TrimSpace(rest)) > 0 && bytes.TrimSpace(rest)[0] != '#' {
		// An anchor, or a block that begins in this line.
		p.put(sep, to, p.ends(append(head, body...)))
		return
	}
	if bytes.IndexByte(head, '\n') >= 0 {
		head, body = nil, p.y.value(nil, i, inner, false)
	}
	p.put(sep, sep, p.ends(head))
	p.put(first, to, p.ends(body))
}

// scalar returns a scalar or something empty with a space before it. A string has the
// quotes that the one before it had.
func (p *patcher) scalar(i uint32, column int) []byte {
	x, e := &p.d.nodes[i], &p.extents[i]
	head := []byte{' '}
	if x.kind != String || e.start >= e.end {
		return p.y.value(head, i, column, false)
	}
	text := p.y.content(x.off, x.len, x.flags&valueEscaped != 0)
	switch quote := p.source[e.start]; {
	case quote == '"' && !isLiteral(text):
		return appendDoubleQuoted(head, text)
	case quote == '\'' && isSingle(text):
		head = append(head, '\'')
		head = append(head, bytes.ReplaceAll(text, []byte("'"), []byte("''"))...)
		return append(head, '\'')
	}
	return p.y.value(head, i, column, false)
}

// isSingle reports whether a text can stand in single quotes on one line.
func isSingle(text []byte) bool {
	for _, r := range string(text) {
		if !isPrintable(r) {
			return false
		}
	}
	return true
}

// foot reports whether a comment follows the line that ends at stop that is deeper than
// a column: it would become part of a literal there.
func (p *patcher) foot(stop, column int) bool {
	for at, l := range lines(p.source, afterLine(p.source, stop), len(p.source)) {
		if c := p.source[min(at+l.indent, len(p.source)-1)]; c != '\n' && c != '\r' {
			return c == '#' && l.indent > column
		}
	}
	return false
}

// endOfBlock keeps the last value as it is if that is a block scalar without a line
// feed at its end, and lines come after it now.
func (p *patcher) endOfBlock() {
	i := uint32(len(p.was) - 1)
	e := &p.extents[i]
	if !p.same[i] || e.style != flow || int(e.end) != len(p.source) || p.source[e.start] != '|' && p.source[e.start] != '>' {
		return
	}
	header := p.source[e.start:p.lineStop(int(e.start))]
	if !bytes.ContainsAny(header, "+-") {
		p.put(int(e.start)+1, int(e.start)+1, []byte{'-'})
		p.sort()
	}
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
