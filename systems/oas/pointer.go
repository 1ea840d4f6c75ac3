package oas

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// ErrExternal is returned by [Doc.Resolve], wrapped, for a reference to another
// document. This package reads no other documents.
var ErrExternal = errors.New("the reference is to another document")

// At returns the value that a JSON pointer (RFC 6901) points to: /paths/~1pets
// for example, and the root for an empty one. A pointer that begins with # is
// the fragment of a URI, whose percent-encoding is decoded first. The error says
// which part of the pointer leads nowhere.
func (d *Doc) At(pointer string) (Node, error) {
	n, err := d.at(pointer)
	if err != nil {
		return Node{}, fmt.Errorf("oas: pointer %q: %w", pointer, err)
	}
	return n, nil
}

func (d *Doc) at(pointer string) (Node, error) {
	n := d.Root()
	if !n.Exists() {
		return Node{}, errors.New("the document is empty")
	}
	tokens := pointer
	if rest, ok := strings.CutPrefix(pointer, "#"); ok {
		var err error
		if tokens, err = url.PathUnescape(rest); err != nil {
			return Node{}, err
		}
	}
	if tokens == "" {
		return n, nil
	}
	if tokens[0] != '/' {
		return Node{}, errors.New("after # or at its beginning there must be a /")
	}
	for i := 0; i < len(tokens); {
		end := strings.IndexByte(tokens[i+1:], '/')
		if end < 0 {
			end = len(tokens)
		} else {
			end += i + 1
		}
		next, err := n.child(tokens[i+1 : end])
		if err != nil {
			return Node{}, fmt.Errorf("%s %w", whole(tokens[:i]), err)
		}
		n, i = next, end
	}
	return n, nil
}

func whole(pointer string) string {
	if pointer == "" {
		return "the document"
	}
	return pointer
}

// child returns the child that a token of a pointer names.
func (n Node) child(token string) (Node, error) {
	for i := range len(token) {
		if token[i] == '~' && (i+1 == len(token) || token[i+1] != '0' && token[i+1] != '1') {
			return Node{}, errors.New("is followed by a ~ without 0 or 1 after it")
		}
	}
	switch n.Kind() {
	case Object:
		if strings.IndexByte(token, '~') >= 0 {
			token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		}
		if c := n.Get(token); c.Exists() {
			return c, nil
		}
		return Node{}, fmt.Errorf("has no member %q", token)
	case Array:
		i, err := strconv.ParseUint(token, 10, 31)
		if err != nil || token[0] == '+' || len(token) > 1 && token[0] == '0' {
			return Node{}, fmt.Errorf("is an array, and %q is not an index", token)
		}
		if c := n.Index(int(i)); c.Exists() {
			return c, nil
		}
		return Node{}, fmt.Errorf("has no element %d, only %d", i, n.Len())
	}
	return Node{}, fmt.Errorf("is a %s, which has no %q", n.Kind(), token)
}

// appendToken appends a key, given without escapes of JSON, to a pointer.
func appendToken[T string | []byte](dst []byte, key T) []byte {
	dst = append(dst, '/')
	from := 0
	for i := range len(key) {
		if c := key[i]; c == '~' || c == '/' {
			dst = append(append(dst, key[from:i]...), '~', '0')
			if c == '/' {
				dst[len(dst)-1] = '1'
			}
			from = i + 1
		}
	}
	return append(dst, key[from:]...)
}

// Pointer returns the JSON pointer of n, for which [Doc.At] returns n. It is
// empty for the root, and for a node that was deleted. It searches for n; in a
// walk, [Cursor.Pointer] is at hand.
func (n Node) Pointer() string {
	if !n.Exists() {
		return ""
	}
	way := n.doc.way(n.at)
	var b []byte
	for i := 1; i < len(way); i++ {
		b = n.doc.appendStep(b, way[i-1], way[i])
	}
	return string(b)
}

