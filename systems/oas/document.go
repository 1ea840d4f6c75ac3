package oas

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/poolproof/poolproof/pool"
)

// Doc is a document: the text that was parsed, and an array of the values in it.
// It keeps the order of the keys, and each scalar as the source has it.
//
// Any number of goroutines may read one Doc at a time. [Doc.Reset] and the edits
// of its Nodes must be alone with it. The zero Doc is empty and can be Reset.
type Doc struct {
	// An offset below len(text) is one of text; one from there on is of more,
	// less len(text). text is the source of a document in JSON and is never
	// written to, nor is the capacity that it may have left.
	text, more []byte

	nodes  []node
	links  []link // of nodes, from the first edit on
	gen    uint32 // of the Nodes that are valid
	edited bool   // the sizes of containers in nodes may not hold

	// source is the parsed text: text itself for a document in JSON. For one in
	// YAML, text is JSON that was made of it, source is a copy of the caller's,
	// and the rest says where the nodes were in it.
	source  []byte
	odd     bool // see isOdd
	spots   []spot
	aliases []alias
}

// spot is where a node of a document in YAML, and its key, begin in the source.
type spot struct{ key, value uint32 }

// alias is a node that is written as an alias, and the node with the anchor.
type alias struct {
	node, target uint32
	at           uint32 // where the alias stands in the source
}

// MaxDepth is how deep arrays and objects may be nested in each other.
const MaxDepth = 1000

// maxSource is the largest source. Offsets are 32 bits wide, and edits need some.
const maxSource = 1<<32 - 1<<20

// Parse reads a document in JSON, if its first character is { or [, or else in
// YAML. The error is a [*SyntaxError]. A document in JSON keeps source, which
// must not change as long as the document is in use; one in YAML keeps a copy.
func Parse(source []byte) (*Doc, error) { return parsed(source, (*Doc).Reset) }

// ParseJSON is [Parse] for a source that has to be JSON as RFC 8259 defines it,
// whatever its first character.
func ParseJSON(source []byte) (*Doc, error) { return parsed(source, (*Doc).resetJSON) }

// ParseYAML is [Parse] for a source that has to be YAML.
func ParseYAML(source []byte) (*Doc, error) { return parsed(source, (*Doc).resetYAML) }

func parsed(source []byte, reset func(*Doc, []byte) error) (*Doc, error) {
	d := new(Doc)
	if err := reset(d, source); err != nil {
		return nil, err
	}
	return d, nil
}

// Reset does what [Parse] does, in the memory of d: for a source in JSON that
// needs no more nodes than an earlier one of d it allocates nothing. All Nodes
// of d become invalid, and panic when they are used. If there is an error, d is
// empty: its Root does not exist.
func (d *Doc) Reset(source []byte) error {
	rest := bytes.TrimLeft(bytes.TrimPrefix(source, byteOrderMark), " \t\r\n")
	if len(rest) == 0 || rest[0] == '{' || rest[0] == '[' {
		return d.resetJSON(source)
	}
	return d.resetYAML(source)
}

func (d *Doc) resetJSON(source []byte) error {
	d.empty()
	if err := tooLarge(source); err != nil {
		return err
	}
	if err := d.parse(source, len(source)/48+8); err != nil {
		return err
	}
	d.text, d.source = source, source
	return nil
}

// tooLarge refuses a source before any memory is made for it.
func tooLarge(source []byte) error {
	if uint64(len(source)) > maxSource {
		return &SyntaxError{Line: 1, Col: 1, Msg: "the source has " + strconv.Itoa(len(source)) + " bytes, and 4 GiB less 1 MiB is the limit"}
	}
	return nil
}

// empty forgets what d holds, and keeps the memory.
func (d *Doc) empty() {
	d.gen++
	d.text, d.source, d.more, d.nodes, d.links = nil, nil, d.more[:0], d.nodes[:0], d.links[:0]
	d.spots, d.aliases, d.odd, d.edited = nil, nil, false, false
}

// parse fills d.nodes, for which it makes room for some, or leaves them empty if
// there is an error.
func (d *Doc) parse(text []byte, some int) error {
	p := parsers.Get()
	defer parsers.Put(p)
	p.nodes = d.nodes[:0]
	if cap(p.nodes) == 0 {
		p.nodes = make([]node, 0, some)
	}
	p.nodes = append(p.nodes, node{})
	err := p.parse(text, 0)
	d.nodes = p.nodes
	if err != nil {
		d.nodes = d.nodes[:0]
		return err
	}
	return nil
}

// parsers keeps the memory that parsing needs beside the nodes. A parser that
// is put must not hold on to a source or to the nodes of a Doc.
var parsers = pool.New(pool.Options[parser]{
	Name: "oas parser",
	Reset: func(p *parser) {
		p.text, p.nodes, p.path, p.err = nil, nil, p.path[:0], nil
	},
	Size:    func(p *parser) int { return cap(p.table)*8 + cap(p.plain) + cap(p.other) },
	MaxSize: 1 << 20,
})

// Root returns the value of the whole document. It does not exist in an empty
// document.
func (d *Doc) Root() Node {
	if len(d.nodes) < 2 {
		return Node{}
	}
	return Node{d, 1, d.gen}
}

// Clone returns a document that equals d. An edit of one does not change the
// other. They share the source of a document in JSON.
func (d *Doc) Clone() *Doc {
	c := &Doc{text: d.text, more: bytes.Clone(d.more), nodes: slices.Clone(d.nodes), links: slices.Clone(d.links), edited: d.edited, source: d.source, odd: d.odd}
	if d.spots != nil { // a Reset of d writes over what belongs to it
		c.text, c.source = bytes.Clone(d.text), bytes.Clone(d.source)
		c.spots, c.aliases = slices.Clone(d.spots), slices.Clone(d.aliases)
	}
	return c
}

// span returns the text at an offset.
func (d *Doc) span(off, n uint32) []byte {
	if int(off) < len(d.text) {
		return d.text[off : off+n : off+n]
	}
	off -= uint32(len(d.text))
	return d.more[off : off+n : off+n]
}

func (d *Doc) text2string(off, n uint32, escaped bool) string {
	text := d.span(off, n)
	if escaped {
		return string(appendUnescaped(nil, text))
	}
	return string(text[1 : len(text)-1])
}

func (d *Doc) keyIs(x *node, key string) bool {
	text := d.span(x.keyOff, x.keyLen)
	if x.flags&keyEscaped != 0 {
		return unescapedIs(text, key)
	}
	return string(text[1:len(text)-1]) == key
}
