// Package datagrams is right.
package datagrams

import (
	"errors"
	"net"
	"sync"
)

var bufs = sync.Pool{New: func() any { b := make([]byte, 2048); return &b }}

func Serve(c net.PacketConn, h func(net.Addr, []byte)) error {
	for {
		bp := bufs.Get().(*[]byte)
		n, a, err := c.ReadFrom(*bp)
		if err != nil {
			bufs.Put(bp)
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		go func() {
			defer bufs.Put(bp)
			h(a, (*bp)[:n])
		}()
	}
}
