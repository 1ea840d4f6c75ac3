package a

import "sync"

func (c *codec) pointer() any { return c.pool.Get() }

func made() codec { return codec{} }

func fresh() {
	p := sync.Pool{}
	p.Get()
	var q sync.Pool
	q.Get()
}

func indexes(all []codec) {
	for i := range all {
		all[i].pool.Get()
	}
}

// Another lock: copylocks says so.
type other struct{ mu sync.Mutex }

func mutex(o other) { o.mu.Lock() }

// The mutex beside a pool.
func beside(c *codec) {
	mu := c.mu
	mu.Lock()
}
