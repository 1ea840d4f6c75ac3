package oas

import "bytes"

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
