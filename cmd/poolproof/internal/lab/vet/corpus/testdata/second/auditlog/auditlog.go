// Package auditlog ships records without making the request wait.
package auditlog

import (
	"bytes"
	"fmt"
	"net"
	"sync"
	"time"
)

// Record is what happened.
type Record struct {
	User, Action string
	At           time.Time
}

// Shipper sends records to a collector.
type Shipper struct {
	conn net.Conn
	mu   sync.Mutex
}

var lines = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Log formats the record and sends it in the background.
func (s *Shipper) Log(r Record) {
	buf := lines.Get().(*bytes.Buffer)
	defer lines.Put(buf)
	buf.Reset()
	fmt.Fprintf(buf, "%s %q %q\n", r.At.Format(time.RFC3339), r.User, r.Action)
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.conn.Write(buf.Bytes()) // want "PV004"
	}()
}

// LogNow formats the record and waits until it is sent.
func (s *Shipper) LogNow(r Record) error {
	buf := lines.Get().(*bytes.Buffer)
	defer lines.Put(buf)
	buf.Reset()
	fmt.Fprintf(buf, "%s %q %q\n", r.At.Format(time.RFC3339), r.User, r.Action)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.conn.Write(buf.Bytes())
	return err
}
