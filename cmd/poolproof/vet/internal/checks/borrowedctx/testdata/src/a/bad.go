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
