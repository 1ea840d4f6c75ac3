package a

import "sync"

type codec struct {
	mu   sync.Mutex
	pool sync.Pool
}

func (c codec) get() any { return c.pool.Get() } // want `PV019 pool-copied \(error\): get passes a pool by value`

func parameter(p sync.Pool) any { return p.Get() } // want `parameter passes a pool by value`

func assigned(c *codec) {
	p := c.pool // want `assignment copies a pool to p`
	p.Get()
	d := *c // want `assignment copies a pool to d`
	d.pool.Get()
}

func ranged(all []codec) {
	for _, c := range all { // want `range var c copies a pool`
		c.pool.Get()
	}
}

func returned(c *codec) sync.Pool {
	return c.pool // want `return copies a pool`
}

func called(c *codec) {
	parameter(c.pool) // want `call of parameter copies a pool`
}

var copied = struct{ p [2]sync.Pool }{array} // want `literal copies a pool from array`

var array [2]sync.Pool
