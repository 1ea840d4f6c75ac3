//go:build amd64 || arm64

package oas_test

import (
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

// A source that no offset of 32 bits can reach is refused before any of it is
// read: the pages of this one are never touched.
func TestASourceOfFourGiBIsRefused(t *testing.T) {
	source, err := syscall.Mmap(-1, 0, 1<<32, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("SKIPPED: no address space: %v", err)
	}
	defer syscall.Munmap(source)
	source[0] = '['
	for _, size := range []int{1<<32 - 1<<20 + 1, 1 << 32} {
		for name, parse := range map[string]func([]byte) (*oas.Doc, error){"Parse": oas.Parse, "ParseJSON": oas.ParseJSON, "ParseYAML": oas.ParseYAML} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := parse(source[:size])
			runtime.ReadMemStats(&after)
			if made := after.TotalAlloc - before.TotalAlloc; made > 1<<20 {
				t.Errorf("%s makes %d bytes for a source that it refuses", name, made)
			}
			if err == nil || !strings.Contains(err.Error(), "1:1: the source has 429") || !strings.Contains(err.Error(), "the limit") {
				t.Errorf("%s of %d bytes: %v", name, size, err)
			}
		}
	}
}
