// Wrong: stale elements of a slice in a pooled struct
package w4

import (
	"strconv"
	"sync"
)

type batch struct{ ids []int }

var batches = sync.Pool{New: func() any { return new(batch) }}

func Sum(in []string) (n int) {
	b := batches.Get().(*batch)
	defer batches.Put(b)
	for _, s := range in {
		id, _ := strconv.Atoi(s)
		b.ids = append(b.ids, id)
	}
	for _, id := range b.ids { // want "PV011" with what the last user appended
		n += id
	}
	return n
}
