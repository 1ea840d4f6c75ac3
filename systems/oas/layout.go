package oas

import (
	"bytes"
	"errors"
)

// layout says where each node of a document stood in its source.
type layout struct {
	source  []byte
	was     []node // as they were parsed
	extents []extent
	yaml    bool

	lineFrom, lineTo int // see line

	unit string // by which the source indents
	flat bool   // an array in blocks stands no deeper than its key
}

// extent is where a member or an element is: its key or dash, and its value. sep is
// the end of what comes before the value: the colon or the dash. What an alias stands
// for has no extent of its own, except the alias itself.
type extent struct {
	entry, keyEnd, sep, start, end uint32
	column                         int32 // of the entry
	style                          style
}

type style uint8

const (
	nowhere style = iota
	block         // its children, if it has any, stand on lines of their own
	flow          // its children stand between brackets
	aliased
	awkward // its children cannot be changed one by one
)

var errLayout = errors.New("oas: the source is laid out in a way that edits cannot be put into; AppendYAML or AppendIndent writes the document in another layout")

// layout finds the extents of all nodes.
func (d *Doc) layout() (*layout, error) {
	var o Doc
	if err := o.parse(d.text, len(d.nodes)); err != nil {
		return nil, err // it has been parsed before
	}
	l := &layout{source: d.source, was: o.nodes, extents: make([]extent, len(o.nodes)), yaml: d.spots != nil, unit: "  "}
	if !l.yaml {
		l.json(1)
	} else {
		r := yamlLayout{layout: l, spots: d.spots, aliases: d.aliases}
		if !r.value(1, -1, false) {
			return nil, errLayout
		}
	}
	l.indents()
	return l, nil
}

// json sets the extents of a value of JSON and of what is in it.
func (l *layout) json(i uint32) {
	x, e := &l.was[i], &l.extents[i]
	e.style, e.start, e.end = flow, x.off, x.off+x.len
	e.entry, e.sep = e.start, e.start
	if x.keyLen > 0 {
		e.entry, e.keyEnd = x.keyOff, x.keyOff+x.keyLen
		e.sep = e.keyEnd + uint32(bytes.IndexByte(l.source[e.keyEnd:], ':')) + 1
	}
	if x.kind < Array {
		return
	}
	e.end = e.start + 1
	for c := x.first; c != 0; c = l.was[c].next {
		l.json(c)
		e.end = l.extents[c].end
	}
	_, end := brackets(x.kind)
	e.end += uint32(bytes.IndexByte(l.source[e.end:], end)) + 1
}

// indents finds out how the source indents.
func (l *layout) indents() {
	unit, arrays := false, false
	for i := uint32(1); i < uint32(len(l.was)) && !(unit && arrays); i++ {
		x, e := &l.was[i], &l.extents[i]
		if x.first == 0 || e.style == nowhere {
			continue
		}
		c := &l.extents[x.first]
		from := l.lineStart(int(c.entry))
		switch lead := l.source[from:c.entry]; {
		case e.style == flow && !unit && !l.yaml:
			if start := l.lineStart(int(e.start)); start < from {
				outer := leadOf(l.source, start)
				if len(bytes.TrimLeft(lead, " \t")) == 0 && len(lead) > len(outer) {
					l.unit, unit = string(lead[len(outer):]), true
				}
			} else if i == 1 {
				l.unit, unit = "", true // all stands on a line
			}
		case e.style == block && i > 1 && l.yaml && x.kind == Object && c.column > e.column && !unit && l.was[i].keyLen > 0:
			l.unit, unit = string(bytes.Repeat([]byte{' '}, int(c.column-e.column))), true
		case e.style == block && x.kind == Array && l.was[i].keyLen > 0 && !arrays:
			l.flat, arrays = c.column == e.column, true
		}
	}
}

// line finds the line of an offset. It keeps the last one, as a document may be one
// long line.
func (l *layout) line(at int) {
	if l.lineFrom <= at && at <= l.lineTo && l.lineTo > 0 {
		return
	}
	l.lineFrom, l.lineTo = bytes.LastIndexByte(l.source[:at], '\n')+1, len(l.source)
	if i := bytes.IndexByte(l.source[at:], '\n'); i >= 0 {
		l.lineTo = at + i
	}
}

// lineStart returns where the line of an offset begins.
func (l *layout) lineStart(at int) int {
	l.line(at)
	return l.lineFrom
}

