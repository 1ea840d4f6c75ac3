package a

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func each(names []string) {
	for _, n := range names {
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b) // want `the deferred put in a loop`
		b.WriteString(n)
	}
}
