// Package udpmetrics receives packets.
package udpmetrics

import (
	"errors"
	"net"
	"sync"
)

var packets = sync.Pool{New: func() any { b := make([]byte, 2048); return &b }}

// Serve reads packets until pc fails, and calls handle for each.
func Serve(pc net.PacketConn, handle func(p []byte, from net.Addr)) error {
	for {
		bp := packets.Get().(*[]byte)
		n, from, err := pc.ReadFrom(*bp)
		if err != nil {
			packets.Put(bp)
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		go func() {
			defer packets.Put(bp)
			handle((*bp)[:n], from)
		}()
	}
}