// lineStop returns where the line of an offset ends, before what ends it.
func (l *layout) lineStop(at int) int {
	l.line(at)
	if end := l.lineTo; end == len(l.source) || end == at || l.source[end-1] != '\r' {
		return end
	}
	return l.lineTo - 1
}

// leadOf returns the white space that the line from start on begins with.
func leadOf(text []byte, start int) []byte {
	i := start
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return text[start:i]
}

// yamlLayout finds the ends of values of YAML, whose beginnings are known.
type yamlLayout struct {
	*layout
	spots   []spot
	aliases []alias // those that are still to come
}

// value sets the extent of a node and of what is in it. indent is the column of the
// entry that it is the value of.
func (r *yamlLayout) value(i uint32, indent int, inFlow bool) bool {
	x, e := &r.was[i], &r.extents[i]
	e.start = r.spots[i].value
	if len(r.aliases) > 0 && r.aliases[0].node == i {
		e.start, e.style = r.aliases[0].at, aliased
		e.end = uint32(r.word(int(e.start)))
		r.aliases = r.aliases[1:]
		return e.end > e.start && r.source[e.start] == '*'
	}
	if x.kind < Array {
		e.style = flow
		if x.kind == String || x.kind == Null || int(e.start) < len(r.source) {
			e.end = uint32(r.scalar(int(e.start), indent, inFlow))
		}
		return true
	}
	at := r.properties(int(e.start))
	if at >= len(r.source) {
		return false
	}
	if c := r.source[at]; c == '{' || c == '[' {
		return r.flow(i, at)
	}
	if e.style = block; inFlow {
		e.style = awkward // [a: 1] holds a mapping without brackets
	}
	if x.first == 0 {
		return false
	}
	for c := x.first; c != 0; c = r.was[c].next {
		if x.kind == Object && !r.key(c, inFlow) || x.kind == Array && !r.dash(c, at) {
			return false
		}
		if !r.value(c, int(r.extents[c].column), inFlow) {
			return false
		}
		at = int(max(r.extents[c].end, r.extents[c].sep))
	}
	e.end = uint32(at)
	return true
}

// key sets where the key of a member is.
func (r *yamlLayout) key(i uint32, inFlow bool) bool {
	e := &r.extents[i]
	at := r.spots[i].key
	if at == inAlias {
		return false
	}
	e.entry = at
	if lead := bytes.TrimRight(r.source[:at], " "); len(lead) < int(at) && lead[len(lead)-1] == '?' {
		e.entry = uint32(len(lead) - 1)
	}
	e.column = r.column(int(e.entry))
	end := r.scalar(int(at), int(e.column), inFlow)
	e.keyEnd, e.sep = uint32(end), uint32(end)
	if e.entry < at {
		end = r.gap(end)
	}
	for end < len(r.source) && (r.source[end] == ' ' || r.source[end] == '\t') {
		end++
	}
	if end < len(r.source) && r.source[end] == ':' {
		e.sep = uint32(end + 1)
	}
	return true
}

// column returns the column of an offset, from 0 on.
func (l *layout) column(at int) int32 {
	start := l.lineStart(at)
	if start == 0 && bytes.HasPrefix(l.source, byteOrderMark) {
		start = len(byteOrderMark)
	}
	return int32(at - start)
}

// dash sets where the dash of an element is, the first one from an offset on.
func (r *yamlLayout) dash(i uint32, from int) bool {
	at := r.gap(from)
	if at >= len(r.source) || r.source[at] != '-' {
		return false
	}
	e := &r.extents[i]
	e.entry, e.sep, e.column = uint32(at), uint32(at+1), r.column(at)
	return true
}

// flow sets the extents of what stands between brackets.
func (r *yamlLayout) flow(i uint32, at int) bool {
	x := &r.was[i]
	r.extents[i].style = flow
	at++
	for c := x.first; c != 0; c = r.was[c].next {
		if x.kind == Object {
			if !r.key(c, true) {
				return false
			}
		}
		if !r.value(c, -1, true) {
			return false
		}
		e := &r.extents[c]
		if x.kind == Array {
			e.entry, e.sep = e.start, e.start
		}
		e.column = r.column(int(e.entry))
		at = int(max(e.end, e.sep))
	}
	_, end := brackets(x.kind)
	for at = r.gap(at); at < len(r.source) && r.source[at] == ','; {
		at = r.gap(at + 1)
	}
	r.extents[i].end = uint32(at + 1)
	return at < len(r.source) && r.source[at] == end
}

