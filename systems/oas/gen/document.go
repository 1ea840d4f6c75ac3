package gen

import (
	"fmt"

	"github.com/poolproof/poolproof/systems/oas"
)

// Note is a part of a document that the code does not express.
type Note struct {
	Line, Col int    // in the source of the document; 0 if it was brought in from another file
	Pointer   string // of the part
	Msg       string
}

// String returns the note as in "3:5: /components/schemas/A: it becomes any: …". What was
// brought in from another file has no line.
func (n Note) String() string {
	if n.Line == 0 {
		return n.Pointer + ": " + n.Msg
	}
	return fmt.Sprintf("%d:%d: %s: %s", n.Line, n.Col, n.Pointer, n.Msg)
}

// resolve follows references; what leads nowhere does not exist.
func (m *model) resolve(n oas.Node) oas.Node {
	for range 32 {
		ref, ok := n.Ref()
		if !ok {
			return n
		}
		target, known := m.refs[ref]
		if !known {
			target, _ = m.doc.Resolve(n)
			return target
		}
		n = target
	}
	return oas.Node{}
}

// note tells what the code does not express, once for each part of the document.
func (m *model) note(n oas.Node, msg string) {
	if m.noted == nil || m.said[n] {
		return
	}
	m.said[n] = true
	if m.places == nil {
		m.places = map[oas.Node]Note{}
		m.doc.Walk(func(c *oas.Cursor) oas.Action {
			line, column := c.Pos()
			m.places[c.Node()] = Note{Line: line, Col: column, Pointer: c.Pointer()}
			return oas.Continue
		})
	}
	place := m.places[n]
	place.Msg = msg
	m.noted(place)
}
