package oas

import "github.com/poolproof/poolproof/systems/oas/internal/grammar"

// Handlers are the functions that [Doc.Visit] calls; each may be nil. Those with
// the name of a kind are called for each object of that kind, after Enter and
// before the functions for the objects in it. A reference that stands in the place
// of an object counts as an object of its kind; [Node.Ref] tells the two apart.
type Handlers struct {
	// Enter is called for each object whose kind the specification knows, and
	// Leave after what is in it, unless it was skipped.
	Enter func(c *Cursor) Action
	Leave func(c *Cursor)

	PathItem       func(c *Cursor, p PathItem) Action
	Operation      func(c *Cursor, o Operation) Action
	Parameter      func(c *Cursor, p Parameter) Action
	RequestBody    func(c *Cursor, b RequestBody) Action
	Response       func(c *Cursor, r Response) Action
	Header         func(c *Cursor, h Header) Action
	MediaType      func(c *Cursor, m MediaType) Action
	Schema         func(c *Cursor, s Schema) Action
	SecurityScheme func(c *Cursor, s SecurityScheme) Action
	Tag            func(c *Cursor, t Tag) Action
	Server         func(c *Cursor, s Server) Action

	// Follow makes the visit go from a reference to what it refers to, as if
	// that stood there. It goes to each target once in this way, and never to
	// one that it is in, so that a visit ends in the time that the document's
	// size allows. [Cursor.Reference] tells how it came there.
	Follow bool
}

// Visit goes through the objects of the document whose kinds the specification
// knows, in the order of the document, and calls the functions of h. The cursor
// is lent, as in [Doc.Walk].
func (d *Doc) Visit(h Handlers) {
	if !d.Root().Exists() {
		return
	}
	c := cursors.Get()
	defer cursors.Put(c)
	c.begin(d)
	c.visit(frame{at: 1, index: -1}, &h)
}

func (c *Cursor) visit(f frame, h *Handlers) bool {
	c.push(f)
	c.judge()
	f = *c.top()
	if f.kind == Free {
		c.pop()
		return true
	}
	node := c.doc.nodes[f.at].kind
	isObject := f.form == grammar.Single && node == Object
	if isObject {
		switch c.enter(f.kind, h) {
		case Stop:
			return false
		case Skip:
			c.pop()
			return true
		}
		if h.Follow && !c.follow(h) {
			return false
		}
	}
	index := int32(-1)
	for i := c.doc.nodes[f.at].first; i != 0; i = c.doc.nodes[i].next {
		if node == Array {
			index++
		}
		if c.doc.nodes[i].kind >= Array && !c.visit(frame{at: i, index: index}, h) {
			return false
		}
	}
	if isObject && h.Leave != nil {
		h.Leave(c)
	}
	c.pop()
	return true
}

func (c *Cursor) enter(k ObjectKind, h *Handlers) Action {
	if h.Enter != nil {
		if a := h.Enter(c); a != Continue {
			return a
		}
	}
	n := c.Node()
	switch k {
	case PathItemObject:
		return call(h.PathItem, c, PathItem{n})
	case OperationObject:
		if h.Operation != nil {
			item := c.Ancestor(PathItemObject)
			return h.Operation(c, Operation{n, item, item})
		}
	case ParameterObject:
		return call(h.Parameter, c, Parameter{n})
	case RequestBodyObject:
		return call(h.RequestBody, c, RequestBody{n})
	case ResponseObject:
		return call(h.Response, c, Response{n})
	case HeaderObject:
		return call(h.Header, c, Header{n})
	case MediaTypeObject:
		return call(h.MediaType, c, MediaType{n})
	case SchemaObject:
		return call(h.Schema, c, Schema{n})
	case SecuritySchemeObject:
		return call(h.SecurityScheme, c, SecurityScheme{n})
	case TagObject:
		return call(h.Tag, c, Tag{n})
	case ServerObject:
		return call(h.Server, c, Server{n})
	}
	return Continue
}

func call[View any](f func(*Cursor, View) Action, c *Cursor, v View) Action {
	if f == nil {
		return Continue
	}
	return f(c, v)
}

// follow visits what the object refers to, if it does.
func (c *Cursor) follow(h *Handlers) bool {
	ref, ok := c.Node().Ref()
	if !ok {
		return true
	}
	target, err := c.doc.target(ref)
	if err != nil {
		return true // Check reports it
	}
	for _, f := range c.stack {
		if f.at == target.at {
			return true
		}
	}
	word, bit := target.at/64, uint64(1)<<(target.at%64)
	for uint32(len(c.seen)) <= word {
		c.seen = append(c.seen, 0)
	}
	if c.seen[word]&bit != 0 {
		return true
	}
	c.seen[word] |= bit
	return c.visit(frame{at: target.at, index: -1, jump: true}, h)
}
