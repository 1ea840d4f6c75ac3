// Package fielditer ranges over the fields of lines.
package fielditer

import (
	"iter"
	"strings"
	"sync"
)

var fields = sync.Pool{New: func() any { return new([]string) }}

// Each yields the fields of each line.
func Each(lines []string) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		fp := fields.Get().(*[]string)
		for i, l := range lines {
			*fp = (*fp)[:0]
			for f := range strings.FieldsSeq(l) {
				*fp = append(*fp, f)
			}
			if !yield(i, *fp) {
				break
			}
		}
		clear(*fp)
		fields.Put(fp)
	}
}
