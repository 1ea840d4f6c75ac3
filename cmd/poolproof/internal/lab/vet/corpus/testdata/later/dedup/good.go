// Package dedup is right.
package dedup

import (
	"sync"
	"time"
)

type sample struct {
	at   time.Time
	name string
	v    float64
}

var samples = sync.Pool{New: func() any { return new(sample) }}

// Dedup sends the last of equal samples.
func Dedup(in <-chan *sample, out func(sample)) {
	var last *sample
	defer func() {
		if last != nil {
			samples.Put(last)
		}
	}()
	for s := range in {
		if last != nil && last.name == s.name {
			samples.Put(last)
			last = s
			continue
		}
		if last != nil {
			out(*last)
			samples.Put(last)
		}
		last = s
	}
	if last != nil {
		out(*last)
	}
}

type ring struct {
	buf  [8]*sample
	next int
}

func (r *ring) push(name string, v float64) {
	if old := r.buf[r.next]; old != nil {
		samples.Put(old)
	}
	s := samples.Get().(*sample)
	s.name, s.v, s.at = name, v, time.Now()
	r.buf[r.next] = s
	r.next = (r.next + 1) % len(r.buf)
}
