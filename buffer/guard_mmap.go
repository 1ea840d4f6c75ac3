//go:build poolproofdebug && (linux || darwin)

package buffer

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// guardSupported reports whether memory can be made inaccessible.
const guardSupported = true

// mapped returns size rounded up to whole pages.
func mapped(size int) int {
	page := os.Getpagesize()
	return (size + page - 1) / page * page
}

// mapMemory returns size bytes on pages of their own.
func mapMemory(size int) []byte {
	m, err := syscall.Mmap(-1, 0, mapped(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(fmt.Sprintf("buffer: no guarded memory of %d bytes: %v (a process may have a limited number of mappings)", size, err))
	}
	return m[:size:size]
}

// pages returns the whole mapping of m, which mapMemory returned.
func pages(m []byte) []byte {
	return unsafe.Slice(unsafe.SliceData(m), mapped(cap(m)))
}

// protect makes m inaccessible, or accessible again.
func protect(m []byte, inaccessible bool) {
	access := syscall.PROT_READ | syscall.PROT_WRITE
	if inaccessible {
		access = syscall.PROT_NONE
	}
	if err := syscall.Mprotect(pages(m), access); err != nil {
		panic(fmt.Sprintf("buffer: cannot change the protection of guarded memory: %v", err))
	}
}

// unmap gives m back to the system.
func unmap(m []byte) {
	if err := syscall.Munmap(pages(m)); err != nil {
		panic(fmt.Sprintf("buffer: cannot unmap guarded memory: %v", err))
	}
}
