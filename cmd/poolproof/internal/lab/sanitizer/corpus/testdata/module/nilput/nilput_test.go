// Package nilput puts nil pointers with a type. A real pool hands them out
// again, and the one who gets such a pointer crashes.
package nilput

import (
	"bytes"
	"sync"
	"testing"
)

//want:exact nil-put
//want:fast nil-put
func TestNilPointerIsPut(t *testing.T) {
	buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	var b *bytes.Buffer
	buffers.Put(b)
}

type job struct{ id int }

// An error path puts what was never got.
//
//want:exact nil-put
//want:fast nil-put
func TestErrorPathPutsNil(t *testing.T) {
	jobs := sync.Pool{New: func() any { return new(job) }}
	next := func(closed bool) (j *job) {
		defer func() { jobs.Put(j) }()
		if closed {
			return nil
		}
		return jobs.Get().(*job)
	}
	next(true)
}
