package oas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

var (
	errNoNode  = errors.New("oas: there is no such value to edit")
	errNoPlace = errors.New("oas: the value was deleted from its document before")
	errNotUTF8 = errors.New("oas: the text to store is not UTF-8; no document can hold it")
)

// Set gives the member key of an object the value v, and returns the member. If
// the object has no such member, it becomes the last one.
//
// All edits take any v that encoding/json can marshal; a Node, of this document
// or another, is copied with all that is in it, in its order. What an edit is
// given is copied. Edits may move the memory of the document, but Nodes stay
// valid.
func (n Node) Set(key string, v any) (Node, error) {
	if err := n.must(Object); err != nil {
		return Node{}, err
	}
	if member := n.Get(key); member.Exists() {
		return member, member.Replace(v)
	}
	d := n.doc
	mark := len(d.more)
	at, err := d.bring(v)
	if err != nil {
		return Node{}, err
	}
	if err := d.setKey(at, key); err != nil {
		d.nodes, d.links, d.more = d.nodes[:at], d.links[:at], d.more[:mark]
		return Node{}, err
	}
	d.add(n.at, at)
	return n.with(at), nil
}

// Append adds v to the end of an array and returns the element.
func (n Node) Append(v any) (Node, error) {
	if err := n.must(Array); err != nil {
		return Node{}, err
	}
	at, err := n.doc.bring(v)
	if err != nil {
		return Node{}, err
	}
	n.doc.add(n.at, at)
	return n.with(at), nil
}

// Replace makes v the value of n, which keeps its key and its place. Nodes of
// what was in n before are no longer part of the document.
func (n Node) Replace(v any) error {
	if err := n.can(); err != nil {
		return err
	}
	d := n.doc
	at, err := d.bring(v)
	if err != nil {
		return err
	}
	d.disown(n.at)
	x, brought := &d.nodes[n.at], d.nodes[at]
	brought.keyOff, brought.keyLen, brought.next = x.keyOff, x.keyLen, x.next
	brought.flags |= x.flags & keyEscaped
	*x = brought
	d.adopt(n.at)
	d.edited = true
	return nil
}

// Delete removes n from its object or array. The root cannot be deleted.
func (n Node) Delete() error {
	if err := n.can(); err != nil {
		return err
	}
	if n.at == 1 {
		return errors.New("oas: the root of a document cannot be deleted; Replace gives it another value")
	}
	n.doc.remove(n.at)
	return nil
}

// Rename gives n another key in its object. The order stays as it is. It is an
// error if another member has that key.
func (n Node) Rename(key string) error {
	if err := n.can(); err != nil {
		return err
	}
	parent := n.Parent()
	if parent.Kind() != Object {
		return errors.New("oas: only a member of an object can be renamed")
	}
	if other := parent.Get(key); other.Exists() {
		if other.at == n.at {
			return nil
		}
		return fmt.Errorf("oas: the object has a member %q already", key)
	}
	return n.doc.setKey(n.at, key)
}

func (n Node) must(k Kind) error {
	if err := n.can(); err != nil {
		return err
	}
	if n.Kind() != k {
		return fmt.Errorf("oas: the value is of kind %s, want %s", n.Kind(), k)
	}
	return nil
}

// can reports whether n can be edited: it is a value that its document still has.
// It makes the links that all edits need.
func (n Node) can() error {
	if !n.Exists() {
		return errNoNode
	}
	d := n.doc
	if len(d.links) == 0 {
		d.link()
	}
	at := n.at
	for d.links[at].up != 0 {
		at = d.links[at].up
	}
	if at != 1 {
		return errNoPlace
	}
	return nil
}

// bring parses v into nodes that nothing links to, and returns their root.
func (d *Doc) bring(v any) (uint32, error) {
	text, err := appendValue(nil, v)
	if err != nil {
		return 0, err
	}
	base, err := d.store(text)
	if err != nil {
		return 0, err
	}
	p := parsers.Get()
	defer parsers.Put(p)
	p.nodes = d.nodes
	at := len(d.nodes)
	err = p.parse(d.more[int(base)-len(d.text):], base)
	d.nodes = p.nodes
	if err != nil {
		d.nodes = d.nodes[:at]
		d.more = d.more[:int(base)-len(d.text)]
		return 0, fmt.Errorf("oas: the value to store is not JSON: %w", err)
	}
	d.link()
	d.edited = true
	return uint32(at), nil
}

// store appends text to what edits have brought and returns its offset.
func (d *Doc) store(text []byte) (uint32, error) {
	base := len(d.text) + len(d.more)
	if uint64(base)+uint64(len(text)) > maxSource+1<<19 {
		return 0, errors.New("oas: the document and its edits take more than 4 GiB; parse its JSON again")
	}
	d.more = append(d.more, text...)
	return uint32(base), nil
}

func (d *Doc) setKey(at uint32, key string) error {
	if !utf8.ValidString(key) {
		return errNotUTF8
	}
	text := appendQuoted(nil, key)
	off, err := d.store(text)
	if err != nil {
		return err
	}
	x := &d.nodes[at]
	x.keyOff, x.keyLen, x.flags = off, uint32(len(text)), x.flags&^keyEscaped
	if bytes.IndexByte(text, '\\') >= 0 {
		x.flags |= keyEscaped
	}
	d.edited = true
	return nil
}

// appendValue appends v in JSON. It leaves <, > and & as they are.
func appendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case string:
		if !utf8.ValidString(v) {
			return dst, errNotUTF8
		}
		return appendQuoted(dst, v), nil
	case json.RawMessage:
		return append(dst, v...), nil
	case interface{ AppendJSON([]byte) []byte }: // Node, each view of one, and Doc
		was := len(dst)
		if dst = v.AppendJSON(dst); len(dst) == was {
			return dst, errors.New("oas: the Node to copy does not exist")
		}
		return dst, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return dst, fmt.Errorf("oas: the value to store cannot be marshalled: %w", err)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), newline)...), nil
}
