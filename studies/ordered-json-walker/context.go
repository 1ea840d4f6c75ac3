package orderedjsonwalker

import "context"

// Context says where in the document a callback is. It has the published
// fields, 104 bytes on 64-bit machines.
type Context struct {
	JSONPath     string // of the part, as $.paths['/orders'].get
	PathTemplate string // within a path, as /orders/{id}
	Method       string // within an operation, as get
	StatusCode   string // within a response, as 200
	Name         string // of a part that has one, as a parameter or a schema
	IsComponent  bool   // within the components
	Ctx          context.Context
}

// under returns the context of a part at this place below c.
func (c Context) under(place string) Context {
	c.JSONPath += place
	return c
}

// key is the place of a member whose name is not the specification's.
func key(name string) string { return "['" + name + "']" }

// Kind says what a part of a document is.
type Kind uint8

// The kinds of parts that are visited.
const (
	Info Kind = iota
	PathItem
	Operation
	Parameter
	RequestBody
	Response
	MediaType
	Schema
)
