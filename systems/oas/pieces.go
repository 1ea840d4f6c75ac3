package oas

import (
	"bytes"

	"go.yaml.in/yaml/v4"
)

// pieceSize is how much YAML is read at a time, where the source can be cut: the
// other package makes a tree of about thirty times what it reads.
var pieceSize = 256 << 10

// pieces reads the source in pieces, and reports whether it could: a piece is some
// members of a mapping in blocks, whole lines of one indent with the deeper ones
// after them. What holds one of them open, a quote, a bracket, an alias of an anchor
// outside, makes the piece wrong, and then the source is to be read as one. So it is
// if anything else is unusual: pieces writes nothing that reading all would not.
func (t *transcoder) pieces() bool {
	t.begin()
	if t.odd && isOdd(bytes.ReplaceAll(bytes.TrimPrefix(t.source, byteOrderMark), []byte("\r\n"), nil)) {
		return false // lines end in other ways
	}
	from := 0
	if bytes.HasPrefix(t.source, byteOrderMark) {
		from = len(byteOrderMark)
	}
	for at, l := range lines(t.source, from, len(t.source)) {
		if l.blank {
			continue
		}
		if rest := bytes.TrimRight(t.source[at:l.end], " \r\n"); l.indent == 0 && string(rest) == "---" {
			from = l.end
		}
		break
	}
	return t.block(from, len(t.source), -1)
}

// block writes the mapping whose members are the lines from an offset on; all are
// deeper than outer.
func (t *transcoder) block(from, to, outer int) bool {
	indent, first := -1, 0
	cuts := []int{} // where members begin
	for at, l := range lines(t.source, from, to) {
		switch {
		case l.blank:
			continue
		case indent < 0:
			if indent, first = l.indent, at+l.indent; indent <= outer {
				return false
			}
		case l.indent > indent:
			continue
		case l.indent < indent:
			return false
		}
		switch c := t.source[at+l.indent]; {
		case c == '?' || c == ':' || c == '%' || c == '.' || bytes.HasPrefix(t.source[at:l.end], []byte("---")):
			return false
		case c == '-' && len(cuts) > 0:
			continue // an item of the member above
		}
		if len(cuts) == 0 {
			at = from // with the comments before
		}
		cuts = append(cuts, at)
	}
	if indent < 0 {
		return false
	}
	if t.depth++; t.depth > MaxDepth {
		return false
	}
	t.spots = append(t.spots, spot{t.key, uint32(first)})
	t.out = append(t.out, '{')
	cuts = append(cuts, to)
	for i := 0; i+1 < len(cuts); {
		end := i + 1
		if cuts[end]-cuts[i] > pieceSize {
			if t.member(cuts[i], cuts[end], indent) {
				i = end
				continue
			}
		}
		for end+1 < len(cuts) && cuts[end+1]-cuts[i] <= pieceSize {
			end++
		}
		if !t.piece(cuts[i], cuts[end], indent) {
			return false
		}
		i = end
	}
	t.out = append(t.out, '}')
	t.depth--
	return true
}

// member writes a long member whose value is a mapping in the lines after the key.
func (t *transcoder) member(from, to, indent int) bool {
	spots, out, depth := len(t.spots), len(t.out), t.depth
	for at, l := range lines(t.source, from, to) {
		if l.blank {
			continue
		}
		n, ok := t.mappingIn(from, l.end, indent)
		if !ok || len(n.Content) != 2 || n.Content[1].Tag != "!!null" || n.Content[1].Anchor != "" || n.Content[0].Anchor != "" {
			break
		}
		key := n.Content[0]
		if rest := bytes.TrimSpace(t.source[at:l.end]); key.Kind != yaml.ScalarNode || key.Value == "<<" || len(rest) == 0 || rest[len(rest)-1] != ':' {
			break
		}
		if t.out[len(t.out)-1] != '{' {
			t.out = append(t.out, ',')
		}
		t.out = append(appendQuoted(t.out, key.Value), ':')
		t.key = uint32(at + indent)
		if t.block(l.end, to, indent) {
			return true
		}
		break
	}
	t.spots, t.out, t.depth = t.spots[:spots], t.out[:out], depth
	return false
}

// piece writes members.
func (t *transcoder) piece(from, to, indent int) bool {
	n, ok := t.mappingIn(from, to, indent)
	return ok && t.members(n) == nil
}

// mappingIn reads a part of the source that has to be a mapping at an indent.
func (t *transcoder) mappingIn(from, to, indent int) (*yaml.Node, bool) {
	var root yaml.Node
	if yaml.Load(t.source[from:to], &root) != nil || root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, false
	}
	t.from(from)
	n := root.Content[0]
	return n, n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && n.Tag == "!!map" && n.Anchor == "" && n.Column == indent+1
}

// line is one of a text.
type line struct {
	indent, end int
	blank       bool // nothing or a comment
}

// lines yields the lines of text[from:to] by where they begin.
func lines(text []byte, from, to int) func(func(int, line) bool) {
	return func(yield func(int, line) bool) {
		for at := from; at < to; {
			l := line{end: to}
			if i := bytes.IndexByte(text[at:to], '\n'); i >= 0 {
				l.end = at + i + 1
			}
			i := at
			for i < l.end && text[i] == ' ' {
				i++
			}
			l.indent = i - at
			l.blank = i == l.end || text[i] == '#' || text[i] == '\n' || text[i] == '\r' && i+1 < l.end && text[i+1] == '\n'
			if !yield(at, l) {
				return
			}
			at = l.end
		}
	}
}
