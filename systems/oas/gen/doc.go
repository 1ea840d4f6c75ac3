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
// Parameters are strings, numbers, booleans, times, slices of these, or structs and
// maps whose members are such; they are sent in the style that the document gives
// them. A value that is more than that, or that has a media type, is a string, which
// the caller writes. Where a style has no escape for its separator, a value that
// holds it arrives as two. Headers whose name no request can have are left out, and
// so are Accept, Content-Type and Authorization, as OpenAPI demands. A body that is
// not JSON is an io.Reader, and a result that is not JSON is a []byte. Of several
// answers of success the first is the type of the result; another one may be empty.
package gen
