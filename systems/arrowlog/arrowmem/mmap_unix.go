//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package arrowmem

import (
	"os"
	"syscall"
)

const canMap = true

var pageSize = os.Getpagesize()

// mapMemory maps zero pages.
func mapMemory(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func unmapMemory(b []byte) error { return syscall.Munmap(b) }

// protect makes every access to b fault.
func protect(b []byte) error { return syscall.Mprotect(b, syscall.PROT_NONE) }
