// Package deferinloop defers Puts in loops: they run when the function returns.
package deferinloop

import (
	"bytes"
	"io"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/jobs"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func ranged(w io.Writer, names []string) {
	for _, n := range names {
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b) // want "PV016"
		b.Reset()
		b.WriteString(n)
		b.WriteTo(w)
	}
}

func endless(w io.Writer, in <-chan string) error {
	for {
		b := bufs.Get()
		defer bufs.Put(b) // want "PV016"
		b.WriteString(<-in)
		if _, err := b.WriteTo(w); err != nil {
			return err
		}
	}
}

func closure(w io.Writer, n int) {
	for i := 0; i < n; i++ {
		j := jobs.New(i)
		defer func() { // want "PV016"
			j.Release()
		}()
		j.Run(w)
	}
}

func nested(w io.Writer, rows [][]string) {
	for _, row := range rows {
		if len(row) > 0 {
			b := bufs.Get()
			defer bufs.Put(b) // want "PV016"
			b.WriteString(row[0])
			b.WriteTo(w)
		}
	}
}

func backwards(w io.Writer, n int) {
again:
	b := bufs.Get()
	defer bufs.Put(b) // want "PV016"
	b.WriteByte('x')
	b.WriteTo(w)
	if n--; n > 0 {
		goto again
	}
}
