// Package memory gives names to places in memory, so that two addresses can be compared:
// a local variable, a field of it, a field of what a value points to. It finds the stores
// and loads of a place in a function with its literals, and what a place holds; and what all
// the stores of a package say together: which function a variable holds, which fields have a
// buffer of their own, which functions set a flag, and which flags exclude each other.
package memory
