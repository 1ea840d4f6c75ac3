package oas

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// space returns the first offset from i on that holds no white space.
func (p *parser) space(i int) int {
	if i < len(p.text) && p.text[i] > ' ' {
		return i
	}
	return p.spaces(i)
}

func (p *parser) spaces(i int) int {
	text := p.text
	for i < len(text) {
		switch text[i] {
		case '\n':
			i++
			// An indent: eight spaces at a time, then the rest of them.
			for i+8 <= len(text) {
				other := binary.LittleEndian.Uint64(text[i:]) ^ ' '*ones
				if other != 0 {
					i += bits.TrailingZeros64(other) >> 3
					break
				}
				i += 8
			}
		case ' ', '\t', '\r':
			i++
		default:
			return i
		}
	}
	return i
}

// special returns a word that is 0 if none of the eight bytes of w is a quote, a
// backslash or a control character. Else its lowest bit that is set is the high
// bit of the first of these; the bits above that one mean nothing.
func special(w uint64) uint64 {
	quote, slash := w^'"'*ones, w^'\\'*ones
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w) & highs
}

// str returns where the string that begins at i ends, and whether it has
// escapes; -1 if it is wrong.
func (p *parser) str(i int) (end int, escaped bool) {
	at := i + 1
	if at+16 > len(p.text) {
		return p.long(i)
	}
	// Most keys and many values are no longer than 16 bytes: for these there is
	// no branch that depends on the length.
	two := p.text[at : at+16]
	a, b := binary.LittleEndian.Uint64(two), binary.LittleEndian.Uint64(two[8:])
	first, second := special(a), special(b)
	n := bits.TrailingZeros64(second) + 64
	if first != 0 {
		n = bits.TrailingZeros64(first)
	}
	n >>= 3
	if n == 16 || two[n] != '"' || (a|b)&highs != 0 {
		return p.long(i)
	}
	return at + n + 1, false
}

// long is str for a string of any length.
func (p *parser) long(i int) (end int, escaped bool) {
	text := p.text
	start := i
	i++
	seen := uint64(0) // all bits of the words
	for {
		for i+8 <= len(text) {
			w := binary.LittleEndian.Uint64(text[i:])
			seen |= w
			if found := special(w); found != 0 {
				i += bits.TrailingZeros64(found) >> 3
				break
			}
			i += 8
		}
		if i >= len(text) {
			return p.fail(start, "this string has no end"), false
		}
		switch c := text[i]; {
		case c == '"':
			if seen&highs != 0 && !utf8.Valid(text[start:i]) {
				return p.fail(start+invalidUTF8(text[start:i]), notUTF8), false
			}
			return i + 1, escaped
		case c == '\\':
			escaped = true
			if i = p.escape(i); i < 0 {
				return -1, false
			}
		case c < ' ':
			return p.fail(i, "a control character in a string must be written as \\u00"+string(hexDigits[c>>4])+string(hexDigits[c&15])), false
		default:
			seen |= uint64(c)
			i++
		}
	}
}

// escape returns where the escape at i ends, or -1 if it is wrong.
func (p *parser) escape(i int) int {
	if i+1 >= len(p.text) {
		return p.fail(i, "the source ends in an escape")
	}
	switch p.text[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		switch r := hex4(p.text[i+2:]); {
		case r < 0:
			return p.fail(i, "\\u needs four hexadecimal digits")
		case r&^0x3ff == 0xd800:
			low := i + 6
			if low+1 < len(p.text) && p.text[low] == '\\' && p.text[low+1] == 'u' && hex4(p.text[low+2:])&^0x3ff == 0xdc00 {
				return low + 6
			}
			return p.fail(i, "a high surrogate needs a low one after it")
		case r&^0x3ff == 0xdc00:
			return p.fail(i, "a low surrogate needs a high one before it")
		}
		return i + 6
	}
	return p.fail(i, "no escape begins so; write \\\\ for a backslash")
}

// number returns where the number that begins at i ends, or -1 if it is wrong.
func (p *parser) number(i int) int {
	text := p.text
	at := func(i int) byte {
		if i < len(text) {
			return text[i]
		}
		return 0
	}
	digits := func(i int) int {
		for i < len(text) && text[i]-'0' <= 9 {
			i++
		}
		return i
	}
	start := i
	if at(i) == '-' {
		i++
	}
	switch c := at(i); {
	case c == '0':
		if i++; at(i)-'0' <= 9 {
			return p.fail(start, "a number must not begin with 0")
		}
	case c-'1' <= 8:
		i = digits(i + 1)
	default:
		return p.fail(start, "digits are missing after -")
	}
	if at(i) == '.' {
		end := digits(i + 1)
		if end == i+1 {
			return p.fail(start, "digits are missing after the point")
		}
		i = end
	}
	if at(i)|0x20 == 'e' {
		i++
		if c := at(i); c == '+' || c == '-' {
			i++
		}
		end := digits(i)
		if end == i {
			return p.fail(start, "digits are missing in the exponent")
		}
		i = end
	}
	return i
}
