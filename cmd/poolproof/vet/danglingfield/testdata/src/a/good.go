package a

func (c *conn) clear() {
	buffers.Put(c.buf)
	c.buf = nil
}

func (c *conn) onlyOnce() {
	c.once.Do(func() { buffers.Put(c.buf) })
}

func (c *conn) whole() {
	buffers.Put(c.buf)
	*c = conn{}
}

func (c *conn) reset() { c.buf = nil }

func (c *conn) byCallee() {
	buffers.Put(c.buf)
	c.reset()
}
