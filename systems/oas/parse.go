package oas

import (
	"strconv"
	"unicode/utf8"
)

// parser reads JSON into nodes. What it keeps from one source to the next is
// scratch memory only.
type parser struct {
	text  []byte
	base  uint32 // offset of text in the document
	nodes []node
	depth int

	err  *SyntaxError
	path []step // from the place of the error up to the root

	table        []slot // see duplicate
	round        uint32
	plain, other []byte
}

// step is a child on the way to an error: a member, or the element of an array
// that has this index.
type step struct {
	child uint32
	index int
}

// parse appends the nodes of text. Offsets in them begin with base.
func (p *parser) parse(text []byte, base uint32) error {
	p.text, p.base, p.depth = text, base, 0
	switch {
	case len(text) >= 3 && string(text[:3]) == string(byteOrderMark):
		p.fail(0, "the source begins with a byte order mark; JSON has none (RFC 8259, section 8.1): remove its three bytes")
	default:
		root := uint32(len(p.nodes))
		p.nodes = append(p.nodes, node{})
		i := p.space(0)
		if i == len(text) {
			p.fail(i, "the source is empty")
		} else if i = p.value(i, root); i >= 0 {
			if i = p.space(i); i < len(text) {
				p.fail(i, "the document has ended, and "+p.seen(i)+" stands after it")
			}
		}
	}
	if p.err == nil {
		return nil
	}
	p.err.Line, p.err.Col = position(text, p.err.Offset)
	p.err.Pointer = p.pointer()
	return p.err
}

