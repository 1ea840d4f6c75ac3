//go:build ccalloc

package arrowallocators

import "github.com/apache/arrow-go/v18/arrow/memory"

// cgoArrowArms is the arm cgoarrow: arrow-go's allocator on Arrow's C++ memory
// pool. It does not clear what it allocates.
func cgoArrowArms() []Arm {
	return []Arm{{Name: "cgoarrow", open: func() (Memory, error) {
		a := memory.NewCgoArrowAllocator()
		return Memory{Allocator: a, Held: a.AllocatedBytes, Out: a.AllocatedBytes, Dirty: true}, nil
	}}}
}
