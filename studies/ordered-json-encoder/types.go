package orderedjsonencoder

import "maps"

// The types are a part of those of OpenAPI 3.0. E is the arm. A value with
// extensions is encoded by way of a map, which json.Marshal sorts; one without
// by way of a type that has the fields and no methods.

// Server is a place where the interface is offered.
type Server[E Encoding] struct {
	URL         string         `json:"url"`
	Description string         `json:"description,omitempty"`
	Extra       map[string]any `json:"-"` // x-…
}

// MarshalJSON returns the object with its extensions.
func (s Server[E]) MarshalJSON() ([]byte, error) {
	var e E
	if len(s.Extra) == 0 {
		type fields Server[E]
		return e.Encode(fields(s))
	}
	m := map[string]any{"url": s.URL}
	set(m, "description", s.Description)
	maps.Copy(m, s.Extra)
	return e.Encode(m)
}

// Info says what the interface is.
type Info[E Encoding] struct {
	Title       string         `json:"title"`
	Version     string         `json:"version"`
	Description string         `json:"description,omitempty"`
	Extra       map[string]any `json:"-"`
}

// MarshalJSON returns the object with its extensions.
func (i Info[E]) MarshalJSON() ([]byte, error) {
	var e E
	if len(i.Extra) == 0 {
		type fields Info[E]
		return e.Encode(fields(i))
	}
	m := map[string]any{"title": i.Title, "version": i.Version}
	set(m, "description", i.Description)
	maps.Copy(m, i.Extra)
	return e.Encode(m)
}

// Response is the answer of an operation.
type Response[E Encoding] struct {
	Description string         `json:"description"`
	Extra       map[string]any `json:"-"`
}

// MarshalJSON returns the object with its extensions.
func (r Response[E]) MarshalJSON() ([]byte, error) {
	var e E
	if len(r.Extra) == 0 {
		type fields Response[E]
		return e.Encode(fields(r))
	}
	m := map[string]any{"description": r.Description}
	maps.Copy(m, r.Extra)
	return e.Encode(m)
}

// Operation is one request that the interface takes.
type Operation[E Encoding] struct {
	OperationID string                 `json:"operationId,omitempty"`
	Summary     string                 `json:"summary,omitempty"`
	Tags        []string               `json:"tags,omitempty"`
	Responses   map[string]Response[E] `json:"responses"`
	Extra       map[string]any         `json:"-"`
}

// MarshalJSON returns the object with its extensions.
func (o Operation[E]) MarshalJSON() ([]byte, error) {
	var e E
	if len(o.Extra) == 0 {
		type fields Operation[E]
		return e.Encode(fields(o))
	}
	m := map[string]any{"responses": o.Responses}
	set(m, "operationId", o.OperationID)
	set(m, "summary", o.Summary)
	if len(o.Tags) > 0 {
		m["tags"] = o.Tags
	}
	maps.Copy(m, o.Extra)
	return e.Encode(m)
}

// PathItem holds the operations of a path, by method.
type PathItem[E Encoding] struct {
	Get   *Operation[E]  `json:"get,omitempty"`
	Post  *Operation[E]  `json:"post,omitempty"`
	Extra map[string]any `json:"-"`
}

// MarshalJSON returns the object with its extensions.
func (p PathItem[E]) MarshalJSON() ([]byte, error) {
	var e E
	if len(p.Extra) == 0 {
		type fields PathItem[E]
		return e.Encode(fields(p))
	}
	m := map[string]any{}
	if p.Get != nil {
		m["get"] = p.Get
	}
	if p.Post != nil {
		m["post"] = p.Post
	}
	maps.Copy(m, p.Extra)
	return e.Encode(m)
}

// Document is the whole.
type Document[E Encoding] struct {
	OpenAPI string                 `json:"openapi"`
	Info    Info[E]                `json:"info"`
	Servers []Server[E]            `json:"servers,omitempty"`
	Paths   map[string]PathItem[E] `json:"paths"`
	Extra   map[string]any         `json:"-"`
}

// MarshalJSON returns the object with its extensions.
func (d Document[E]) MarshalJSON() ([]byte, error) {
	var e E
	if len(d.Extra) == 0 {
		type fields Document[E]
		return e.Encode(fields(d))
	}
	m := map[string]any{"openapi": d.OpenAPI, "info": d.Info, "paths": d.Paths}
	if len(d.Servers) > 0 {
		m["servers"] = d.Servers
	}
	maps.Copy(m, d.Extra)
	return e.Encode(m)
}

// set adds a member that is left out where it is empty.
func set(m map[string]any, key, value string) {
	if value != "" {
		m[key] = value
	}
}
