//go:build ccalloc && cgo

package arrowmem_test

import (
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

func addCPlusPlus(all map[string]func() (arrowmem.Tracked, func() error)) {
	all["Arrow's C++ pool, zeroed"] = func() (arrowmem.Tracked, func() error) {
		return arrowmem.NewZeroed(memory.NewCgoArrowAllocator()), func() error { return nil }
	}
}