// appendStep appends the token that leads from a parent to its child.
func (d *Doc) appendStep(dst []byte, parent, child uint32) []byte {
	if x := &d.nodes[child]; x.keyLen > 0 {
		return d.appendKey(dst, x)
	}
	index := int64(0)
	for i := d.nodes[parent].first; i != child; i = d.nodes[i].next {
		index++
	}
	return strconv.AppendInt(append(dst, '/'), index, 10)
}

// appendKey appends the token of a member's key.
func (d *Doc) appendKey(dst []byte, x *node) []byte {
	key := d.span(x.keyOff, x.keyLen)
	switch {
	case x.flags&keyEscaped != 0:
		return appendToken(dst, appendUnescaped(nil, key))
	case needsEscape(key):
		return appendToken(dst, key[1:len(key)-1])
	}
	// The first quote becomes the slash, the last one stays away.
	at := len(dst)
	dst = append(dst, key[:len(key)-1]...)
	dst[at] = '/'
	return dst
}

// needsEscape reports whether a key, given with its quotes, has a byte that a
// pointer must not have. The words that it looks at overlap.
func needsEscape(key []byte) bool {
	n := len(key)
	switch {
	case n >= 8:
		found := escaped(binary.LittleEndian.Uint64(key[n-8:]))
		for ; n > 16; n -= 8 {
			found |= escaped(binary.LittleEndian.Uint64(key[n-16:]))
		}
		return found|escaped(binary.LittleEndian.Uint64(key)) != 0
	case n >= 4:
		first, last := binary.LittleEndian.Uint32(key), binary.LittleEndian.Uint32(key[n-4:])
		return escaped(uint64(first)|uint64(last)<<32) != 0
	}
	return n == 3 && (key[1] == '/' || key[1] == '~')
}

// escaped returns a word that is 0 if none of the eight bytes of w is one that is
// escaped in a pointer.
func escaped(w uint64) uint64 {
	slash, tilde := w^'/'*ones, w^'~'*ones
	return ((slash-ones)&^slash | (tilde-ones)&^tilde) & highs
}

// Parent returns the object or array that n is in. It searches for n.
func (n Node) Parent() Node {
	if !n.Exists() {
		return Node{}
	}
	way := n.doc.way(n.at)
	if len(way) < 2 {
		return Node{}
	}
	return n.with(way[len(way)-2])
}

// Ref returns the reference that n is: the string $ref of an object.
func (n Node) Ref() (ref string, ok bool) {
	r := n.Get("$ref")
	return r.Str(), r.Kind() == String
}

// Resolve returns n itself, or what n refers to, through any number of
// references inside of the document. A reference is a JSON pointer as
// #/components/schemas/Pet, or a name that a member $anchor has. It is an error
// if a reference leads nowhere, to another document ([ErrExternal]), or in a
// circle.
func (d *Doc) Resolve(n Node) (Node, error) {
	var short [16]uint32
	seen := short[:0]
	for {
		ref, ok := n.Ref()
		if !ok {
			return n, nil
		}
		if slices.Contains(seen, n.at) {
			return Node{}, fmt.Errorf("oas: $ref %q leads back to itself", ref)
		}
		seen = append(seen, n.at)
		next, err := d.target(ref)
		if err != nil {
			return Node{}, err
		}
		n = next
	}
}

// target returns what a reference refers to.
func (d *Doc) target(ref string) (Node, error) {
	fragment, ok := strings.CutPrefix(ref, "#")
	switch {
	case !ok:
		return Node{}, fmt.Errorf("oas: $ref %q: %w", ref, ErrExternal)
	case fragment == "" || fragment[0] == '/':
		n, err := d.at(ref)
		if err != nil {
			return Node{}, fmt.Errorf("oas: $ref %q leads nowhere: %w", ref, err)
		}
		return n, nil
	}
	for i := range d.nodes {
		x := &d.nodes[i]
		if x.kind == String && x.keyLen > 0 && d.keyIs(x, "$anchor") && (Node{d, uint32(i), d.gen}).Is(fragment) {
			if way := d.way(uint32(i)); len(way) > 1 {
				return Node{d, way[len(way)-2], d.gen}, nil
			}
		}
	}
	return Node{}, fmt.Errorf("oas: $ref %q leads nowhere: no $anchor has this name", ref)
}
