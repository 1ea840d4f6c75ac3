package metrics

import (
	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/pool"
)

// Source is where statistics come from. It must be made by Named, Objects or
// Buffers; the zero value has none. It is safe for concurrent use.
type Source struct {
	read func(*reading)
}

// Named is all pools that have a name and are in use at the time of reading:
// those of pool.New with Options.Name and of buffer.New with Options.Name. It
// keeps none of them alive.
func Named() Source {
	return Source{func(r *reading) {
		for s := range pool.All() {
			r.objects(s.Name, s)
		}
		for s := range buffer.All() {
			r.buffers(s.Name, s)
		}
	}}
}

// Objects is one pool of package pool, called name whatever its own name is. The
// usual stats is the method Stats of the pool, which keeps the pool alive as
// long as the Source. A pool that Named covers too is counted twice.
func Objects(name string, stats func() pool.Stats) Source {
	return Source{func(r *reading) { r.objects(name, stats()) }}
}

// Buffers is one pool of package buffer, as Objects is one of package pool.
func Buffers(name string, stats func() buffer.Stats) Source {
	return Source{func(r *reading) { r.buffers(name, stats()) }}
}
