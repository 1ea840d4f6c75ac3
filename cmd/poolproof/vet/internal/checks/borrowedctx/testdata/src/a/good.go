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

func copies(t *table, c *cursor) {
	c.each(4, func(name []byte, row []int) bool {
		t.rows = append(t.rows, append([]int(nil), row...))
		n := len(name) + len(row)
		return n > 0
	})
}

func keepsOthers(t *table, c *cursor, row []int) {
	c.given(row, func(row []int) { t.rows = append(t.rows, row) })
	c.fresh(3, func(row []int) { t.rows = append(t.rows, row) })
}

func keepsCleared(t *table, c *cursor) {
	c.cleared(3, func(row []int) { t.rows = append(t.rows, row) })
}
