// Package borrowedctx keeps borrowed contexts beyond the callback.
package borrowedctx

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"example.org/corpus/lib/lend"
)

func goroutine(paths []string, log func(string)) {
	lend.Serve(paths, func(c *lend.Ctx) {
		go func() { // want "PV014"
			log(c.Path)
		}()
	})
}

func goroutineArgument(paths []string) {
	lend.Serve(paths, func(c *lend.Ctx) {
		go audit(c) // want "PV014"
	})
}

func audit(c *lend.Ctx) { fmt.Println(c.Path, c.Value("user")) }

func handler(c *lend.Ctx) {
	c.Set("seen", "yes")
	go func(c *lend.Ctx) { // want "PV014"
		audit(c)
	}(c)
}

func serveHandler(paths []string) { lend.Serve(paths, handler) }

// Whoever waits for wg may do so after the callback.
func unjoined(c *lend.Ctx, wg *sync.WaitGroup) {
	wg.Add(1)
	go func() { // want "PV014"
		defer wg.Done()
		time.Sleep(time.Millisecond)
		audit(c)
	}()
}

func method(paths []string, ids chan<- string) {
	lend.Serve(paths, func(c *lend.Ctx) {
		get := c.Value
		go func() { ids <- get("id") }() // want "PV014"
	})
}

var (
	last *lend.Ctx
	all  []*lend.Ctx
)

func kept(paths []string) {
	lend.Serve(paths, func(c *lend.Ctx) {
		last = c // want "PV014"
	})
}

func collected(paths []string) {
	lend.Serve(paths, func(c *lend.Ctx) {
		all = append(all, c) // want "PV014"
	})
}

// A context of this package.
type walk struct {
	depth int
	path  []string
}

// Walk calls fn for each name with a context that is used again.
func Walk(names []string, fn func(*Node)) {
	for _, n := range names {
		v := nodes.Get().(*Node)
		v.Name = n
		v.buf.Reset()
		fn(v)
		v.Name = ""
		nodes.Put(v)
	}
}

// Node is what Walk lends.
type Node struct {
	Name string
	buf  bytes.Buffer
}

var nodes = sync.Pool{New: func() any { return new(Node) }}

func index(names []string, found chan<- string) {
	Walk(names, func(n *Node) {
		go func() { found <- n.Name }() // want "PV014"
	})
}
