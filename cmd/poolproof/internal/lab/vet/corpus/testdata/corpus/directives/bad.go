// Package directives tells what cannot be inferred.
package directives

import (
	"bytes"
	"sync"

	"example.org/corpus/lib/bufs"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var outbox []*bytes.Buffer

// enqueue takes its buffer over, in ways that cannot be seen.
//
//poolproof:owns b
func enqueue(b *bytes.Buffer, deliver func(any)) { deliver(b) }

// Who has handed it over must not put it.
func handedOverAndPut(name string, deliver func(any)) {
	b := bufs.Get()
	b.WriteString(name)
	enqueue(b, deliver)
	bufs.Put(b) // want "PV001|PV002|PV004"
}

// inspect borrows its buffer, whatever the function does that it is given.
//
//poolproof:borrows b
func inspect(b *bytes.Buffer, look func(*bytes.Buffer)) { look(b) }

// Who has lent it still has to put it.
func lentAndForgotten(name string, look func(*bytes.Buffer)) {
	b := bufs.Get() // want "PV005|PV006"
	b.WriteString(name)
	inspect(b, look)
}
