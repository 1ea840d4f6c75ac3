package oas

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// resetYAML reads YAML with another package, writes what that has found as JSON,
// and parses that: one form of document for both.
func (d *Doc) resetYAML(source []byte) error {
	made, places := d.made[:0], d.places[:0]
	d.empty()
	if uint64(len(source)) > maxSource {
		return &SyntaxError{Line: 1, Col: 1, Msg: "the source has " + strconv.Itoa(len(source)) + " bytes, and 4 GiB less 1 MiB is the limit"}
	}
	readable := source
	if i := bytes.Index(source, versionLine); i == 0 || i == len(byteOrderMark) {
		// The other package knows the 1 after the point only, and reads 1.2.
		readable = bytes.Clone(source)
		if at := i + len(versionLine); at < len(readable) {
			readable[at] = '1'
		}
	}
	var root yaml.Node
	if err := yaml.Load(readable, &root); err != nil {
		var all []yaml.Node
		if yaml.Load(readable, &all, yaml.WithAllDocuments()) == nil && len(all) > 1 {
			t := transcoder{source: source}
			return t.fail(&all[1], "a second document begins here; an OpenAPI document is the only one of its file")
		}
		return yamlError(source, err)
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return &SyntaxError{Line: 1, Col: 1, Msg: "the source is empty"}
	}
	t := transcoder{source: source, out: made, places: append(places, place{}), limit: 8*len(source) + 1<<20}
	err := t.value(root.Content[0])
	d.made = t.out
	if err == nil {
		if err = d.parse(t.out, t.places); err != nil {
			err = t.inSource(root.Content[0], err)
		}
	}
	if err != nil {
		return err
	}
	d.text, d.places = t.out, t.places
	return nil
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
	source []byte
	out    []byte
	places []place // of the nodes that parsing out will make, in that order
	limit  int     // of len(out): only aliases can exceed it
	path   []byte  // pointer of the node that is written
	depth  int
}

func (t *transcoder) fail(n *yaml.Node, format string, args ...any) error {
	line, col := max(n.Line, 1), max(n.Column, 1)
	return &SyntaxError{Line: line, Col: col, Offset: offsetOf(t.source, line, col), Pointer: string(t.path), Msg: fmt.Sprintf(format, args...)}
}

func (t *transcoder) value(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if len(t.out) > t.limit {
		return t.fail(n, "aliases make the document more than eight times as large as its source")
	}
	t.places = append(t.places, place{uint32(n.Line), uint32(n.Column)})
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
	for i := 0; i+1 < len(n.Content); i += 2 {
		if i > 0 {
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
		if err := t.value(n.Content[i+1]); err != nil {
			return err
		}
		t.path = t.path[:outer]
	}
	t.out = append(t.out, '}')
	return nil
}

func (t *transcoder) sequence(n *yaml.Node) error {
	t.out = append(t.out, '[')
	for i, item := range n.Content {
		if i > 0 {
			t.out = append(t.out, ',')
		}
		outer := len(t.path)
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

// scalar writes a scalar as the JSON schema of YAML 1.2 (section 10.2) reads it,
// with what nearly all documents rely on besides: an empty one and ~ are null,
// and null, true and false may begin with a capital letter or be all capitals.
// What is no number in JSON is a string, so 0x1F, 010, 1_000, +1, .5 and dates are.
func (t *transcoder) scalar(n *yaml.Node) error {
	// The tag ! says that a scalar is none of the plain kinds (section 6.9.1).
	quoted := n.Tag == "!" || n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	tagged := n.Style&yaml.TaggedStyle != 0
	kind := String
	if !quoted {
		kind = plainKind(n.Value)
	}
	if tagged {
		switch n.Tag {
		case "!!str":
			kind = String
		case "!!null", "!!bool", "!!int", "!!float":
			if kind = plainKind(n.Value); n.Tag != tagOf(kind, n.Value) && !(n.Tag == "!!float" && kind == Number) {
				return t.fail(n, "%q is no value of the tag %s in an OpenAPI document", n.Value, n.Tag)
			}
		default:
			return t.fail(n, "the tag %s is none that an OpenAPI document can have", n.Tag)
		}
	}
	switch kind {
	case Invalid:
		return t.fail(n, "JSON has no number %s; put it in quotes if it is a string", n.Value)
	case Null:
		t.out = append(t.out, "null"...)
	case Bool:
		t.out = append(t.out, strings.ToLower(n.Value)...)
	case Number:
		t.out = append(t.out, n.Value...)
	default:
		t.out = appendQuoted(t.out, n.Value)
	}
	return nil
}

// plainKind says what a scalar without quotes is; Invalid for what YAML calls a
// number and JSON cannot write.
func plainKind(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN":
		return Invalid
	}
	if s[0] == '-' || '0' <= s[0] && s[0] <= '9' {
		p := parser{text: []byte(s)}
		if p.number(0) == len(s) {
			return Number
		}
	}
	return String
}

func tagOf(k Kind, s string) string {
	switch k {
	case Null:
		return "!!null"
	case Bool:
		return "!!bool"
	case Number:
		if strings.ContainsAny(s, ".eE") {
			return "!!float"
		}
		return "!!int"
	}
	return "!!str"
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
