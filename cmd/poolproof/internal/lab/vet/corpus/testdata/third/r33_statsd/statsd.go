// Package statsd sends counters and timings in UDP packets of the statsd protocol.
package statsd

import (
	"io"
	"strconv"
	"sync"
	"time"
)

var packets = sync.Pool{New: func() any {
	b := make([]byte, 0, 64)
	return &b
}}

// Client sends to a socket.
type Client struct {
	w      io.Writer
	prefix string
	tags   []string
}

// New returns a Client. All names begin with prefix.
func New(w io.Writer, prefix string, tags ...string) *Client {
	return &Client{w, prefix, tags}
}

func (c *Client) send(name string, value int64, unit string) error {
	p := packets.Get().(*[]byte)
	b := (*p)[:0]
	b = append(b, c.prefix...)
	b = append(b, name...)
	b = append(b, ':')
	b = strconv.AppendInt(b, value, 10)
	b = append(b, '|')
	b = append(b, unit...)
	for i, tag := range c.tags {
		if i == 0 {
			b = append(b, "|#"...)
		} else {
			b = append(b, ',')
		}
		b = append(b, tag...)
	}
	_, err := c.w.Write(b)
	*p = b
	packets.Put(p)
	return err
}

// Count adds n to a counter.
func (c *Client) Count(name string, n int64) error { return c.send(name, n, "c") }

// Timing reports how long something took.
func (c *Client) Timing(name string, d time.Duration) error {
	return c.send(name, d.Milliseconds(), "ms")
}
