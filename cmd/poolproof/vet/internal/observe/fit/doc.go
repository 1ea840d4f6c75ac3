// Package fit finds what is wrong with an object where it is put or got: growth that is lost,
// fields that still refer to it, references that it still has, another owner, flags of its
// last user.
package fit
