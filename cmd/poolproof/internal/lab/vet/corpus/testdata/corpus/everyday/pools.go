// Package everyday has the shapes of everyday code in which a rule once saw a defect
// that was none, each beside a defect of the same shape.
package everyday

import (
	"bytes"
	"sync"
)

type job struct {
	id   int
	data []byte
}

var (
	jobs    = sync.Pool{New: func() any { return new(job) }}
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	slices  = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}
)

func fill(j *job) bool { j.id++; return j.id > 10 }

type node struct {
	val  int
	next *node
	kids []*node
}

var (
	nodes  = sync.Pool{New: func() any { return new(node) }}
	crates = sync.Pool{New: func() any { return new(crate) }}
)
