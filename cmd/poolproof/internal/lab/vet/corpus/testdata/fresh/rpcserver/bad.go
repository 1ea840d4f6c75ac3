// Package rpcserver serves calls over a connection.
package rpcserver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"sync/atomic"
)

type frame struct {
	id      uint64
	payload []byte
	refs    atomic.Int32
}

type framePool struct{ p sync.Pool }

func (fp *framePool) get() *frame {
	f, _ := fp.p.Get().(*frame)
	if f == nil {
		f = &frame{payload: make([]byte, 0, 1024)}
	}
	f.payload = f.payload[:0]
	return f
}

func (fp *framePool) put(f *frame) { fp.p.Put(f) }

type conn struct {
	rw      io.ReadWriter
	frames  framePool
	pending map[uint64]*frame
	mu      sync.Mutex
	handle  func(*frame) error
}

var errShort = errors.New("short frame")

func (c *conn) readFrame() (*frame, error) {
	f := c.frames.get()
	var head [12]byte
	if _, err := io.ReadFull(c.rw, head[:]); err != nil {
		return nil, err // want "PV005"
	}
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
	return f, nil
}

// serve logs the frame that it has put.
func (c *conn) serve() error {
	for {
		f, err := c.readFrame()
		if err != nil {
			return err
		}
		err = c.handle(f)
		c.frames.put(f)
		if err != nil {
			log.Printf("frame %d: %v", f.id, err) // want "PV001"
		}
	}
}

// reply puts the frame under a flag in a deferred literal and at the error too.
func (c *conn) reply(id uint64, body []byte) (err error) {
	f := c.frames.get()
	defer func() {
		if err != nil {
			c.frames.put(f) // want "PV002"
		}
	}()
	f.id = id
	if len(body) > 1<<16 {
		c.frames.put(f)
		return fmt.Errorf("body of %d bytes", len(body))
	}
	f.payload = append(f.payload, body...)
	if _, err = c.rw.Write(f.payload); err != nil {
		return err
	}
	c.frames.put(f)
	return nil
}

// await registers a frame and puts it on timeout while the map still has it.
func (c *conn) await(id uint64, timeout <-chan struct{}, done <-chan struct{}) error {
	f := c.frames.get()
	f.id = id
	c.mu.Lock()
	c.pending[id] = f // want "PV004"
	c.mu.Unlock()
	select {
	case <-done:
		return nil
	case <-timeout:
		c.frames.put(f)
		return errors.New("timeout")
	}
}