// gap returns the first offset from at on that holds no white space and no comment.
func (r *yamlLayout) gap(at int) int {
	for at < len(r.source) {
		switch c := r.source[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case c == '#':
			at = r.lineStop(at)
		case at == 0 && bytes.HasPrefix(r.source, byteOrderMark):
			at = len(byteOrderMark)
		default:
			return at
		}
	}
	return at
}

// word returns where the word at an offset ends.
func (r *yamlLayout) word(at int) int {
	for at < len(r.source) && bytes.IndexByte([]byte(" \t\r\n,[]{}"), r.source[at]) < 0 {
		at++
	}
	return at
}

// properties returns where the value begins after its anchor and tag.
func (r *yamlLayout) properties(at int) int {
	for at < len(r.source) && (r.source[at] == '&' || r.source[at] == '!') {
		at = r.gap(r.word(at))
	}
	return at
}

// scalar returns where a scalar ends, which may be empty.
func (r *yamlLayout) scalar(start, indent int, inFlow bool) int {
	at := start
	for at < len(r.source) && (r.source[at] == '&' || r.source[at] == '!') {
		end := r.word(at)
		if at = r.gap(end); at >= len(r.source) || r.lineStart(at) > end && !inFlow && at-r.lineStart(at) <= indent {
			return end // there is nothing but the anchor or the tag
		}
	}
	if at >= len(r.source) {
		return len(r.source)
	}
	switch c := r.source[at]; {
	case c == '"' || c == '\'':
		return r.quoted(at)
	case c == '*':
		return r.word(at)
	case (c == '|' || c == '>') && !inFlow:
		return r.lines(at, indent)
	}
	return r.plain(at, indent, inFlow)
}

func (r *yamlLayout) quoted(at int) int {
	quote := r.source[at]
	for at++; at < len(r.source); at++ {
		switch c := r.source[at]; {
		case c == '\\' && quote == '"':
			at++
		case c == quote && quote == '\'' && at+1 < len(r.source) && r.source[at+1] == quote:
			at++
		case c == quote:
			return at + 1
		}
	}
	return len(r.source)
}

// plain returns where a scalar without quotes ends, which may have several lines.
func (r *yamlLayout) plain(at, indent int, inFlow bool) int {
	end := at
	for {
		stop := r.lineStop(at)
		for i := at; i < stop; i++ {
			c := r.source[i]
			after := byte(' ')
			if i+1 < stop {
				after = r.source[i+1]
			}
			switch {
			case c == ' ' || c == '\t':
				continue
			case c == ':' && (after == ' ' || after == '\t' || inFlow && bytes.IndexByte([]byte(",[]{}"), after) >= 0),
				c == '#' && i > 0 && (r.source[i-1] == ' ' || r.source[i-1] == '\t' || r.source[i-1] == '\n'),
				inFlow && bytes.IndexByte([]byte(",[]{}"), c) >= 0:
				return end
			}
			end = i + 1
		}
		if end == at { // there is none
			return end
		}
		for at = stop; at < len(r.source) && bytes.IndexByte([]byte(" \t\r\n"), r.source[at]) >= 0; {
			at++
		}
		if at >= len(r.source) || r.source[at] == '#' {
			return end
		}
		if column := at - r.lineStart(at); !inFlow && column <= indent || column == 0 && (bytes.HasPrefix(r.source[at:], []byte("---")) || bytes.HasPrefix(r.source[at:], []byte("..."))) {
			return end
		}
	}
}

// lines returns where a literal or folded scalar ends, before its last line feed.
func (r *yamlLayout) lines(at, indent int) int {
	end := r.lineStop(at)
	header, _, _ := bytes.Cut(r.source[at+1:end], []byte{'#'})
	keep, deep := bytes.IndexByte(header, '+') >= 0, -1
	if i := bytes.IndexAny(header, "123456789"); i >= 0 {
		deep = max(indent, 0) + int(header[i]-'0')
	}
	if indent < 0 && deep < 0 {
		deep = 0
	}
	end = at + 1 + len(bytes.TrimRight(header, " \t"))
	for at = r.lineStop(end); at < len(r.source); {
		from := at + 1
		if r.source[at] == '\r' {
			from++
		}
		if from > len(r.source) {
			break
		}
		stop := r.lineStop(from)
		spaces := 0
		for from+spaces < stop && r.source[from+spaces] == ' ' {
			spaces++
		}
		if blank := from+spaces == stop; !blank {
			if deep < 0 {
				deep = max(spaces, indent+1)
			}
			if spaces < deep {
				break
			}
			end = stop
		} else if keep && from < len(r.source) {
			end = stop
		}
		at = stop
	}
	return end
}
