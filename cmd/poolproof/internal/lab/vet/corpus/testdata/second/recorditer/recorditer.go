// Package recorditer ranges over records.
package recorditer

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"sync"
)

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

// Records yields each record of r, valid until the next.
func Records(r io.Reader) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		bp := scratch.Get().(*[]byte)
		defer scratch.Put(bp)
		sc := bufio.NewScanner(r)
		sc.Buffer(*bp, 1<<20)
		for sc.Scan() {
			if !yield(sc.Bytes()) {
				return
			}
		}
	}
}

// Collect returns copies of all.
func Collect(r io.Reader) (all [][]byte) {
	for rec := range Records(r) {
		all = append(all, bytes.Clone(rec))
	}
	return all
}
