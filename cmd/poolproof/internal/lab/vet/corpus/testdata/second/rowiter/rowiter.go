// Package rowiter ranges over the rows of a table file.
package rowiter

import (
	"bufio"
	"io"
	"iter"
	"sync"
)

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

// Rows yields each row of r. A row is valid until the next.
func Rows(r io.Reader) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		bp := scratch.Get().(*[]byte)
		sc := bufio.NewScanner(r)
		sc.Buffer(*bp, 1<<20)
		for sc.Scan() {
			row := sc.Bytes()
			if len(row) == 0 || row[0] == '#' {
				continue
			}
			if !yield(row) {
				return // want "PV005"
			}
		}
		scratch.Put(bp)
	}
}
