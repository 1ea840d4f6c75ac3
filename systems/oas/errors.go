package oas

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError says what is wrong with a source, and where.
type SyntaxError struct {
	Line, Col int    // counted from 1; Col in characters
	Offset    int    // in bytes
	Pointer   string // JSON pointer of the value in which it is
	Msg       string
}

// Error returns line, column, message and pointer, as in
// "3:15: a comma or } is missing (in /info)".
func (e *SyntaxError) Error() string {
	text := fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg)
	if e.Pointer != "" {
		text += " (in " + shortened(e.Pointer) + ")"
	}
	return text
}

// shortened leaves out the middle of a long pointer.
func shortened(pointer string) string {
	const first, last = 60, 60
	if len(pointer) <= first+last {
		return pointer
	}
	head, tail := pointer[:first], pointer[len(pointer)-last:]
	return head[:strings.LastIndexByte(head, '/')+1] + "…" + tail[max(strings.IndexByte(tail, '/'), 0):]
}

// position returns the line and the character at an offset.
func position(text []byte, offset int) (line, column int) {
	offset = min(offset, len(text))
	before := text[:offset]
	line = 1 + bytes.Count(before, newline)
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	return line, 1 + utf8.RuneCount(before)
}

var (
	newline       = []byte("\n")
	byteOrderMark = []byte("\xef\xbb\xbf")
)
