// Package typeptr copies streams between connections of a proxy and counts the bytes.
package typeptr

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
)

var chunks = sync.Pool{New: func() any {
	b := make([]byte, 32<<10)
	return &b
}}

// Proxy joins clients and a server.
type Proxy struct {
	Server string

	up, down atomic.Int64
}

// Handle serves one client.
func (p *Proxy) Handle(client net.Conn) error {
	defer client.Close()
	server, err := net.Dial("tcp", p.Server)
	if err != nil {
		return err
	}
	defer server.Close()

	done := make(chan error, 1)
	go func() {
		_, err := pipe(server, client, &p.up)
		done <- err
	}()
	_, err = pipe(client, server, &p.down)
	client.Close()
	server.Close()
	if upErr := <-done; err == nil {
		err = upErr
	}
	return err
}

func pipe(dst io.Writer, src io.Reader, total *atomic.Int64) (n int64, err error) {
	chunk := chunks.Get().(*[]byte)
	defer chunks.Put(&chunk) // want PV007
	for {
		k, err := src.Read(*chunk)
		if k > 0 {
			if _, err := dst.Write((*chunk)[:k]); err != nil {
				return n, err
			}
			n += int64(k)
			total.Add(int64(k))
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
