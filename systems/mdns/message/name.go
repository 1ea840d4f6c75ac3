package message

import (
	"errors"
	"fmt"
	"iter"
	"strings"
)

const (
	// MaxName is the largest length of a name in bytes, the zero byte at its
	// end included: 255 bytes of labels and the zero (RFC 6762, appendix C).
	MaxName = 256

	// MaxLabel is the largest length of a label in bytes.
	MaxLabel = 63
)

// Name is a domain name in wire form without compression: each label after a
// byte with its length, and a zero byte at the end. The empty Name is no name;
// the root is a zero byte. Names that are equal but for the case of the letters
// A to Z mean the same: compare them with [EqualFold], or use what [Name.Fold]
// returns as a map key.
type Name string

// Errors of names that cannot be.
var (
	errLabel = errors.New("a label of a name has 1 to 63 bytes")
	errName  = errors.New("a name has at most 255 bytes, each label counted with its length")
)

// NewName returns the name with these labels, which may hold any bytes. It
// returns an error if a label or the name is too long, or a label is empty.
func NewName(labels ...string) (Name, error) {
	var b strings.Builder
	for _, l := range labels {
		if l == "" || len(l) > MaxLabel {
			return "", fmt.Errorf("label %q of %d bytes: %w", l, len(l), errLabel)
		}
		b.WriteByte(byte(len(l)))
		b.WriteString(l)
	}
	b.WriteByte(0)
	if b.Len() > MaxName {
		return "", fmt.Errorf("name of %d bytes: %w", b.Len()-1, errName)
	}
	return Name(b.String()), nil
}

// ParseName returns the name that text writes with dots between labels. A dot
// at the end may be there or not. A backslash makes the next byte part of the
// label, a dot for example; three digits after it are the number of a byte (RFC
// 1035, section 5.1).
func ParseName(text string) (Name, error) {
	var labels []string
	var label []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '.':
			if len(label) == 0 && len(text) > 1 {
				return "", fmt.Errorf("name %q: empty label before byte %d", text, i)
			}
			if len(label) > 0 {
				labels = append(labels, string(label))
			}
			label = label[:0]
		case c == '\\':
			b, n := unescape(text[i+1:])
			if n == 0 {
				return "", fmt.Errorf("name %q: the backslash at byte %d must stand before a character or a number below 256", text, i)
			}
			label = append(label, b)
			i += n
		default:
			label = append(label, c)
		}
	}
	if len(label) > 0 {
		labels = append(labels, string(label))
	}
	n, err := NewName(labels...)
	if err != nil {
		return "", fmt.Errorf("name %q: %w", text, err)
	}
	return n, nil
}

// unescape returns the byte that a backslash before s means, and how many bytes
// of s it takes; 0 if it means none.
func unescape(s string) (b byte, n int) {
	switch {
	case s == "":
		return 0, 0
	case s[0] < '0' || s[0] > '9':
		return s[0], 1
	case len(s) < 3:
		return 0, 0
	}
	number := 0
	for _, c := range []byte(s[:3]) {
		if c < '0' || c > '9' {
			return 0, 0
		}
		number = 10*number + int(c-'0')
	}
	if number > 255 {
		return 0, 0
	}
	return byte(number), 3
}

// String returns the name as [ParseName] reads it, with a dot at the end. Bytes
// that are no graphic characters of ASCII, and belong to no UTF-8 sequence, are
// written as numbers.
func (n Name) String() string {
	if n == "" {
		return "(no name)"
	}
	var b strings.Builder
	for l := range n.Labels() {
		for i := range len(l) {
			switch c := l[i]; {
			case c == '.' || c == '\\':
				b.WriteByte('\\')
				b.WriteByte(c)
			case c < ' ' || c == 0x7f:
				fmt.Fprintf(&b, "\\%03d", c)
			default:
				b.WriteByte(c)
			}
		}
		b.WriteByte('.')
	}
	if b.Len() == 0 {
		return "."
	}
	return b.String()
}

// Labels returns the labels of the name, the first one first.
func (n Name) Labels() iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(n) > 1 && int(n[0]) < len(n) {
			end := 1 + int(n[0])
			l := string(n[1:end])
			n = n[end:]
			if !yield(l) {
				return
			}
		}
	}
}

// First returns the first label, and "" of the root.
func (n Name) First() string {
	for l := range n.Labels() {
		return l
	}
	return ""
}

// Parent returns the name without its first label. The root has no parent: it
// returns "".
func (n Name) Parent() Name {
	if len(n) < 2 || 1+int(n[0]) > len(n) {
		return ""
	}
	return n[1+int(n[0]):]
}

// Valid reports whether n is a name in wire form.
func (n Name) Valid() bool {
	if len(n) > MaxName {
		return false
	}
	for i := 0; i < len(n); i += 1 + int(n[i]) {
		switch {
		case n[i] == 0:
			return i == len(n)-1
		case n[i] > MaxLabel:
			return false
		}
	}
	return false
}

// Fold returns the name with the letters A to Z in lower case and all else as
// it is (RFC 6762, section 16). The lengths of labels are below 64 and no
// letters. It allocates only if there is a letter to change.
func (n Name) Fold() Name {
	for i := range len(n) {
		if 'A' <= n[i] && n[i] <= 'Z' {
			b := []byte(n)
			FoldBytes(b[i:])
			return Name(b)
		}
	}
	return n
}

// FoldBytes changes the letters A to Z in b, a name in wire form, to lower
// case.
func FoldBytes(b []byte) {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
}

// EqualFold reports whether a and b are the same name. Case matters for no
// letter of A to Z, and for all others.
func EqualFold[A, B ~string | ~[]byte](a A, b B) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x|0x20 != y|0x20 || x|0x20 < 'a' || x|0x20 > 'z' {
			return false
		}
	}
	return true
}
