// Package deferless is a fixture: the published contract of pooled receive
// buffers, GetBuffer and PutBuffer. Receive puts the buffer before each of its
// ends and not by a defer, so nothing is lost as long as no call between panics;
// the contract asks for the defer all the same. "poolproof vet -require-defer
// GetBuffer" finds that it is missing.
package deferless

import (
	"bytes"
	"net"
	"sync"
)

var buffers = sync.Pool{New: func() any {
	buf := make([]byte, 9000)
	return &buf
}}

// GetBuffer returns a buffer of 9000 bytes, the caller's until PutBuffer.
func GetBuffer() *[]byte { return buffers.Get().(*[]byte) }

// PutBuffer clears a buffer and gives it up.
func PutBuffer(buf *[]byte) {
	clear(*buf)
	buffers.Put(buf)
}

// Receive returns the next packet of a socket, which is the caller's.
func Receive(c net.PacketConn) ([]byte, net.Addr, error) {
	buf := GetBuffer()
	n, src, err := c.ReadFrom(*buf)
	if err != nil {
		PutBuffer(buf)
		return nil, nil, err
	}
	data := bytes.Clone((*buf)[:n])
	PutBuffer(buf)
	return data, src, nil
}

// ReceiveDeferred is the same with the defer.
func ReceiveDeferred(c net.PacketConn) ([]byte, net.Addr, error) {
	buf := GetBuffer()
	defer PutBuffer(buf)
	n, src, err := c.ReadFrom(*buf)
	if err != nil {
		return nil, nil, err
	}
	return bytes.Clone((*buf)[:n]), src, nil
}
