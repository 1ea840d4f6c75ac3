// Package rowcopy reads rows.
package rowcopy

import (
	"bytes"
	"sync"
)

type row struct{ cols [][]byte }

var rows = sync.Pool{New: func() any { return new(row) }}

// Read returns all rows as text.
func Read(lines [][]byte) [][]string {
	var all [][]string
	for _, l := range lines {
		r := rows.Get().(*row)
		r.cols = r.cols[:0]
		for c := range bytes.SplitSeq(l, []byte{','}) {
			r.cols = append(r.cols, c)
		}
		cols := make([]string, 0, len(r.cols))
		for _, c := range r.cols {
			cols = append(cols, string(c))
		}
		all = append(all, cols)
		clear(r.cols)
		rows.Put(r)
	}
	return all
}
