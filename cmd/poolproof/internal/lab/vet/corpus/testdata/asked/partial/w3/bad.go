// Wrong: method Reset leaves out a field that users set
package w3

import (
	"fmt"
	"io"
	"sync"
)

type Entry struct {
	Level   int
	Msg     string
	Fields  []string
	Stacked bool
}

var entries = sync.Pool{New: func() any { return new(Entry) }}

func (e *Entry) Reset() { // want "PV011" Stacked is left out
	e.Level = 0
	e.Msg = ""
	e.Fields = e.Fields[:0]
}

func Log(w io.Writer, level int, msg string, fields ...string) {
	e := entries.Get().(*Entry)
	e.Reset()
	e.Level, e.Msg = level, msg
	e.Fields = append(e.Fields, fields...)
	if level > 3 {
		e.Stacked = true
	}
	fmt.Fprintln(w, e.Level, e.Msg, e.Fields, e.Stacked)
	entries.Put(e)
}
