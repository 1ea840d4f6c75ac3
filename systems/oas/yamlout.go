package oas

import (
	"strings"
	"unicode/utf8"
)

// AppendYAML appends the document in YAML 1.2, in blocks that are indented by two
// spaces. Reading it gives the same document; comments of a source in YAML are
// lost. A string is written without quotes only where no reader of YAML 1.1 or
// 1.2 can take it for anything else, and one of several lines as a literal.
func (d *Doc) AppendYAML(dst []byte) []byte { return d.Root().AppendYAML(dst) }

// AppendYAML appends n as [Doc.AppendYAML] does the document.
func (n Node) AppendYAML(dst []byte) []byte {
	if !n.Exists() {
		return dst
	}
	y := yamlWriter{d: n.doc}
	dst = y.value(dst, n.at, 0, true)
	return append(dst, '\n')
}

type yamlWriter struct {
	d     *Doc
	plain []byte // the content of a string with escapes
}

// value appends a value that stands after a key, after a dash or alone. What is
// no scalar and not empty begins on a line of its own, unless it is to begin
// here: after a dash, or at the very beginning. The value has no line feed after it.
func (y *yamlWriter) value(dst []byte, at uint32, level int, here bool) []byte {
	d := y.d
	x := &d.nodes[at]
	switch {
	case x.kind == String:
		text := y.content(x.off, x.len, x.flags&valueEscaped != 0)
		if isLiteral(text) {
			return appendLiteral(dst, text, max(level, 1))
		}
		return appendScalar(dst, text)
	case x.kind < Array:
		return append(dst, d.span(x.off, x.len)...)
	case x.first == 0:
		open, end := brackets(x.kind)
		return append(dst, open, end)
	}
	for i := x.first; i != 0; {
		child := &d.nodes[i]
		if !here {
			dst = appendLine(dst, level)
		}
		here = false
		if x.kind == Array {
			dst = append(dst, '-', ' ')
			dst = y.value(dst, i, level+1, true)
		} else {
			dst = appendScalar(dst, y.content(child.keyOff, child.keyLen, child.flags&keyEscaped != 0))
			dst = append(dst, ':')
			if child.kind < Array || child.first == 0 {
				dst = append(dst, ' ')
			}
			dst = y.value(dst, i, level+1, false)
		}
		i = child.next
	}
	return dst
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
func appendLine(dst []byte, level int) []byte {
	dst = append(dst, '\n')
	for range level {
		dst = append(dst, ' ', ' ')
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

func appendLiteral(dst, text []byte, level int) []byte {
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
			for range level {
				dst = append(dst, ' ', ' ')
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
