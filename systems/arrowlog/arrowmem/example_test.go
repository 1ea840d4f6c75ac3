package arrowmem_test

import (
	"fmt"

	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

func Example() {
	mem := arrowmem.NewRecycler(arrowmem.Options{})
	b := mem.Allocate(1000)
	b = mem.Reallocate(1010, b) // within the block: nothing moves
	fmt.Println(len(b), mem.AllocatedBytes())
	mem.Free(b)
	fmt.Println(mem.AllocatedBytes())
	// Output:
	// 1010 1010
	// 0
}

// A test that wants to know about leaks and misuse puts a Guard in front of the
// allocator that it uses.
func ExampleGuard() {
	mem := arrowmem.NewGuard(arrowmem.NewRecycler(arrowmem.Options{}), arrowmem.GuardOptions{})
	b := mem.Allocate(64)
	mem.Free(b)
	fmt.Println(mem.Close())
	// Output: <nil>
}
