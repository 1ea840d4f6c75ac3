package oas

import (
	"iter"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/systems/oas/internal/grammar"
)

// A view is a Node with the members of its kind as methods. It holds nothing of
// its own, so an edit of the Node is an edit of the view, and a view of a value
// that does not exist returns zero values. References are not followed; see
// [Doc.Resolve].

// Info is a view of the document's metadata.
type Info struct{ Node }

// Info returns the view of the member info.
func (d *Doc) Info() Info { return Info{d.Root().Get("info")} }

// Title returns the name of the API.
func (i Info) Title() string { return i.Get("title").Str() }

// Version returns the version of the document, not that of the specification.
func (i Info) Version() string { return i.Get("version").Str() }

// Description returns the text that describes i, in CommonMark.
func (i Info) Description() string { return i.Get("description").Str() }

// Server is a view of an address at which the API is served.
type Server struct{ Node }

// URL returns the address, in which variables stand in braces.
func (s Server) URL() string { return s.Get("url").Str() }

// Tag is a view of a tag that operations can have.
type Tag struct{ Node }

// Name returns the name by which operations refer to t.
func (t Tag) Name() string { return t.Get("name").Str() }

// Extensions yields the members whose keys begin with x-, in their order.
func (n Node) Extensions() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for m := range n.All() {
			x := m.in()
			if x.keyLen == 0 {
				return
			}
			if key := n.doc.span(x.keyOff, x.keyLen); grammar.IsExtension(key[1:len(key)-1]) && !yield(m) {
				return
			}
		}
	}
}

// PathItem is a view of the operations of a path, and of what they share.
type PathItem struct{ Node }

