// Package retry is right.
package retry

import (
	"context"
	"errors"
	"sync"
	"time"
)

type Conn struct {
	id     int
	broken bool
	used   time.Time
}

var conns = sync.Pool{New: func() any { return new(Conn) }}

type Client struct{ send func(*Conn, string) error }

var errBroken = errors.New("broken")

func (c *Client) Call(ctx context.Context, s string) error {
	k := conns.Get().(*Conn)
	k.broken = false
	err := c.send(k, s)
	if errors.Is(err, errBroken) {
		k.broken = true
	}
	k.used = time.Now()
	if !k.broken {
		conns.Put(k)
	}
	return err
}

func (c *Client) Retry(ctx context.Context, s string, n int) (err error) {
	for i := 0; i < n; i++ {
		k := conns.Get().(*Conn)
		err = c.send(k, s)
		conns.Put(k)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	return err
}
