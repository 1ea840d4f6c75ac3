// Package gen writes Go for an OpenAPI document: types, a client, and a server
// with a router of its own. What it writes is formatted as gofmt formats it,
// though neither gofmt nor any other step runs after it.
//
//	files, err := gen.Generate(d, gen.Options{Package: "pets"})
//	// files["types.go"], files["client.go"], files["server.go"]
//
// The code needs the standard library alone. The server's router takes each path
// that a document can have: parameters within a segment ("/{id}.json"), names
// that are no identifiers of Go, and templates that overlap, of which the most
// literal one is taken, as OpenAPI demands. (net/http.ServeMux panics for these.)
//
// What cannot be said in a Go type becomes any or json.RawMessage: oneOf and
// anyOf with more than one schema, references to other documents or in circles.
// Parameters are strings, numbers, booleans, times, or slices of these; an object
// in a parameter is a string, which the caller writes. A body that is not JSON is
// an io.Reader, and a result that is not JSON is a []byte.
package gen
