// Right: what the reset leaves out is set by each user
package r2

import (
	"fmt"
	"io"
	"sync"
	"time"
)

type Entry struct {
	Level  int
	Msg    string
	Fields []string
	At     time.Time
}

var entries = sync.Pool{New: func() any { return new(Entry) }}

func (e *Entry) Reset() {
	e.Msg = ""
	e.Fields = e.Fields[:0]
}

func Log(w io.Writer, level int, msg string, fields ...string) {
	e := entries.Get().(*Entry)
	e.Level = level
	e.At = time.Now()
	e.Msg = msg
	e.Fields = append(e.Fields, fields...)
	fmt.Fprintln(w, e.At, e.Level, e.Msg, e.Fields)
	e.Reset()
	entries.Put(e)
}
