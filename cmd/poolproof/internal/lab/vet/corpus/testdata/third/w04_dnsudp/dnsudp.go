// Package dnsudp answers DNS questions that come in UDP packets, each in a goroutine.
package dnsudp

import (
	"encoding/binary"
	"errors"
	"net"
	"sync"
)

const maxPacket = 1232

var packets = sync.Pool{New: func() any {
	b := make([]byte, maxPacket)
	return &b
}}

// A Resolver appends the answer to a question.
type Resolver interface {
	Resolve(dst, question []byte) ([]byte, error)
}

// Server answers what comes from one socket.
type Server struct {
	Conn     net.PacketConn
	Resolver Resolver
}

// Serve runs until the socket is closed.
func (s *Server) Serve() error {
	for {
		p := packets.Get().(*[]byte)
		n, from, err := s.Conn.ReadFrom(*p)
		if err != nil {
			packets.Put(p)
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		if n < 12 {
			packets.Put(p)
			continue
		}
		go s.answer(from, (*p)[:n]) // want PV004
		packets.Put(p)
	}
}

func (s *Server) answer(to net.Addr, question []byte) {
	reply := make([]byte, 12, 512)
	copy(reply, question[:12])
	flags := binary.BigEndian.Uint16(reply[2:]) | 1<<15
	reply, err := s.Resolver.Resolve(reply, question[12:])
	if err != nil {
		flags |= 2
	}
	binary.BigEndian.PutUint16(reply[2:], flags)
	s.Conn.WriteTo(reply, to)
}
