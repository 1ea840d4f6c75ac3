// Package orderedjsonlibrary is the study of where the bytes of a marshalled
// document should live when the encoder itself allocates nothing: systems/oas
// in place of the published walk. There is one arm for each answer:
//
//	grow    a new bytes.Buffer, which grows
//	again   the same under another name: what it differs by is noise
//	pool    a pooled buffer of 4 KiB, its content copied out, as published
//	exact   one slice of exactly the size that the document knows it has
//	lease   a slice of the caller, valid until the next call
//
// The documents are those of the study ordered-json, and one of more than 1 MiB,
// the size from which the published pool drops its buffers.
package orderedjsonlibrary