// Paths yields the path items of the document; the path is the key of each.
func (d *Doc) Paths() iter.Seq[PathItem] {
	return func(yield func(PathItem) bool) {
		for n := range d.Root().Get("paths").All() {
			if !strings.HasPrefix(n.Key(), "/") {
				continue
			}
			if !yield(PathItem{n}) {
				return
			}
		}
	}
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// Operations yields the operations of p in their order.
func (p PathItem) Operations() iter.Seq[Operation] {
	return func(yield func(Operation) bool) {
		for n := range p.All() {
			key := n.Key()
			if n.Kind() != Object {
				continue
			}
			if slices.Contains(methods, key) {
				if !yield(Operation{n, p.Node, p.Node}) {
					return
				}
			} else if key == "additionalOperations" {
				for more := range n.All() {
					if !yield(Operation{more, p.Node, p.Node}) {
						return
					}
				}
			}
		}
	}
}

// Parameters yields the parameters that all operations of p have.
func (p PathItem) Parameters() iter.Seq[Parameter] { return each[Parameter](p.Get("parameters")) }

// Operations yields the operations of all paths of the document in their order.
// Where a path item is a reference inside of the document, its own operations come
// first, then those of the path item that it leads to, with its parameters and
// under the path of the reference; an operation that both have is its own.
// [PathItem.Operations] follows no reference.
func (d *Doc) Operations() iter.Seq[Operation] {
	return func(yield func(Operation) bool) {
		for p := range d.Paths() {
			for o := range p.Operations() {
				if !yield(o) {
					return
				}
			}
			target, err := d.Resolve(p.Node)
			if err != nil || target == p.Node {
				continue
			}
			for o := range (PathItem{target}).Operations() {
				if p.has(o.Method()) {
					continue
				}
				if o.path = p.Node; !yield(o) {
					return
				}
			}
		}
	}
}

// has reports whether p has an operation with a method.
func (p PathItem) has(method string) bool {
	for o := range p.Operations() {
		if o.Method() == method {
			return true
		}
	}
	return false
}

// Operation is a view of a request that the API takes, and of its answers.
type Operation struct {
	Node
	item Node // what the operation is in
	path Node // what its path is the key of: item, or a reference to it
}

// Path returns the path of o as the document has it, such as "/pets/{id}".
func (o Operation) Path() string { return o.path.Key() }

// PathNames returns the names in braces of the path, each once.
func (o Operation) PathNames() []string { return templateNames(o.Path()) }

// PathItem returns the view of the path item that o is in.
func (o Operation) PathItem() PathItem { return PathItem{o.item} }

// Method returns the method of HTTP, such as "GET".
func (o Operation) Method() string {
	if key := o.Key(); !slices.Contains(methods, key) {
		return key
	}
	return strings.ToUpper(o.Key())
}

// ID returns the operationId.
func (o Operation) ID() string { return o.Get("operationId").Str() }

// Summary returns what o does, in short.
func (o Operation) Summary() string { return o.Get("summary").Str() }

// Description returns the text that describes o, in CommonMark.
func (o Operation) Description() string { return o.Get("description").Str() }

// Deprecated reports whether o should no longer be used.
func (o Operation) Deprecated() bool { v, _ := o.Get("deprecated").Bool(); return v }

// Parameters yields the parameters of o without those of its path.
func (o Operation) Parameters() iter.Seq[Parameter] { return each[Parameter](o.Get("parameters")) }

// RequestBody returns the view of the body that a request to o has.
func (o Operation) RequestBody() RequestBody { return RequestBody{o.Get("requestBody")} }

// Responses yields the responses of o; the status is the key of each.
func (o Operation) Responses() iter.Seq[Response] {
	return func(yield func(Response) bool) {
		for n := range o.Get("responses").All() {
			if x := n.in(); x.keyLen > 3 && !grammar.IsExtension(n.doc.span(x.keyOff+1, x.keyLen-2)) && !yield(Response{n}) {
				return
			}
		}
	}
}

// templateNames returns the names in braces of a path.
func templateNames(path string) (names []string) {
	for {
		_, after, ok := strings.Cut(path, "{")
		if !ok {
			return names
		}
		name, rest, ok := strings.Cut(after, "}")
		if !ok {
			return names
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		path = rest
	}
}

// each yields views of the children of a node.
func each[View ~struct{ Node }](n Node) iter.Seq[View] {
	return func(yield func(View) bool) {
		for c := range n.All() {
			if !yield(View{c}) {
				return
			}
		}
	}
}

// Parameter is a view of a parameter of an operation.
type Parameter struct{ Node }

// Name returns the name of p.
func (p Parameter) Name() string { return p.Get("name").Str() }

// In returns where p is: "query", "header", "path" or "cookie"; in version 2.0
// also "formData" and "body", in version 3.2 also "querystring".
func (p Parameter) In() string { return p.Get("in").Str() }

// Required reports whether a request must have p.
func (p Parameter) Required() bool { v, _ := p.Get("required").Bool(); return v }

// Description returns the text that describes p, in CommonMark.
func (p Parameter) Description() string { return p.Get("description").Str() }

// Schema returns the schema of p. In version 2.0 that is p itself, unless p is a
// body.
func (p Parameter) Schema() Schema {
	if s := p.Get("schema"); s.Exists() || !p.Get("type").Exists() {
		return Schema{s}
	}
	return Schema(p)
}

// Content yields the media types of p, if its value has one.
func (p Parameter) Content() iter.Seq[MediaType] { return each[MediaType](p.Get("content")) }

// RequestBody is a view of the body of a request.
type RequestBody struct{ Node }

// Required reports whether a request must have b.
func (b RequestBody) Required() bool { v, _ := b.Get("required").Bool(); return v }

// Content yields the media types of b; the type is the key of each.
func (b RequestBody) Content() iter.Seq[MediaType] { return each[MediaType](b.Get("content")) }

// Response is a view of an answer of an operation.
type Response struct{ Node }

// Description returns the text that describes r, in CommonMark.
func (r Response) Description() string { return r.Get("description").Str() }

// Content yields the media types of r; the type is the key of each.
func (r Response) Content() iter.Seq[MediaType] { return each[MediaType](r.Get("content")) }

// Headers yields the headers of r; the name is the key of each.
func (r Response) Headers() iter.Seq[Header] { return each[Header](r.Get("headers")) }

// Header is a view of a header of a response.
type Header struct{ Node }

// Schema returns the schema of h. In version 2.0 that is h itself.
func (h Header) Schema() Schema {
	if s := h.Get("schema"); s.Exists() || !h.Get("type").Exists() {
		return Schema{s}
	}
	return Schema(h)
}

// MediaType is a view of one form of a body.
type MediaType struct{ Node }

// Schema returns the schema of m.
func (m MediaType) Schema() Schema { return Schema{m.Get("schema")} }

// SecurityScheme is a view of a way to authenticate a caller.
type SecurityScheme struct{ Node }

// Type returns the type, such as "http" or "apiKey".
func (s SecurityScheme) Type() string { return s.Get("type").Str() }
