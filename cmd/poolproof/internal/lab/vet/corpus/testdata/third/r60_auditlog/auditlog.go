// Package auditlog writes who has changed what, one line for each change, with a summary by hour.
package auditlog

import (
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/poolproof/poolproof/buffer"
)

var lines = buffer.New(buffer.Options{Name: "audit", Zero: buffer.ZeroUsed})

// Change is one change.
type Change struct {
	At     time.Time
	User   string
	Object string
	Fields map[string]string
}

// Log writes changes.
type Log struct {
	mu   sync.Mutex
	w    io.Writer
	hour time.Time
	n    int
}

// New returns a Log that writes to w.
func New(w io.Writer) *Log { return &Log{w: w} }

func (c *Change) line() *buffer.Buffer {
	b := lines.Append()
	b.Write(c.At.AppendFormat(b.AvailableBuffer(), time.RFC3339))
	fmt.Fprintf(b, " %s %s", c.User, c.Object)
	for name, value := range c.Fields {
		b.WriteByte(' ')
		b.WriteString(name)
		b.WriteByte('=')
		b.Write(strconv.AppendQuote(b.AvailableBuffer(), value))
	}
	b.WriteByte('\n')
	return b
}

// Write writes c and returns its line.
func (l *Log) Write(c *Change) (string, error) {
	b := c.line()
	defer b.Release()
	l.mu.Lock()
	defer l.mu.Unlock()
	if hour := c.At.Truncate(time.Hour); hour.After(l.hour) {
		if err := l.summary(); err != nil {
			return "", err
		}
		l.hour, l.n = hour, 0
	}
	if _, err := b.WriteTo(l.w); err != nil {
		return "", err
	}
	l.n++
	return b.String(), nil
}

func (l *Log) summary() error {
	if l.n == 0 {
		return nil
	}
	b := lines.Append()
	fmt.Fprintf(b, "# %d changes in the hour of %s\n", l.n, l.hour.Format(time.DateTime))
	_, err := b.WriteTo(l.w)
	b.Release()
	return err
}
