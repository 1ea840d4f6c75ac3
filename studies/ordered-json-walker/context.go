package orderedjsonwalker

import (
	"context"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// Context says where in the document a handler is called. It has the published
// fields, 120 bytes on 64-bit machines.
type Context struct {
	JSONPath     string // of the part, as $.paths['/orders'].get
	PathTemplate string // within a path, as /orders/{id}
	Method       string // within an operation, as get
	StatusCode   string // within a response, as 200
	Name         string // of a part that has one, as a schema or a media type
	IsComponent  bool   // within the components

	// What the published walker fills in when it is told to, and this one does
	// not: the reference that the part is, and the part that it is in.
	Reference *Reference
	Parent    *Parent

	Ctx context.Context
}

// Reference is a $ref and where it stands.
type Reference struct{ Ref, JSONPath string }

// Parent is a part that others are in.
type Parent struct {
	Part     any
	JSONPath string
	Parent   *Parent
}

// Action tells what a handler wants next.
type Action uint8

// The actions.
const (
	Continue     Action = iota // go on, into the part
	SkipChildren               // go on, but not into the part
	Stop                       // end the walk
)

// Handlers are the functions of the user, one for each kind of part. C is
// *Context or Context. Parts without a handler are walked through.
type Handlers[C any] struct {
	Info        func(C, *orderedjson.Info) Action
	PathItem    func(C, *orderedjson.PathItem) Action
	Operation   func(C, *orderedjson.Operation) Action
	Parameter   func(C, *orderedjson.Parameter) Action
	RequestBody func(C, *orderedjson.RequestBody) Action
	Response    func(C, *orderedjson.Response) Action
	MediaType   func(C, *orderedjson.MediaType) Action
	Schema      func(C, *orderedjson.Schema) Action
}

// Every returns handlers that call f for each part and go on.
func Every[C any](f func(C)) Handlers[C] {
	return Handlers[C]{
		Info:        func(c C, _ *orderedjson.Info) Action { f(c); return Continue },
		PathItem:    func(c C, _ *orderedjson.PathItem) Action { f(c); return Continue },
		Operation:   func(c C, _ *orderedjson.Operation) Action { f(c); return Continue },
		Parameter:   func(c C, _ *orderedjson.Parameter) Action { f(c); return Continue },
		RequestBody: func(c C, _ *orderedjson.RequestBody) Action { f(c); return Continue },
		Response:    func(c C, _ *orderedjson.Response) Action { f(c); return Continue },
		MediaType:   func(c C, _ *orderedjson.MediaType) Action { f(c); return Continue },
		Schema:      func(c C, _ *orderedjson.Schema) Action { f(c); return Continue },
	}
}
