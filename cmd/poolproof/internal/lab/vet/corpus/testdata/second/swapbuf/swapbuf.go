// Package swapbuf writes pages of a limited size.
package swapbuf

import (
	"bytes"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Pages writes the lines in pages, each by one call of write.
func Pages(lines []string, size int, write func(p []byte) error) error {
	cur := bufs.Get().(*bytes.Buffer)
	cur.Reset()
	for _, l := range lines {
		if cur.Len()+len(l) > size {
			err := write(cur.Bytes())
			bufs.Put(cur)
			if err != nil {
				return err
			}
			cur = bufs.Get().(*bytes.Buffer)
			cur.Reset()
		}
		cur.WriteString(l)
		cur.WriteByte('\n')
	}
	err := write(cur.Bytes())
	bufs.Put(cur)
	return err
}
