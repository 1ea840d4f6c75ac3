// Package flow follows values through the SSA form of a function: which
// variables it has, whom it calls, where a value comes from, and which values
// are, or hold, the memory of an object.
package flow
