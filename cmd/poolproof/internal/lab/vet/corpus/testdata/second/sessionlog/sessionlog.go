// Package sessionlog writes what a session did.
package sessionlog

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Session is one login.
type Session struct {
	User  string
	Steps []string
}

// Write writes the session to w.
func Write(w io.Writer, s *Session) error {
	var buf *bytes.Buffer
	defer bufs.Put(buf) // want "PV013"
	if s == nil {
		return nil
	}
	buf = bufs.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprintf(buf, "%s:\n", s.User)
	for i, step := range s.Steps {
		fmt.Fprintf(buf, "%4d %s\n", i, step)
	}
	_, err := buf.WriteTo(w)
	return err
}
