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

// A Resolver appends the answer to a question. It keeps neither.
type Resolver interface {
	Resolve(dst, question []byte) ([]byte, error)
}

// Server answers what comes from one socket.
type Server struct {
	Conn     net.PacketConn
	Resolver Resolver

	running sync.WaitGroup
}

// Serve runs until the socket is closed, and then until all answers are sent.
func (s *Server) Serve() error {
	defer s.running.Wait()
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
		s.running.Add(1)
		go func() {
			defer s.running.Done()
			defer packets.Put(p)
			s.answer(from, (*p)[:n])
		}()
	}
}

func (s *Server) answer(to net.Addr, question []byte) {
	reply := make([]byte, 12, 512)
	copy(reply, question[:12])
	flags := binary.BigEndian.Uint16(reply[2:]) | 1<<15
	reply, err := s.Resolver.Resolve(reply, question[12:])
	if err != nil {
		return
	}
	binary.BigEndian.PutUint16(reply[2:], flags)
	s.Conn.WriteTo(reply, to)
}
