// Package auditqueue ships records in the background.
package auditqueue

import (
	"bytes"
	"fmt"
	"net"
	"sync"
)

var lines = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Shipper writes to a connection.
type Shipper struct {
	mu   sync.Mutex
	conn net.Conn
	wg   sync.WaitGroup
}

// Log ships a record.
func (s *Shipper) Log(user, action string) {
	buf := lines.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprintf(buf, "%q %q\n", user, action)
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		defer lines.Put(buf)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.conn.Write(buf.Bytes())
	}()
}

// Close waits for all.
func (s *Shipper) Close() error { s.wg.Wait(); return s.conn.Close() }
