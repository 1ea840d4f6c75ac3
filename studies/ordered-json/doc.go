// Package orderedjson is the study of one question: does it pay to take the
// buffer in which a document is marshalled from a pool?
//
// The document is the published one, written anew: an OpenAPI document that is
// kept twice, as a tree of YAML nodes, which knows the order of the keys, and
// as a map, which holds the values. Marshalling walks the tree, calls
// json.Marshal for each key and each scalar, and writes what it returns to a
// bytes.Buffer. What differs is where the bytes of the result live. There is
// one file for each form, and each form is an arm of the study:
//
//	grow      a buffer that starts empty and grows, as it was before the pool
//	pool      a pooled buffer of 4 KiB, its content copied out, as published
//	presized  a new buffer of the size that the source has
//	lease     a buffer of the caller, whose content is valid until the next call
//	lean      the same bytes without a json.Marshal for each key
//	sorted    json.Marshal of the map: the keys in another order
//
// The documents are made by this package (Shape), of the sizes of the published
// ones, and of that of the pet store: no document of anybody else is needed.
//
// study.toml holds the question and what is expected, VERDICT.md the answer.
// The other pools that were published together with this one are judged by the
// studies ordered-json-published (the micro-benchmark), ordered-json-encoder
// (the pool in MarshalJSON), ordered-json-walker (contexts of callbacks) and
// ordered-json-templates (buffers of a code generator).
package orderedjson
