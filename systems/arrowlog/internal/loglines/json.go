package loglines

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// maxDepth is the depth to which nested objects become columns. A deeper one becomes
// its JSON text, as a list does.
const maxDepth = 32

// maxNesting is how deep lists and objects may contain each other.
const maxNesting = 10_000

// ErrOTLP is returned for an object with the key resourceLogs: it is a request of
// OTLP/JSON, not a row.
var ErrOTLP = errors.New("an OTLP/JSON request")

// AppendJSON appends the row of a JSON object. Nested objects become columns with dots
// in their names; a list becomes its JSON text. A value whose kind is not that of its
// column goes into another one, with "#" and the kind after the name; a value whose
// column has one in this row already, as when an object has a key twice, with "#" and
// a number. If it returns an error, no row was added.
func (r *Rows) AppendJSON(line []byte) error {
	r.begin()
	s := scanner{b: line, rows: r}
	s.space()
	if s.at == len(s.b) || s.b[s.at] != '{' {
		return errors.New("not a JSON object: each line must be one, such as {\"time\": 1}")
	}
	if err := s.object(&r.root, 1); err != nil {
		if err == ErrOTLP {
			return err
		}
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if s.space(); s.at < len(s.b) {
		return fmt.Errorf("byte %d: there is more after the JSON object", s.at)
	}
	return r.end()
}

// scanner reads JSON (RFC 8259) once, from the left.
type scanner struct {
	b    []byte
	at   int
	rows *Rows
}

func (s *scanner) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

func (s *scanner) fail(want string) error {
	if s.at >= len(s.b) {
		return fmt.Errorf("byte %d: it ends where %s is wanted", s.at, want)
	}
	r, _ := utf8.DecodeRune(s.b[s.at:])
	return fmt.Errorf("byte %d: want %s, got %q", s.at, want, r)
}

// object reads an object into the children of n.
func (s *scanner) object(n *node, depth int) error {
	s.at++ // the brace
	s.space()
	if s.at < len(s.b) && s.b[s.at] == '}' {
		s.at++
		return nil
	}
	for {
		s.space()
		if s.at >= len(s.b) || s.b[s.at] != '"' {
			return s.fail("a key in quotes")
		}
		key, err := s.str()
		if err != nil {
			return err
		}
		if depth == 1 && string(key) == "resourceLogs" {
			return ErrOTLP
		}
		s.space()
		if s.at >= len(s.b) || s.b[s.at] != ':' {
			return s.fail("a colon")
		}
		s.at++
		s.space()
		if err := s.value(s.rows.child(n, key), depth); err != nil {
			return err
		}
		s.space()
		switch {
		case s.at < len(s.b) && s.b[s.at] == ',':
			s.at++
		case s.at < len(s.b) && s.b[s.at] == '}':
			s.at++
			return nil
		default:
			return s.fail("a comma or a closing brace")
		}
	}
}

// value reads a value into the row.
func (s *scanner) value(n *node, depth int) error {
	if s.at >= len(s.b) {
		return s.fail("a value")
	}
	start := s.at
	switch c := s.b[s.at]; {
	case c == '"':
		b, err := s.str()
		if err != nil {
			return err
		}
		return s.rows.add(n, text(b), s.b[start:s.at])
	case c == '-' || c >= '0' && c <= '9':
		v, err := s.number(n)
		if err != nil {
			return err
		}
		return s.rows.add(n, v, s.b[start:s.at])
	case c == '{' && depth < maxDepth:
		return s.object(n, depth+1)
	case c == '{' || c == '[':
		from := len(s.rows.scratch)
		if err := s.compact(depth); err != nil {
			return err
		}
		b := s.rows.scratch[from:]
		return s.rows.add(n, text(b), b)
	}
	switch {
	case s.word("null"):
		return nil
	case s.word("true"):
		return s.rows.add(n, arrowlog.BoolValue(true), s.b[start:s.at])
	case s.word("false"):
		return s.rows.add(n, arrowlog.BoolValue(false), s.b[start:s.at])
	}
	return s.fail("a value")
}

func (s *scanner) word(w string) bool {
	if len(s.b)-s.at < len(w) || string(s.b[s.at:s.at+len(w)]) != w {
		return false
	}
	s.at += len(w)
	return true
}

// number reads a number. One that neither int64 nor float64 holds is its text.
func (s *scanner) number(n *node) (arrowlog.Value, error) {
	start := s.at
	if s.b[s.at] == '-' {
		s.at++
	}
	whole := s.at
	var value uint64
	for s.at < len(s.b) && s.b[s.at]-'0' <= 9 {
		value = 10*value + uint64(s.b[s.at]-'0')
		s.at++
	}
	count := s.at - whole
	if count == 0 || count > 1 && s.b[whole] == '0' {
		s.at = whole
		return arrowlog.Value{}, s.fail("a number without leading zeros")
	}
	integer := true
	if s.at < len(s.b) && s.b[s.at] == '.' {
		integer = false
		if err := s.digits(s.at + 1); err != nil {
			return arrowlog.Value{}, err
		}
	}
	if s.at < len(s.b) && s.b[s.at]|0x20 == 'e' {
		integer = false
		next := s.at + 1
		if next < len(s.b) && (s.b[next] == '+' || s.b[next] == '-') {
			next++
		}
		if err := s.digits(next); err != nil {
			return arrowlog.Value{}, err
		}
	}
	raw := s.b[start:s.at]
	if integer && count <= 18 {
		v := int64(value)
		if start != whole {
			v = -v
		}
		return arrowlog.Int64Value(v), nil
	}
	digits := unsafe.String(unsafe.SliceData(raw), len(raw))
	if integer {
		if v, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return arrowlog.Int64Value(v), nil
		}
		return text(raw), nil
	}
	if n.anyTime {
		if t, ok := epoch(digits); ok {
			return t, nil
		}
	}
	if f, err := strconv.ParseFloat(digits, 64); err == nil {
		return arrowlog.Float64Value(f), nil
	}
	return text(raw), nil
}

