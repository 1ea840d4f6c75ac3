package core

import (
	"testing"
	"unsafe"
)

// memory returns zeroed memory of at least n bytes that lives as long as the
// test.
func memory(t testing.TB, n uintptr) unsafe.Pointer {
	t.Helper()
	b := make([]uint64, n/8+1)
	t.Cleanup(func() { clear(b) }) // keeps b alive until then
	return unsafe.Pointer(&b[0])
}
