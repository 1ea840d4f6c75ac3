package poolthreshold

import (
	"fmt"
	"slices"
)

// StackSizes are the Sizes for which Make can keep the block on the stack. From
// 64 KiB on the compiler would not.
var StackSizes = []Size{64, 1 << 10, 16 << 10}

// Make is the arm make: a new block for each use.
type Make struct {
	user
	stays bool // the block does not leave Uses
}

// NewMake returns the arm for blocks of a size. With stays the block does not
// leave the function that makes it, and its size, one of StackSizes, is a
// constant there.
func NewMake(size Size, stays bool) *Make {
	if stays && !slices.Contains(StackSizes, size) {
		panic(fmt.Sprintf("poolthreshold: no block of %v on the stack; take one of %v", size, StackSizes))
	}
	return &Make{newUser(size), stays}
}

// Uses implements Arm.
func (m *Make) Uses(n int) (sum uint64) {
	for range n {
		switch {
		case !m.stays:
			sum += m.use(make([]byte, m.size), m.data)
		case m.size == 64:
			sum += use(make([]byte, 64), m.data)
		case m.size == 1<<10:
			sum += use(make([]byte, 1<<10), m.data)
		default:
			sum += use(make([]byte, 16<<10), m.data)
		}
	}
	return sum
}
