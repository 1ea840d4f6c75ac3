// Package tcpproxy joins clients and a server, and counts the bytes.
package tcpproxy

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

var chunks = sync.Pool{New: func() any {
	b := make([]byte, 32<<10)
	return &b
}}

// Proxy is a proxy.
type Proxy struct {
	Server string
	Idle   time.Duration

	bytes atomic.Int64
}

// Serve runs until ctx ends, and then until all connections are closed.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		wg.Go(func() { p.handle(ctx, conn) })
	}
}

func (p *Proxy) handle(ctx context.Context, client net.Conn) {
	defer client.Close()
	server, err := net.DialTimeout("tcp", p.Server, p.Idle)
	if err != nil {
		return
	}
	defer server.Close()
	stop := context.AfterFunc(ctx, func() { client.Close(); server.Close() })
	defer stop()

	var wg sync.WaitGroup
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		chunk := chunks.Get().(*[]byte)
		wg.Go(func() {
			defer chunks.Put(chunk)
			p.pipe(way[0], way[1], *chunk)
			way[0].Close()
			way[1].Close()
		})
	}
	wg.Wait()
}

func (p *Proxy) pipe(dst, src net.Conn, chunk []byte) {
	for {
		src.SetReadDeadline(time.Now().Add(p.Idle))
		n, err := src.Read(chunk)
		p.bytes.Add(int64(n))
		if _, e := dst.Write(chunk[:n]); e != nil {
			return
		}
		if err != nil {
			return
		}
	}
}
