// Package orderedjsontemplates is the study of one question: does it pay to
// take the buffers of a code generator from a pool?
//
// The generator writes three Go files from an OpenAPI document: the types, a
// client and a server. A text/template is executed into a buffer, and what it
// wrote is formatted, which makes a new slice. The published generator does
// both, and afterwards finds out the imports, which is dearer still; here the
// templates know them. What differs is where the buffer comes from. There is
// one file for each form, and each form is an arm of the study:
//
//	new    a buffer that starts empty and grows, as it was before the pool
//	pool   one pool, the content copied out before it is formatted
//	tiers  three pools by the number of operations, copied out, as published
//	lend   one pool, the buffer itself is formatted, and goes back afterwards
//
// The documents are those of the study ordered-json.
package orderedjsontemplates
