package oas

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// AppendYAML appends the document in YAML 1.2, in blocks that are indented by two
// spaces. Reading it gives the same document. The layout and the comments of a source
// in YAML are lost; [Doc.AppendSource] keeps them. A string is written without quotes
// only where no reader of YAML 1.1 or 1.2 can take it for anything else, and one of
// several lines as a literal.
func (d *Doc) AppendYAML(dst []byte) []byte { return d.Root().AppendYAML(dst) }

// AppendYAML appends n as [Doc.AppendYAML] does the document.
func (n Node) AppendYAML(dst []byte) []byte {
	if !n.Exists() {
		return dst
	}
	y := yamlWriter{d: n.doc, unit: 2}
	dst = y.value(dst, n.at, 0, true)
	return append(dst, '\n')
}

type yamlWriter struct {
	d       *Doc
	unit    int    // spaces of a level
	flat    bool   // an array stands no deeper than its key
	oneLine bool   // write no literals
	plain   []byte // the content of a string with escapes
}

// value appends a value that stands after a key, after a dash or alone, in the
// column. What is no scalar and not empty begins on a line of its own, unless it is
// to begin here: after a dash, or at the very beginning. The value has no line feed
// after it.
func (y *yamlWriter) value(dst []byte, at uint32, column int, here bool) []byte {
	d := y.d
	x := &d.nodes[at]
	switch {
	case x.kind == String:
		text := y.content(x.off, x.len, x.flags&valueEscaped != 0)
		if isLiteral(text) && !y.oneLine {
			return appendLiteral(dst, text, max(column, y.unit))
		}
		return appendScalar(dst, text)
	case x.kind == Number:
		return appendNumber(dst, d.span(x.off, x.len))
	case x.kind < Array:
		return append(dst, d.span(x.off, x.len)...)
	case x.first == 0:
		open, end := brackets(x.kind)
		return append(dst, open, end)
	}
	for i := x.first; i != 0; {
		if !here {
			dst = appendLine(dst, column)
		}
		here = false
		dst = y.entry(dst, x.kind, i, column)
		i = d.nodes[i].next
	}
	return dst
}

// entry appends a member or an element, which begins in the column.
func (y *yamlWriter) entry(dst []byte, in Kind, i uint32, column int) []byte {
	x := &y.d.nodes[i]
	if in == Array {
		return y.value(append(dst, '-', ' '), i, column+2, true)
	}
	dst = appendScalar(dst, y.content(x.keyOff, x.keyLen, x.flags&keyEscaped != 0))
	dst = append(dst, ':')
	if x.kind < Array || x.first == 0 {
		dst = append(dst, ' ')
	}
	if x.kind != Array || !y.flat {
		column += y.unit
	}
	return y.value(dst, i, column, false)
}

// appendNumber appends a number. A reader of YAML 1.1 takes one with an exponent for a
// string, unless it has a point and a sign or its tag says what it is.
func appendNumber(dst, text []byte) []byte {
	if i := bytes.IndexAny(text, "eE"); i >= 0 && (bytes.IndexByte(text, '.') < 0 || text[i+1] != '+' && text[i+1] != '-') {
		dst = append(dst, "!!float "...)
	}
	return append(dst, text...)
}

// appendFlow appends a value as it stands between brackets, on one line.
func (y *yamlWriter) appendFlow(dst []byte, at uint32) []byte {
	d := y.d
	x := &d.nodes[at]
	switch {
	case x.kind == String:
		return appendFlowScalar(dst, y.content(x.off, x.len, x.flags&valueEscaped != 0))
	case x.kind == Number:
		return appendNumber(dst, d.span(x.off, x.len))
	case x.kind < Array:
		return append(dst, d.span(x.off, x.len)...)
	}
	open, end := brackets(x.kind)
	dst = append(dst, open)
	for i := x.first; i != 0; i = d.nodes[i].next {
		if i != x.first {
			dst = append(dst, ',', ' ')
		}
		dst = y.flowEntry(dst, i)
	}
	return append(dst, end)
}

