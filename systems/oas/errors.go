package oas

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/poolproof/poolproof/systems/oas/internal/short"
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
		text += " (in " + short.Pointer(e.Pointer) + ")"
	}
	return text
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
