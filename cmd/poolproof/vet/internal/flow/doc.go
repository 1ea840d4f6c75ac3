// Package flow follows values through the functions of one package: which function a call
// is of and what is known of it, where a value comes from, and when two values are equal.
package flow
