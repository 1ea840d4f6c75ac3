package rpcserver

import (
	"encoding/binary"
	"errors"
	"io"
	"log"
)

func (c *conn) readFrameRight() (_ *frame, err error) {
	var head [12]byte
	if _, err := io.ReadFull(c.rw, head[:]); err != nil {
		return nil, err
	}
	f := c.frames.get()
	f.id = binary.BigEndian.Uint64(head[:])
	n := int(binary.BigEndian.Uint32(head[8:]))
	if cap(f.payload) < n {
		f.payload = make([]byte, n)
	}
	f.payload = f.payload[:n]
	if _, err := io.ReadFull(c.rw, f.payload); err != nil {
		c.frames.put(f)
		return nil, err
	}
	return f, nil // fine "PV005" the caller puts it
}

func (c *conn) serveRight() error {
	for {
		f, err := c.readFrameRight()
		if err != nil {
			return err
		}
		id := f.id
		err = c.handle(f)
		c.frames.put(f)
		if err != nil {
			log.Printf("frame %d: %v", id, err) // fine "PV001" id was copied
		}
	}
}

func (c *conn) replyRight(id uint64, body []byte) error {
	f := c.frames.get()
	defer c.frames.put(f)
	f.id = id
	f.payload = append(f.payload, body...)
	_, err := c.rw.Write(f.payload)
	return err
}

func (c *conn) awaitRight(id uint64, timeout <-chan struct{}, done <-chan struct{}) error {
	f := c.frames.get()
	f.id = id
	c.mu.Lock()
	c.pending[id] = f
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.pending, id) // fine "PV004" gone from the map before the put
		c.mu.Unlock()
		c.frames.put(f)
	}()
	select {
	case <-done:
		return nil
	case <-timeout:
		return errors.New("timeout")
	}
}

// share counts its users; the last one puts.
func (c *conn) share(f *frame, n int, use func(*frame)) {
	f.refs.Store(int32(n))
	for range n {
		go func() {
			defer func() {
				if f.refs.Add(-1) == 0 {
					c.frames.put(f) // fine "PV002" the last one
				}
			}()
			use(f)
		}()
	}
}

// drop puts all that is pending.
func (c *conn) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, f := range c.pending {
		delete(c.pending, id)
		c.frames.put(f) // fine "PV002" each once
	}
}