// digits passes over one digit at least.
func (s *scanner) digits(from int) error {
	s.at = from
	for s.at < len(s.b) && s.b[s.at]-'0' <= 9 {
		s.at++
	}
	if s.at == from {
		return s.fail("a digit")
	}
	return nil
}

// str reads a text in quotes: as it stands in the line if it has no escapes.
func (s *scanner) str() ([]byte, error) {
	s.at++ // the quote
	start := s.at
	for i := start; i < len(s.b); i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.at = i + 1
			return s.b[start:i:i], nil
		case c == '\\':
			return s.escaped(start, i)
		case c < ' ':
			s.at = i
			return nil, s.fail("no control characters in a text")
		}
	}
	s.at = len(s.b)
	return nil, s.fail("the end of a text")
}

// escaped reads a text whose first escape stands at i.
func (s *scanner) escaped(start, i int) ([]byte, error) {
	from := len(s.rows.scratch)
	out := append(s.rows.scratch, s.b[start:i]...)
	for i < len(s.b) {
		c := s.b[i]
		i++
		switch {
		case c == '"':
			s.at = i
			s.rows.scratch = out
			return out[from:len(out):len(out)], nil
		case c < ' ':
			s.at = i - 1
			return nil, s.fail("no control characters in a text")
		case c != '\\':
			out = append(out, c)
			continue
		}
		if i == len(s.b) {
			break
		}
		c = s.b[i]
		i++
		switch c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := hex4(s.b, i)
			if !ok {
				s.at = i
				return nil, s.fail("four hexadecimal digits")
			}
			i += 4
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), false
				if i+1 < len(s.b) && s.b[i] == '\\' && s.b[i+1] == 'u' {
					low, ok = hex4(s.b, i+2)
				}
				if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
					i += 6
				} else {
					r = utf8.RuneError
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			s.at = i - 1
			return nil, s.fail("an escape")
		}
	}
	s.at = len(s.b)
	return nil, s.fail("the end of a text")
}

func hex4(b []byte, at int) (r rune, ok bool) {
	if at+4 > len(b) {
		return 0, false
	}
	for _, c := range b[at : at+4] {
		r <<= 4
		switch {
		case c >= '0' && c <= '9':
			r |= rune(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r |= rune(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	return r, true
}

// compact appends a list or an object to scratch without the space between its
// tokens.
func (s *scanner) compact(depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("byte %d: lists and objects are nested deeper than %d", s.at, maxNesting)
	}
	open := s.b[s.at]
	end := open + 2 // ']' after '[', '}' after '{'
	s.put()
	s.space()
	for first := true; ; first = false {
		if s.at < len(s.b) && s.b[s.at] == end && first {
			s.put()
			return nil
		}
		if open == '{' {
			if s.at >= len(s.b) || s.b[s.at] != '"' {
				return s.fail("a key in quotes")
			}
			if err := s.raw(); err != nil {
				return err
			}
			s.space()
			if s.at >= len(s.b) || s.b[s.at] != ':' {
				return s.fail("a colon")
			}
			s.put()
			s.space()
		}
		if s.at >= len(s.b) {
			return s.fail("a value")
		}
		var err error
		if c := s.b[s.at]; c == '{' || c == '[' {
			err = s.compact(depth + 1)
		} else {
			err = s.raw()
		}
		if err != nil {
			return err
		}
		s.space()
		switch {
		case s.at < len(s.b) && s.b[s.at] == ',':
			s.put()
			s.space()
		case s.at < len(s.b) && s.b[s.at] == end:
			s.put()
			return nil
		default:
			return s.fail("a comma or the end of a list or object")
		}
	}
}

// put copies a byte to scratch.
func (s *scanner) put() {
	s.rows.scratch = append(s.rows.scratch, s.b[s.at])
	s.at++
}

// raw copies a text, a number or a word to scratch as it stands.
func (s *scanner) raw() error {
	start, from := s.at, len(s.rows.scratch)
	var err error
	switch c := s.b[s.at]; {
	case c == '"':
		_, err = s.str()
		s.rows.scratch = s.rows.scratch[:from]
	case c == '-' || c >= '0' && c <= '9':
		_, err = s.number(&node{})
	case s.word("null"), s.word("true"), s.word("false"):
	default:
		return s.fail("a value")
	}
	if err == nil {
		s.rows.scratch = append(s.rows.scratch, s.b[start:s.at]...)
	}
	return err
}
