// Package copyproxy copies between two connections.
package copyproxy

import (
	"io"
	"net"
	"sync"
)

var chunks = sync.Pool{New: func() any {
	b := make([]byte, 32<<10)
	return &b
}}

// Pipe copies both ways until one side is done.
func Pipe(a, b net.Conn) error {
	errs := make(chan error, 2)
	go func() { errs <- half(a, b) }()
	go func() { errs <- half(b, a) }()
	err := <-errs
	a.Close()
	b.Close()
	<-errs
	return err
}

func half(dst, src net.Conn) error {
	buf := chunks.Get().(*[]byte)
	_, err := io.CopyBuffer(dst, src, *buf)
	chunks.Put(*buf) // want "PV007|PV008"
	return err
}
