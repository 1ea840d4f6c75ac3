//go:build ccalloc && cgo

package arrowlog_test

import (
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

// addCPlusPlus adds Arrow's C++ memory pool, which does not clear by itself.
func addCPlusPlus(all map[string]arrowmem.Tracked) {
	all["cplusplus"] = arrowmem.NewZeroed(memory.NewCgoArrowAllocator())
}
