package borrowedctx

import (
	"sync"

	"example.org/corpus/lib/lend"
)

func copied(paths []string, log func(string)) {
	lend.Serve(paths, func(c *lend.Ctx) {
		c = c.Copy()
		go func() { // fine "PV014" a copy
			log(c.Path)
		}()
	})
}

func copiedArgument(c *lend.Ctx) {
	go audit(c.Copy()) // fine "PV014" a copy
}

func valueOnly(paths []string, log func(string)) {
	lend.Serve(paths, func(c *lend.Ctx) {
		path := c.Path
		go log(path) // fine "PV014" a string
	})
}

func joined(c *lend.Ctx, parts int) {
	var wg sync.WaitGroup
	for range parts {
		wg.Go(func() { // fine "PV014" waited for
			audit(c)
		})
	}
	wg.Wait()
}

func joinedByChannel(paths []string) {
	lend.Serve(paths, func(c *lend.Ctx) {
		done := make(chan struct{})
		go func() { // fine "PV014" waited for
			defer close(done)
			audit(c)
		}()
		<-done
	})
}

func direct(c *lend.Ctx) {
	audit(c) // fine "PV014" during the callback
	c.Set("audited", "yes")
}

// A context that was made, not borrowed, is as free as any value.
func own(path string) {
	c := &lend.Ctx{Path: path}
	go audit(c) // fine "PV014" not borrowed
}

func names(list []string) (found []string) {
	Walk(list, func(n *Node) {
		found = append(found, n.Name) // fine "PV004 PV014" a string is kept
	})
	return found
}

func lengths(list []string) map[string]int {
	m := map[string]int{}
	Walk(list, func(n *Node) {
		m[n.Name] = n.buf.Len() // fine "PV004 PV014" values
	})
	return m
}

// A plain type of this package, in a goroutine.
func start(w *walk) {
	go func() { w.depth++ }() // fine "PV014" never pooled
}
