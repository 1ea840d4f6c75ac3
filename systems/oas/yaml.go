package oas

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// resetYAML reads YAML with another package, writes what that has found as JSON,
// and parses that: one form of document for both.
func (d *Doc) resetYAML(source []byte) error {
	t := transcoder{source: source, limit: 8*len(source) + 1<<20}
	var kept []byte
	if d.spots != nil { // the memory of the YAML before is d's own
		t.out, t.spots, t.aliases, kept = d.text[:0], d.spots[:0], d.aliases[:0], d.source[:0]
	}
	d.empty()
	if err := tooLarge(source); err != nil {
		return err
	}
	if err := encoded(source); err != nil {
		return err
	}
	t.odd = isOdd(source)
	if err := t.read(d); err != nil {
		return err
	}
	d.source = append(kept, source...)
	d.text, d.odd, d.spots, d.aliases = t.out, t.odd, t.spots, t.aliases
	return nil
}

// encoded refuses a source that is not UTF-8.
func encoded(source []byte) error {
	if utf8.Valid(source) {
		return nil
	}
	e := &SyntaxError{Offset: invalidUTF8(source), Msg: notUTF8}
	if bytes.HasPrefix(source, []byte("\xff\xfe")) || bytes.HasPrefix(source, []byte("\xfe\xff")) {
		e.Msg = "the source is UTF-16; save it as UTF-8"
	}
	e.Line, e.Col = position(source, e.Offset)
	return e
}

// read reads the source in pieces if it is long, or else, and where that does not
// do, as one.
func (t *transcoder) read(d *Doc) error {
	if len(t.source) > pieceSize && t.pieces() && d.parse(t.out, len(t.spots)) == nil {
		return nil
	}
	t.begin()
	root, err := t.load(t.source)
	if err != nil {
		return err
	}
	t.anchors = map[*yaml.Node]uint32{}
	if err := t.value(root); err != nil {
		return err
	}
	if err := d.parse(t.out, len(t.spots)); err != nil {
		return t.inSource(root, err)
	}
	return nil
}

// begin makes t write from the start.
func (t *transcoder) begin() {
	t.out, t.spots, t.aliases, t.path, t.depth = t.out[:0], append(t.spots[:0], spot{}), t.aliases[:0], t.path[:0], 0
	t.key = inAlias
	t.from(0)
}

// load returns the value that a text in YAML is, which is the source or a piece of it.
func (t *transcoder) load(text []byte) (*yaml.Node, error) {
	readable := text
	if i := bytes.Index(text, versionLine); i == 0 || i == len(byteOrderMark) {
		// The other package knows the 1 after the point only, and reads 1.2.
		readable = bytes.Clone(text)
		if at := i + len(versionLine); at < len(readable) {
			readable[at] = '1'
		}
	}
	var root yaml.Node
	if err := yaml.Load(readable, &root); err != nil {
		var all []yaml.Node
		if yaml.Load(readable, &all, yaml.WithAllDocuments()) == nil && len(all) > 1 {
			return nil, t.fail(&all[1], "a second document begins here; an OpenAPI document is the only one of its file")
		}
		return nil, yamlError(t.source, err)
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, &SyntaxError{Line: 1, Col: 1, Msg: "the source is empty"}
	}
	return root.Content[0], nil
}

var versionLine = []byte("%YAML 1.")

// yamlError says in our words where the other package found an error.
func yamlError(source []byte, err error) error {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		return &SyntaxError{Line: 1, Col: 1, Msg: err.Error()}
	}
	line, col := max(e.Mark.Line, 1), max(e.Mark.Column, 1)
	msg := e.Message
	if e.ContextMsg != "" {
		msg = e.ContextMsg + ": " + msg
	}
	offset := offsetOf(source, line, col)
	if offset < len(source) && source[offset] == '\t' {
		msg = "a tab cannot indent in YAML; use spaces (" + msg + ")"
	}
	return &SyntaxError{Line: line, Col: col, Offset: offset, Msg: msg}
}

