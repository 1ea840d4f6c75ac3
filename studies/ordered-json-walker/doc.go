// Package orderedjsonwalker is the study of one question: does it pay to take
// the context that a walker hands to its callbacks from a pool?
//
// A walker visits the parts of an OpenAPI document and calls a function of the
// user for each. The context says where the part is: the published one has
// five strings, a flag, two pointers and a context.Context, and the path to the
// part is a string that is made for each call. The walk is the published one too,
// written again: through structs, maps in the order of their keys, a copy of what
// is known on the way down for each part. Its allocations are those of the
// original within 3 % (counters_test.go). What differs is where the context lives.
// There is one file for each form, and each form is an arm of the study:
//
//	new    a new context for each call
//	pool   a pooled context, cleared and put back after the call, as published
//	value  the context itself in place of a pointer to it
//
// A user may keep what new and value hand out. What pool hands out is somebody
// else's after the call: a user who keeps it reads, later, an empty context or
// that of another part. The published documentation forbids it, and nothing
// notices when it is done.
//
// The documents are those of the study ordered-json.
package orderedjsonwalker
