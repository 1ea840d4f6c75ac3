// Package udpstats receives counters over UDP.
package udpstats

import (
	"bytes"
	"net"
	"sync"
)

// Server adds up what it receives.
type Server struct {
	packets sync.Pool
	mu      sync.Mutex
	counts  map[string]int
}

// New returns a server without counts.
func New() *Server {
	return &Server{
		packets: sync.Pool{New: func() any { b := make([]byte, 1500); return &b }},
		counts:  map[string]int{},
	}
}

// Serve reads packets until the connection fails.
func (s *Server) Serve(pc net.PacketConn) error {
	for {
		bp := s.packets.Get().(*[]byte)
		n, from, err := pc.ReadFrom(*bp)
		if err != nil {
			return err // want "PV005"
		}
		go s.handle((*bp)[:n], from) // want "PV004"
		s.packets.Put(bp)
	}
}

func (s *Server) handle(p []byte, from net.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range bytes.Fields(p) {
		s.counts[from.Network()+"/"+string(name)]++
	}
}
