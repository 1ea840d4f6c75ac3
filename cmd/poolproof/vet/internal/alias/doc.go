// Package alias finds the values that are, or hold, the memory of one object, and whether
// they are so on every path.
//
// It begins with the values that the object is known by and follows their uses, until
// nothing is added. [Set] is what it knows; follow.go has a case for each instruction,
// into.go, copy.go, cast.go and results.go the instructions by which memory gets
// elsewhere, and must.go decides what is so on every path.
package alias
