package oas

import (
	"unicode/utf16"
	"unicode/utf8"
)

// appendUnescaped appends the content of a JSON string, given with its quotes,
// whose escapes are known to be right.
func appendUnescaped(dst, text []byte) []byte {
	text = text[1 : len(text)-1]
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' {
			dst = append(dst, c)
			continue
		}
		i++
		switch c = text[i]; c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r := hex4(text[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				r = utf16.DecodeRune(r, hex4(text[i+3:]))
				i += 6
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// unescapedIs reports whether the content of a JSON string with escapes is s.
func unescapedIs(text []byte, s string) bool {
	var short [64]byte
	return len(text)-2 > len(s) && string(appendUnescaped(short[:0], text)) == s
}

// hex4 returns the number that four hexadecimal digits are, or -1.
func hex4(text []byte) rune {
	if len(text) < 4 {
		return -1
	}
	var r rune
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends s as a JSON string. It escapes only what RFC 8259 says
// must be, and writes U+FFFD for bytes that are not UTF-8.
func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := decodeRune(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[from:i]...), "\uFFFD"...)
				from = i + 1
			}
			i += n
			continue
		}
		i++
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(append(dst, s[from:i-1]...), '\\')
		switch c {
		case '"', '\\':
			dst = append(dst, c)
		case '\n':
			dst = append(dst, 'n')
		case '\r':
			dst = append(dst, 'r')
		case '\t':
			dst = append(dst, 't')
		default:
			dst = append(dst, 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

func decodeRune[T string | []byte](s T) (rune, int) {
	var first [utf8.UTFMax]byte
	return utf8.DecodeRune(first[:copy(first[:], s)])
}
