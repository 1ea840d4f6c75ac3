//go:build poolproofdebug

package flow

import "unsafe"

// checked says whether the package checks its callers.
const checked = true

// poison is the byte that fills retired memory.
const poison = 0xDD

// retire makes v unusable, to its capacity, and returns nil: its memory is never
// used again, so that a function that kept it, or a part of it, finds no values.
func retire[T any](v []T, pointers bool) []T {
	v = v[:cap(v)]
	if pointers {
		clear(v)
		return nil
	}
	if bytes := int(unsafe.Sizeof(*new(T))) * len(v); bytes > 0 {
		fill(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), bytes))
	}
	return nil
}

func fill(b []byte) {
	for i := range b {
		b[i] = poison
	}
}
