//go:build poolproofdebug && !linux && !darwin

package buffer

// guardSupported reports whether memory can be made inaccessible. Package
// syscall has no call for it here.
const guardSupported = false

func mapMemory(int) []byte { return nil }

func protect([]byte, bool) {}

func unmap([]byte) {}
