package oas

import (
	"bytes"
	"unicode/utf8"
)

// places finds the line and column of offsets in a source. It marks the line and
// column of one offset in 4,096, so that no place needs more than that to be read.
type places struct {
	text  []byte
	odd   bool // lines may end by more than a line feed
	marks []mark

	last mark // of the offset that was asked for last, which the next one is often near
	at   int
}

// mark is the place of an offset.
type mark struct{ line, column uint32 }

const markEvery = 4096

func (d *Doc) places() *places {
	p := &places{text: d.source, odd: d.odd, marks: make([]mark, 1, 1+len(d.source)/markEvery)}
	p.marks[0] = mark{1, 1}
	for from := 0; from+markEvery <= len(p.text); from += markEvery {
		p.marks = append(p.marks, p.marks[len(p.marks)-1].to(p.text, from, from+markEvery, p.odd))
	}
	return p
}

// of returns the line and the column of an offset, both from 1 on.
func (p *places) of(offset int) (line, column int) {
	if i := offset / markEvery; offset < p.at || offset-p.at > markEvery || p.at == 0 {
		p.last, p.at = p.marks[i], i*markEvery
	}
	p.last, p.at = p.last.to(p.text, p.at, offset, p.odd), offset
	return int(p.last.line), int(p.last.column)
}

// to returns the place of an offset from that of an earlier one. A character that
// the earlier one cuts in two has been counted, as has a CR before a line feed.
func (m mark) to(text []byte, from, offset int, odd bool) mark {
	part := text[from:offset]
	if !odd {
		if lines := bytes.Count(part, newline); lines > 0 {
			m.line, m.column = m.line+uint32(lines), 1
			part = part[bytes.LastIndexByte(part, '\n')+1:]
		}
		m.column += uint32(starts(part))
		return m
	}
	for i := from; i < offset; {
		if n := lineEnd(text, i); n > 0 && !(text[i] == '\n' && i > 0 && text[i-1] == '\r') {
			m.line, m.column = m.line+1, 1
			i += n
			continue
		}
		if utf8.RuneStart(text[i]) && text[i] != '\n' && !(i == 0 && bytes.HasPrefix(text, byteOrderMark)) {
			m.column++
		}
		i++
	}
	return m
}

// starts counts the characters that begin in text.
func starts(text []byte) (n int) {
	for _, c := range text {
		if c&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// lineEnd returns the length of the end of a line of YAML at an offset, or 0: a CR
// with or without a line feed, and the three of Unicode, end lines too.
func lineEnd(text []byte, i int) int {
	switch c := text[i]; {
	case c == '\n':
		return 1
	case c == '\r':
		if i+1 < len(text) && text[i+1] == '\n' {
			return 2
		}
		return 1
	case c == 0xc2 && i+1 < len(text) && text[i+1] == 0x85:
		return 2
	case c == 0xe2 && i+2 < len(text) && text[i+1] == 0x80 && text[i+2]&^1 == 0xa8:
		return 3
	}
	return 0
}

// isOdd reports whether a source in YAML has ends of lines that are no line feeds
// alone, or a mark before the first character.
func isOdd(text []byte) bool {
	return bytes.IndexByte(text, '\r') >= 0 || bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) ||
		bytes.Contains(text, []byte("\u2029")) || bytes.HasPrefix(text, byteOrderMark)
}

// offset returns where the value of a node begins in the source, or -1 if an edit
// has brought it.
func (d *Doc) offset(at uint32) int {
	x := &d.nodes[at]
	switch {
	case int(x.off) >= len(d.text):
		return -1
	case d.spots != nil:
		return int(d.spots[at].value)
	}
	return int(x.off)
}
