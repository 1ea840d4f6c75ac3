// Package pagecache keeps rendered pages.
package pagecache

import (
	"bytes"
	"io"
	"sync"
)

// Cache maps a path to a page.
type Cache struct {
	pages sync.Map
	bufs  sync.Pool
}

// Page returns the page of path, made by render if need be.
func (c *Cache) Page(path string, render func(io.Writer) error) ([]byte, error) {
	if p, ok := c.pages.Load(path); ok {
		return p.([]byte), nil
	}
	buf, ok := c.bufs.Get().(*bytes.Buffer)
	if !ok {
		buf = new(bytes.Buffer)
	}
	buf.Reset()
	defer c.bufs.Put(buf)
	if err := render(buf); err != nil {
		return nil, err
	}
	page := make([]byte, buf.Len())
	copy(page, buf.Bytes())
	c.pages.Store(path, page)
	return page, nil
}
