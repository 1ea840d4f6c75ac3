package a

import (
	"sync"

	"web"
)

func copied(c *web.Context) {
	own := c.Copy()
	go func() { audit(own.Path) }()
}

func value(c *web.Context) {
	path := c.Path
	go func() { audit(path) }()
}

func joined(c *web.Context) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		audit(c.Path)
	}()
	wg.Wait()
}
