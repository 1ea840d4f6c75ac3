// Package udpserver answers datagrams.
package udpserver

import (
	"errors"
	"net"
	"sync"
)

const size = 2048

var packets = sync.Pool{New: func() any { b := make([]byte, size); return &b }}

type Handler func(c net.PacketConn, from net.Addr, p []byte)

func Serve(c net.PacketConn, h Handler) error {
	for {
		bp := packets.Get().(*[]byte)
		n, from, err := c.ReadFrom(*bp)
		if errors.Is(err, net.ErrClosed) {
			return nil // want "PV005"
		}
		if err != nil {
			packets.Put(bp)
			continue
		}
		go h(c, from, (*bp)[:n]) // want "PV004"
		packets.Put(bp)
	}
}

type peer struct {
	last []byte
	addr net.Addr
}

type table struct {
	mu    sync.Mutex
	peers map[string]*peer
}

func (t *table) receive(c net.PacketConn) error {
	bp := packets.Get().(*[]byte)
	defer packets.Put(bp)
	n, from, err := c.ReadFrom(*bp)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.peers[from.String()] = &peer{last: (*bp)[:n], addr: from} // want "PV004"
	return nil
}
