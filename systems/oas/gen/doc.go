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
// A method of the service gets the *Request, with its headers and its Route, and returns
// an *Answer with a body, a status and headers. Of an operation with several bodies of
// success one field is set, which says the status. A body in JSON is a Go value, one of
// text/event-stream a sequence of events, and any other one a stream. The handler checks
// each request against its schemas, and answers 400, 401, 413 or 415 as
// application/problem+json with a JSON pointer to the member. HandlerOptions has hooks
// for credentials, middleware, and errors that no client sees.
//
// A method of the client returns the same *Answer. A failure that the document describes
// is a *Failure of its type; any other answer is an *APIError, one of success included
// that the document does not have.
//
// A schema of several types (oneOf, anyOf) becomes a type with an As and a Set method for
// each; a struct keeps members that are no properties in Extra, and has a method Valid; a
// member that may be left out and may be null is a Nullable. A list that is required is
// written as [], not null. A tuple becomes []any, and what refers to itself alone any.
// Of two properties with one name in allOf the later one counts. Options.Note is told of
// each part of the document that the code does not express.
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
// application/vnd.pet+json, and a form of simple members is a Go value too. A body of
// multipart/form-data is a struct of its fields and files (FilePart), if its schema says
// which they are; a service may read a file until its method returns, and parts that are no
// properties are left out. Any other body is an io.Reader. Where the document has a range of
// media types, such as image/*, or parts that it does not name, the caller says the
// Content-Type.
//
// A day (format date) is a Date, an identifier (uuid) a UUID, and an enumeration of strings
// or integers a type with constants, which x-enum-varnames may name.
//
// The regular expressions of a document are those of package regexp, in which no
// expression takes exponential time; one that Go does not know is noted and matches all.
package gen