// offsetOf returns the offset of a character in a line, both counted from 1.
func offsetOf(source []byte, line, col int) int {
	at := 0
	for range line - 1 {
		next := bytes.IndexByte(source[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	rest := string(source[at:min(len(source), at+4*col)])
	for range col - 1 {
		if rest == "" || rest[0] == '\n' {
			break
		}
		_, n := decodeRune(rest)
		rest, at = rest[n:], at+n
	}
	return at
}

// transcoder writes YAML nodes as JSON.
type transcoder struct {
	source  []byte
	odd     bool
	out     []byte
	spots   []spot // of the nodes that parsing out will make, in that order
	aliases []alias
	anchors map[*yaml.Node]uint32 // nodes with an anchor; nil for a piece, which has none
	copied  uint32                // if not 0: the node whose place the next one has, as an alias stands for it
	limit   int                   // of len(out): only aliases can exceed it
	path    []byte                // pointer of the node that is written
	key     uint32                // where its key begins
	depth   int

	// Where the reading of the source is: lines and columns are those of the
	// text that was loaded, which begins at start.
	start, at    int
	line, column int
}

// from makes lines and columns count from an offset on.
func (t *transcoder) from(start int) {
	t.start, t.at, t.line, t.column = start, start, 1, 1
	if start == 0 && bytes.HasPrefix(t.source, byteOrderMark) {
		t.at = len(byteOrderMark)
	}
}

// offset returns where a line and column are. Places come nearly in order, so that
// the source is read once.
func (t *transcoder) offset(line, column int) uint32 {
	switch {
	case line < t.line:
		t.from(t.start)
	case line == t.line && column < t.column:
		for t.column > column && t.at > t.start {
			t.at--
			if utf8.RuneStart(t.source[t.at]) {
				t.column--
			}
		}
	}
	for t.line < line && t.at < len(t.source) {
		if !t.odd {
			next := bytes.IndexByte(t.source[t.at:], '\n')
			if next < 0 {
				t.at = len(t.source)
				break
			}
			t.at, t.line, t.column = t.at+next+1, t.line+1, 1
		} else if n := lineEnd(t.source, t.at); n > 0 {
			t.at, t.line, t.column = t.at+n, t.line+1, 1
		} else {
			t.at++
		}
	}
	for t.line == line && t.column < column && t.at < len(t.source) && lineEnd(t.source, t.at) == 0 {
		_, n := utf8.DecodeRune(t.source[t.at:])
		t.at, t.column = t.at+n, t.column+1
	}
	return uint32(t.at)
}

func (t *transcoder) fail(n *yaml.Node, format string, args ...any) error {
	line, col := max(n.Line, 1), max(n.Column, 1)
	return &SyntaxError{Line: line, Col: col, Offset: offsetOf(t.source, line, col), Pointer: string(t.path), Msg: fmt.Sprintf(format, args...)}
}

// errNotAlone says that a piece of a source does not mean the same as it does among
// the others.
var errNotAlone = errors.New("oas: an anchor or an alias is in a piece of a source")

// inAlias is the place of a key that stands in the source where the anchor is.
const inAlias = 1<<32 - 1

func (t *transcoder) value(n *yaml.Node) error {
	self := uint32(len(t.spots))
	s := spot{inAlias, 0}
	switch {
	case t.anchors == nil && (n.Kind == yaml.AliasNode || n.Anchor != ""):
		return errNotAlone
	case t.copied != 0: // inside of what an alias stands for
		s.value = t.spots[t.copied].value
		t.copied++
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
	case n.Kind == yaml.AliasNode:
		target := t.anchors[n.Alias] // 0 if that is a key
		t.aliases = append(t.aliases, alias{self, target, t.offset(n.Line, n.Column)})
		if s.key, s.value = t.key, t.spots[target].value; target == 0 {
			s.value = t.offset(n.Alias.Line, n.Alias.Column)
		}
		n = n.Alias
		t.copied = target + 1
		defer func() { t.copied = 0 }()
	default:
		s.value = t.offset(n.Line, n.Column)
		if s.key = t.key; n.Anchor != "" && t.anchors != nil {
			t.anchors[n] = self
		}
	}
	if len(t.out) > t.limit {
		return t.fail(n, "aliases make the document more than eight times as large as its source")
	}
	t.spots = append(t.spots, s)
	if n.Kind == yaml.ScalarNode {
		return t.scalar(n)
	}
	if t.depth++; t.depth > MaxDepth {
		return t.fail(n, "this is nested deeper than %d levels", MaxDepth)
	}
	var err error
	outer := len(t.path)
	switch {
	case n.Kind == yaml.MappingNode && (n.Tag == "!!map" || n.Tag == "!" || n.Tag == ""):
		err = t.mapping(n)
	case n.Kind == yaml.SequenceNode && (n.Tag == "!!seq" || n.Tag == "!" || n.Tag == ""):
		err = t.sequence(n)
	default:
		return t.fail(n, "the tag %s is none that an OpenAPI document can have", n.Tag)
	}
	t.path = t.path[:outer]
	t.depth--
	return err
}

func (t *transcoder) mapping(n *yaml.Node) error {
	t.out = append(t.out, '{')
	if err := t.members(n); err != nil {
		return err
	}
	t.out = append(t.out, '}')
	return nil
}

func (t *transcoder) members(n *yaml.Node) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if t.out[len(t.out)-1] != '{' {
			t.out = append(t.out, ',')
		}
		key := n.Content[i]
		at := key
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			return t.fail(at, "a key must be a scalar, not a %s", kindOf(key))
		case key.Value == "<<" && key.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0:
			return t.fail(at, "the merge key << is not part of YAML 1.2; write the members out, or refer with $ref")
		}
		outer := len(t.path)
		t.path = appendToken(t.path, key.Value)
		t.out = append(appendQuoted(t.out, key.Value), ':')
		t.key = inAlias
		if t.copied == 0 {
			t.key = t.offset(at.Line, at.Column)
		}
		if err := t.value(n.Content[i+1]); err != nil {
			return err
		}
		t.path = t.path[:outer]
	}
	return nil
}

