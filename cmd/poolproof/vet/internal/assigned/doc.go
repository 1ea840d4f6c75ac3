// Package assigned learns what all the stores of a package say together: which function a
// variable holds, which fields have a buffer of their own, which functions set a flag, and
// which flags exclude each other.
package assigned
