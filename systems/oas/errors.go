package oas

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError says where a source is not what it has to be.
type SyntaxError struct {
	Line, Col int    // counted from 1; Col in characters
	Offset    int    // in bytes
	Pointer   string // JSON pointer of the value in which it is
	Msg       string
}

// Error returns line, column, message and pointer, as in
// "3:15: a comma or } is missing (in /info)".
func (e *SyntaxError) Error() string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(e.Line))
	b.WriteByte(':')
	b.WriteString(strconv.Itoa(e.Col))
	b.WriteString(": ")
	b.WriteString(e.Msg)
	if e.Pointer != "" {
		b.WriteString(" (in ")
		b.WriteString(e.Pointer)
		b.WriteByte(')')
	}
	return b.String()
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