func (t *transcoder) sequence(n *yaml.Node) error {
	t.out = append(t.out, '[')
	for i, item := range n.Content {
		if i > 0 {
			t.out = append(t.out, ',')
		}
		outer := len(t.path)
		t.key = inAlias
		t.path = strconv.AppendInt(append(t.path, '/'), int64(i), 10)
		if err := t.value(item); err != nil {
			return err
		}
		t.path = t.path[:outer]
	}
	t.out = append(t.out, ']')
	return nil
}

func kindOf(n *yaml.Node) string {
	if n.Kind == yaml.MappingNode {
		return "mapping"
	}
	return "sequence"
}

// inSource returns an error of the JSON text with the place in the YAML source.
// The text is right except that a key can be there twice.
func (t *transcoder) inSource(n *yaml.Node, err error) error {
	var e *SyntaxError
	if !errors.As(err, &e) {
		return err
	}
	if key := twice(n, map[*yaml.Node]bool{}); key != nil {
		e.Line, e.Col = key.Line, key.Column
		e.Offset = offsetOf(t.source, key.Line, key.Column)
	}
	return e
}

// twice returns the first key, of the innermost mapping that has one, which an
// earlier key of the mapping equals.
func twice(n *yaml.Node, looked map[*yaml.Node]bool) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if looked[n] {
		return nil
	}
	looked[n] = true
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := step - 1; i < len(n.Content); i += step {
		if key := twice(n.Content[i], looked); key != nil {
			return key
		}
	}
	if n.Kind == yaml.MappingNode {
		seen := map[string]bool{}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			name := key
			if key.Kind == yaml.AliasNode {
				name = key.Alias
			}
			if seen[name.Value] {
				return key
			}
			seen[name.Value] = true
		}
	}
	return nil
}
