// Wrong: stale keys of a map in a pooled struct
package w5

import (
	"sync"
)

type dedup struct{ seen map[string]bool }

var dedups = sync.Pool{New: func() any { return &dedup{seen: make(map[string]bool)} }}

func Unique(in []string) (out []string) {
	d := dedups.Get().(*dedup)
	defer dedups.Put(d)
	for _, s := range in {
		if !d.seen[s] { // want "PV011" the last user's keys are there
			d.seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
