// Package orderedjsonencoder is the study of one question: does it pay to
// encode into a pooled buffer, where json.Marshal would do?
//
// The published change did so in the MarshalJSON methods of some thirty types:
// it took a buffer of 4 KiB from a pool, encoded into it with a json.Encoder,
// cut the newline that an Encoder adds, and copied the rest out. The other form
// is what stood there before, json.Marshal. It takes its buffer from a pool of
// encoding/json, and copies the result out.
//
// The types are parts of an OpenAPI document, written anew: each has the fields
// of the specification and a map of extensions, which are members of the same
// object. The form is a type parameter: each arm has methods of its own.
package orderedjsonencoder
