//go:build !poolproofdebug

package flow

// checked says whether the package checks its callers.
const checked = false

// retire returns v without elements, for its next use. It holds no pointers to
// what was in it.
func retire[T any](v []T, pointers bool) []T {
	if pointers {
		clear(v)
	}
	return v[:0]
}
