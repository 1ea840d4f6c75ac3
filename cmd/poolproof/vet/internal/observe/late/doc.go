// Package late finds what is done with an object after it was put, by a direct or a deferred
// call, by a callee that put it out of a field or a list, or by whoever it was handed to.
package late
