// Package lineseq ranges over lines.
package lineseq

import (
	"bufio"
	"io"
	"iter"
	"strings"
	"sync"
)

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// Lines yields the lines of r.
func Lines(r io.Reader) iter.Seq2[int, string] {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	return func(yield func(int, string) bool) { // want "PV003|PV004"
		for i := 1; ; i++ {
			line, err := br.ReadString('\n')
			if line != "" && !yield(i, strings.TrimRight(line, "\n")) {
				return
			}
			if err != nil {
				return
			}
		}
	}
}
