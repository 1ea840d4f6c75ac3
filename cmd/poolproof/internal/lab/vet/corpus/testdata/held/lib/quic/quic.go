// Package quic has packet buffers that several packets of one datagram share.
package quic

import (
	"net"
	"sync"
)

// MaxSize is the size of the largest datagram.
const MaxSize = 1452

var pool = sync.Pool{New: func() any { return &Buffer{Data: make([]byte, 0, MaxSize)} }}

// Buffer is counted: each Split asks for one Release more.
type Buffer struct {
	Data []byte
	refs int
}

// GetBuffer returns a buffer with one reference.
func GetBuffer() *Buffer {
	b := pool.Get().(*Buffer)
	b.refs = 1
	b.Data = b.Data[:0]
	return b
}

// Split adds a reference.
func (b *Buffer) Split() { b.refs++ }

// Release takes one away, and puts the buffer when it was the last.
func (b *Buffer) Release() {
	if b.refs--; b.refs < 0 {
		panic("quic: a buffer was released too often")
	}
	if b.refs == 0 {
		pool.Put(b)
	}
}

// Plain is a buffer without a count.
type Plain struct{ Data []byte }

var plain = sync.Pool{New: func() any { return &Plain{Data: make([]byte, 0, MaxSize)} }}

// GetPlain returns a buffer that is released once.
func GetPlain() *Plain {
	p := plain.Get().(*Plain)
	p.Data = p.Data[:0]
	return p
}

// Release puts it.
func (p *Plain) Release() {
	if cap(p.Data) != MaxSize {
		panic("quic: a buffer of another size")
	}
	plain.Put(p)
}

// Received is a datagram.
type Received struct {
	Buffer *Buffer
	Data   []byte
	From   net.Addr
}

// Datagram is one without a count.
type Datagram struct {
	Buffer *Plain
	Data   []byte
	From   net.Addr
}
