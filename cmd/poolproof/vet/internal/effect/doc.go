// Package effect is a table of what the functions of a package do with the pooled objects
// that fields hold. Package states fills it; whatever walks along paths asks it what a
// callee does with a place.
package effect
