// Package accesslog formats lines of an access log.
package accesslog

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"
	"time"
)

var lines = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type Sink interface{ WriteLine(p []byte) error }

type Logger struct {
	sink Sink
	min  int
}

// Line returns the line of a request.
func (l *Logger) Line(r *http.Request, status int, d time.Duration) []byte {
	b := lines.Get().(*bytes.Buffer)
	defer lines.Put(b)
	b.Reset()
	b.WriteString(r.RemoteAddr)
	b.WriteByte(' ')
	b.WriteString(r.URL.Path)
	b.WriteByte(' ')
	b.WriteString(strconv.Itoa(status))
	return b.Bytes() // want "PV003|PV001"
}

// Log writes a line.
func (l *Logger) Log(r *http.Request, status int) error {
	b := lines.Get().(*bytes.Buffer)
	b.Reset()
	if status < l.min {
		return nil // want "PV005"
	}
	b.WriteString(r.Method)
	err := l.sink.WriteLine(b.Bytes())
	if err != nil {
		return err
	}
	lines.Put(b)
	return nil
}
