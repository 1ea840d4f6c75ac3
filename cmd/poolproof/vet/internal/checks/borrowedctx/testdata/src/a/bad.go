package a

import "web"

func audit(string) {}

func handler(c *web.Context) {
	go func() { // want `c is used by a goroutine that this callback does not wait for, but the code that lends it puts each web\.Context in a pool when the callback returns`
		audit(c.Path)
	}()
}

func passed(c *web.Context) {
	go note(c) // want `c is used by a goroutine`
}

func note(c *web.Context) { audit(c.Path) }

var last *web.Context

func kept(c *web.Context) {
	last = c // want `c is kept beyond the call`
}

type table struct {
	rows  [][]int
	names [][]byte
}

func (t *table) collect(c *cursor) {
	c.each(4, func(name []byte, row []int) bool {
		t.rows = append(t.rows, row)    // want `a value that refers to row is kept beyond the call, but each only lends it until the function returns; copy what is needed later`
		t.names = append(t.names, name) // want `a value that refers to name is kept beyond the call`
		return true
	})
}

func intoLocals(c *cursor) [][]int {
	rows := make([][]int, 0, 10)
	byKey := make([][]int, 10)
	err := c.each(4, func(name []byte, row []int) bool {
		rows = append(rows, row) // want `a value that refers to row is kept beyond the call`
		byKey[0] = row           // want `row is kept beyond the call`
		return true
	})
	if err != nil {
		return nil
	}
	return append(rows, byKey...)
}
