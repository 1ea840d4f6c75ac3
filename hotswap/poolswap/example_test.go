package poolswap_test

import (
	"fmt"

	"github.com/poolproof/poolproof/hotswap/poolswap"
)

type cache struct {
	poolswap.Ref
	entries map[string]string
}

func Example() {
	pool := poolswap.NewPool(
		func() *cache { return &cache{entries: make(map[string]string)} },
		func(c *cache) bool {
			clear(c.entries)
			return true // fit for another use
		},
	)
	container := poolswap.NewEmptyContainer(pool)

	next := container.GetNew()
	next.entries["colour"] = "red"
	container.Update(next)

	current := container.Acquire()
	defer container.Release(current)
	fmt.Println(current.entries["colour"])

	container.WithAcquire(func(c *cache) {
		if c != nil {
			fmt.Println(len(c.entries))
		}
	})
	// Output:
	// red
	// 1
}