func (y *yamlWriter) flowEntry(dst []byte, i uint32) []byte {
	if x := &y.d.nodes[i]; x.keyLen > 0 {
		dst = appendFlowScalar(dst, y.content(x.keyOff, x.keyLen, x.flags&keyEscaped != 0))
		dst = append(dst, ':', ' ')
	}
	return y.appendFlow(dst, i)
}

func appendFlowScalar(dst, text []byte) []byte {
	if bytes.ContainsAny(text, ",[]{}:?") {
		return appendDoubleQuoted(dst, text)
	}
	return appendScalar(dst, text)
}

func (y *yamlWriter) content(off, n uint32, escaped bool) []byte {
	text := y.d.span(off, n)
	if escaped {
		y.plain = appendUnescaped(y.plain[:0], text)
		return y.plain
	}
	return text[1 : len(text)-1]
}

// appendLine begins a line.
func appendLine(dst []byte, column int) []byte {
	dst = append(dst, '\n')
	for range column {
		dst = append(dst, ' ')
	}
	return dst
}

// isLiteral reports whether a text can be a literal block as it is: it has
// several lines, the first of which says what the indent is, and no character
// that YAML wants escaped or that would end a line elsewhere.
func isLiteral(text []byte) bool {
	s := string(text)
	if strings.IndexByte(s, '\n') < 0 || s[0] == ' ' || s[0] == '\n' || s[0] == '\t' {
		return false
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !isPrintable(r) {
			return false
		}
	}
	return true
}

func appendLiteral(dst, text []byte, column int) []byte {
	dst = append(dst, '|')
	lines := strings.TrimRight(string(text), "\n")
	switch len(text) - len(lines) {
	case 0:
		dst = append(dst, '-')
	case 1:
	default:
		dst = append(dst, '+')
	}
	for line := range strings.SplitSeq(lines, "\n") {
		dst = append(dst, '\n')
		if line != "" {
			for range column {
				dst = append(dst, ' ')
			}
			dst = append(dst, line...)
		}
	}
	for range len(text) - len(lines) - 1 { // the last line feed is that of the value
		dst = append(dst, '\n')
	}
	return dst
}

func isPrintable(r rune) bool {
	switch {
	case r == 0x2028, r == 0x2029, r == 0xfeff, r == utf8.RuneError:
		return false
	case 0xd800 <= r && r < 0xe000, r&0xfffe == 0xfffe:
		return false
	}
	return ' ' <= r && r < 0x7f || r >= 0xa0
}

// appendScalar appends a string, in double quotes unless it can do without.
func appendScalar(dst, text []byte) []byte {
	if isPlain(text) {
		return append(dst, text...)
	}
	return appendDoubleQuoted(dst, text)
}

func appendDoubleQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, r := range string(text) {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case isPrintable(r):
			dst = utf8.AppendRune(dst, r)
		case r > 0xffff:
			dst = append(dst, '\\', 'U')
			for shift := 28; shift >= 0; shift -= 4 {
				dst = append(dst, hexDigits[r>>shift&15])
			}
		default:
			dst = append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		}
	}
	return append(dst, '"')
}

// isPlain reports whether a string needs no quotes. It begins with a letter, _,
// / or $, holds nothing that may have a meaning, and is none of the words that one
// or the other reader takes for null or a boolean.
func isPlain(text []byte) bool {
	if len(text) == 0 || len(text) > 1024 {
		return false
	}
	switch c := text[0]; {
	case 'a' <= c|0x20 && c|0x20 <= 'z', c == '_', c == '/', c == '$':
	default:
		return false
	}
	for i, c := range text {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9':
		case c == '-', c == '{', c == '}', strings.IndexByte(plainMarks, c) >= 0:
		case c == ' ' || c == ':' || c == '#':
			// A space only between two words, a colon only inside of one.
			if i+1 == len(text) || !wordByte(text[i+1]) || !wordByte(text[i-1]) || c == '#' {
				return false
			}
		default:
			return false
		}
	}
	switch strings.ToLower(string(text)) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return false
	}
	return true
}

func wordByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte(plainMarks, c) >= 0
}

// plainMarks have no meaning inside of a plain scalar of a block.
const plainMarks = "_/.,;()$+^<>=?~"
