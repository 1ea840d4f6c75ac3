// Package gen writes Go for an OpenAPI document: types, a client, and a server
// with its own router. The output is formatted as gofmt formats it, without a run
// of gofmt.
//
//	files, err := gen.Generate(d, gen.Options{Package: "pets"})
//	// files["types.go"], files["client.go"], files["server.go"]
//
// The code imports only the standard library. The server's router accepts each path
// that a document can have: parameters within a segment ("/{id}.json"), names that
// are not Go identifiers, and templates that overlap. Of these the most literal one
// wins, as OpenAPI demands. (net/http.ServeMux panics for such paths.)
//
// A schema without a Go type becomes any or json.RawMessage: oneOf and anyOf with
// more than one schema, references to other documents or in circles. A tuple
// becomes []any. A struct has the properties of its schema, and drops all other
// members. Of two properties with one name in allOf the later one counts.
//
// Parameters are strings, numbers, booleans, times, slices of these, or structs and
// maps whose members are such; they are sent in the style that the document gives
// them. A value that is more than that, or that has a media type, is a string, which
// the caller writes. An element of a list that holds the separator of its style
// arrives as two. Cookies are escaped in every style. Headers whose name no request
// can have are left out, and so are Accept, Content-Type and Authorization, as
// OpenAPI demands.
//
// A body is sent in JSON if one of its media types is that, such as
// application/vnd.pet+json. Any other one is an io.Reader, and a result that is not
// JSON is a []byte. Where the document has a range of media types, such as image/*,
// or a body in parts, the caller says the Content-Type. Of several answers of
// success the first is the type of the result; another one may be empty.
package gen
