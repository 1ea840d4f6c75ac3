package mdnspublished

import (
	"bytes"
	"context"
	"sync"

	mdnsreceive "github.com/poolproof/poolproof/studies/mdns-receive"
)

// Transport receives the packets of one socket. Any number of goroutines may
// use it.
type Transport struct {
	conn    *mdnsreceive.Conn
	receive func(*mdnsreceive.Conn) (mdnsreceive.Packet, error)
}

// Receive returns the next packet, which is its caller's. When ctx has ended it
// returns an error and has received nothing.
func (t *Transport) Receive(ctx context.Context) (mdnsreceive.Packet, error) {
	if err := t.conn.Obey(ctx); err != nil {
		return mdnsreceive.Packet{}, err
	}
	p, err := t.receive(t.conn)
	if err != nil {
		return mdnsreceive.Packet{}, &mdnsreceive.ReceiveError{Operation: "receive", Err: err, Details: "no packet"}
	}
	return p, nil
}

// NewMake returns the arm make: each packet has a buffer of its own.
func NewMake(c *mdnsreceive.Conn) *Transport { return &Transport{c, receiveNew} }

func receiveNew(c *mdnsreceive.Conn) (mdnsreceive.Packet, error) {
	buf := newBuffer()
	n, src, ifIndex, err := c.ReadFrom(buf)
	return mdnsreceive.Packet{Data: buf[:n], Src: src, IfIndex: ifIndex}, err
}

// NewPool returns the arm pool: the buffer comes from a pool and goes back
// cleared, the caller gets a copy.
func NewPool(c *mdnsreceive.Conn) *Transport { return &Transport{c, receivePooled} }

func receivePooled(c *mdnsreceive.Conn) (mdnsreceive.Packet, error) {
	buf := getBuffer()
	defer putBuffer(buf)
	n, src, ifIndex, err := c.ReadFrom(*buf)
	if err != nil {
		return mdnsreceive.Packet{}, err
	}
	return mdnsreceive.Packet{Data: bytes.Clone((*buf)[:n]), Src: src, IfIndex: ifIndex}, nil
}

func newBuffer() []byte { return make([]byte, mdnsreceive.BufferSize) }

var buffers = sync.Pool{New: func() any {
	buf := newBuffer()
	return &buf
}}

func getBuffer() *[]byte { return buffers.Get().(*[]byte) }

func putBuffer(buf *[]byte) {
	clear(*buf)
	buffers.Put(buf)
}
