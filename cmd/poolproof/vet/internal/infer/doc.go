// Package infer learns from the code of a package what each of its functions
// does with pooled objects, until nothing new is learned.
package infer
