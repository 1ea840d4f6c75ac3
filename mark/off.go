//go:build !poolproofmark

package mark

import "unsafe"

// Put says that the n bytes at p are not in use until the next Get of them.
func Put(p unsafe.Pointer, n uintptr) {}

// Get says that the n bytes at p are in use again.
func Get(p unsafe.Pointer, n uintptr) {}
