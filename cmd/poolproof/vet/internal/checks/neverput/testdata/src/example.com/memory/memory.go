package memory

import "sync"

type rec struct{ data []byte }

var recs = sync.Pool{New: func() any { return new(rec) }}

type dist interface{ Single(a []byte) int }

func search(d dist, n int) (sum int) {
	for range n {
		r := recs.Get().(*rec) // want `r comes from a pool`
		sum += d.Single(r.data)
	}
	return sum
}

// The method may keep the record, and put it later.
type keeper interface{ Keep(r *rec) }

func kept(k keeper) {
	r := recs.Get().(*rec)
	k.Keep(r)
}

// The caller of the function that goes along ends it.
func (r *rec) free() { recs.Put(r) }

type queue interface{ Push(p []byte, done func()) }

func pushed(q queue) {
	r := recs.Get().(*rec)
	q.Push(r.data, r.free)
}
