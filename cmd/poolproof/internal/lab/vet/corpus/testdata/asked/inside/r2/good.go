// Right: a pooled struct without memory of its own is copied whole
package r2

import (
	"sync"
)

type Stat struct {
	Name  string
	Count int
}

var stats = sync.Pool{New: func() any { return new(Stat) }}

func Parse(line []byte, out *Stat) {
	m := stats.Get().(*Stat)
	m.Name = string(line[:4])
	m.Count = len(line)
	*out = *m
	stats.Put(m)
}
