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
func (g *generator) resolve(n oas.Node) oas.Node {
	for range 32 {
		ref, ok := n.Ref()
		if !ok {
			return n
		}
		target, known := g.refs[ref]
		if !known {
			target, _ = g.doc.Resolve(n)
			return target
		}
		n = target
	}
	return oas.Node{}
}

// note tells what the code does not express, once for each part of the document.
func (g *generator) note(n oas.Node, msg string) {
	if g.noted == nil || g.said[n] {
		return
	}
	g.said[n] = true
	if g.places == nil {
		g.places = map[oas.Node]Note{}
		g.doc.Walk(func(c *oas.Cursor) oas.Action {
			line, column := c.Pos()
			g.places[c.Node()] = Note{Line: line, Col: column, Pointer: c.Pointer()}
			return oas.Continue
		})
	}
	place := g.places[n]
	place.Msg = msg
	g.noted(place)
}