func invalidUTF8(text []byte) int {
	i := 0
	for i < len(text) {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}

const notUTF8 = "this byte is not UTF-8"

// fail notes an error and returns -1. A byte that is not UTF-8 is what is wrong
// where it stands, whatever should be there.
func (p *parser) fail(offset int, message string) int {
	if offset < len(p.text) {
		if r, n := utf8.DecodeRune(p.text[offset:]); r == utf8.RuneError && n == 1 {
			message = notUTF8
		}
	}
	p.err = &SyntaxError{Offset: offset, Msg: message}
	return -1
}

// seen names what stands at i in an error message.
func (p *parser) seen(i int) string {
	if i >= len(p.text) {
		return "the end of the source"
	}
	r, _ := utf8.DecodeRune(p.text[i:])
	return strconv.QuoteRune(r)
}

// pointer returns the JSON pointer to the place of the error.
func (p *parser) pointer() string {
	var b []byte
	for i := len(p.path) - 1; i >= 0; i-- {
		s := p.path[i]
		if x := &p.nodes[s.child]; x.keyLen > 0 {
			key := p.text[x.keyOff-p.base:][:x.keyLen]
			if x.flags&keyEscaped != 0 {
				b = appendToken(b, appendUnescaped(nil, key))
			} else {
				b = appendToken(b, key[1:len(key)-1])
			}
		} else {
			b = strconv.AppendInt(append(b, '/'), int64(s.index), 10)
		}
	}
	return string(b)
}

// value reads the value at i into the node self and returns where it ends, or
// -1 if it is wrong. All of these methods do so.
func (p *parser) value(i int, self uint32) int {
	if i >= len(p.text) {
		return p.fail(i, "the source ends where a value should be")
	}
	var end int
	var escaped bool
	kind := Number
	switch c := p.text[i]; c {
	case '"':
		if end, escaped = p.str(i); escaped {
			p.nodes[self].flags |= valueEscaped
		}
		kind = String
	case '{':
		return p.object(i, self)
	case '[':
		return p.array(i, self)
	case 't':
		kind, end = Bool, p.word(i, "true")
	case 'f':
		kind, end = Bool, p.word(i, "false")
	case 'n':
		kind, end = Null, p.word(i, "null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		end = p.number(i)
	default:
		return p.fail(i, p.seen(i)+" stands where a value should be")
	}
	if end < 0 {
		return -1
	}
	x := &p.nodes[self]
	x.off, x.len, x.kind = p.base+uint32(i), uint32(end-i), kind
	return end
}

func (p *parser) word(i int, word string) int {
	if len(p.text)-i < len(word) || string(p.text[i:i+len(word)]) != word {
		return p.fail(i, p.seen(i)+" stands where a value should be; did you mean "+word+"?")
	}
	return i + len(word)
}

func (p *parser) object(i int, self uint32) int {
	start := i
	if p.depth++; p.depth > MaxDepth {
		return p.fail(i, "this is nested deeper than "+strconv.Itoa(MaxDepth)+" levels")
	}
	var last, count uint32
	var escapes uint8
	var seen, clash uint64 // bits of the keys
	size := uint32(2)
	i = p.space(i + 1)
	if i < len(p.text) && p.text[i] == '}' {
		return p.container(self, Object, start, i+1, size, count)
	}
	for {
		if i >= len(p.text) || p.text[i] != '"' {
			return p.fail(i, p.seen(i)+" stands where a key in double quotes should be")
		}
		end, escaped := p.str(i)
		if end < 0 {
			return -1
		}
		key := node{keyOff: p.base + uint32(i), keyLen: uint32(end - i)}
		if escaped {
			key.flags = keyEscaped
		}
		escapes |= key.flags
		bit := bitOf(p.text[i:end])
		clash |= seen & bit
		seen |= bit
		if i = p.space(end); i >= len(p.text) || p.text[i] != ':' {
			return p.fail(i, p.seen(i)+" stands where a colon should be")
		}
		if i++; i < len(p.text) && p.text[i] == ' ' {
			i++
		}
		child := uint32(len(p.nodes))
		p.nodes = append(p.nodes, key)
		if last == 0 {
			p.nodes[self].first = child
		} else {
			p.nodes[last].next = child
		}
		last = child
		count++
		if i = p.value(p.space(i), child); i < 0 {
			p.path = append(p.path, step{child: child})
			return -1
		}
		size += key.keyLen + 1 + p.nodes[child].len
		i = p.space(i)
		if i < len(p.text) && p.text[i] == ',' {
			size++
			i = p.space(i + 1)
			continue
		}
		break
	}
	if i >= len(p.text) || p.text[i] != '}' {
		return p.fail(i, p.seen(i)+" stands where a comma or } should be")
	}
	if clash != 0 || escapes != 0 {
		if second := p.duplicate(p.nodes[self].first, count, escapes != 0); second != 0 {
			x := &p.nodes[second]
			at := int(x.keyOff - p.base)
			return p.fail(at, "this object has the key "+string(p.text[at:][:x.keyLen])+" twice")
		}
	}
	return p.container(self, Object, start, i+1, size, count)
}

func (p *parser) array(i int, self uint32) int {
	start := i
	if p.depth++; p.depth > MaxDepth {
		return p.fail(i, "this is nested deeper than "+strconv.Itoa(MaxDepth)+" levels")
	}
	var last, count uint32
	size := uint32(2)
	i = p.space(i + 1)
	if i < len(p.text) && p.text[i] == ']' {
		return p.container(self, Array, start, i+1, size, count)
	}
	for {
		child := uint32(len(p.nodes))
		p.nodes = append(p.nodes, node{})
		if last == 0 {
			p.nodes[self].first = child
		} else {
			p.nodes[last].next = child
		}
		last = child
		count++
		if i = p.value(i, child); i < 0 {
			p.path = append(p.path, step{child, int(count) - 1})
			return -1
		}
		size += p.nodes[child].len
		i = p.space(i)
		if i < len(p.text) && p.text[i] == ',' {
			size++
			i = p.space(i + 1)
			continue
		}
		break
	}
	if i >= len(p.text) || p.text[i] != ']' {
		return p.fail(i, p.seen(i)+" stands where a comma or ] should be")
	}
	return p.container(self, Array, start, i+1, size, count)
}

// container ends an array or object. Its compact form takes size bytes: two
// brackets, the commas, and each child with its key and colon.
func (p *parser) container(self uint32, kind Kind, start, end int, size, count uint32) int {
	p.depth--
	x := &p.nodes[self]
	x.kind, x.off, x.len, x.count = kind, p.base+uint32(start), size, count
	if int(size) == end-start {
		x.flags |= isCompact
	}
	return end
}
