//go:build poolproofmark

package mark

import "unsafe"

// Put says that the n bytes at p are not in use until the next Get of them.
func Put(p unsafe.Pointer, n uintptr) { put(p, n) }

// Get says that the n bytes at p are in use again.
func Get(p unsafe.Pointer, n uintptr) { get(p, n) }

//go:linkname put runtime.poolproofMarkPut
//go:noescape
func put(p unsafe.Pointer, n uintptr)

//go:linkname get runtime.poolproofMarkGet
//go:noescape
func get(p unsafe.Pointer, n uintptr)
