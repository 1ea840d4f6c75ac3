package a

import (
	"bytes"
	"sync"
)

var pointed = &sync.Pool{New: func() any { return new(bytes.Buffer) }}

func endPointed(b *bytes.Buffer) { pointed.Put(b) }

func lengthAfter() int {
	b := pointed.Get().(*bytes.Buffer)
	endPointed(b)
	return b.Len() // want `b is used by Len after endPointed \(line 14\) put it in the pool pointed; put it after its last use, or use a copy$`
}

func lengthAfterPlain() int {
	b := pointed.Get().(*bytes.Buffer)
	pointed.Put(b)
	return b.Len() // want `b is used by Len after line 20 put it in the pool pointed; put it after its last use, or use a copy$`
}
