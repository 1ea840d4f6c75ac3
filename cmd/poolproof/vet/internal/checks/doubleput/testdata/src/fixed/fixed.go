package fixed

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type server struct{ pool *sync.Pool }

func direct(s string) int {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want `b is put again by this deferred call`
	b.WriteString(s)
	n := b.Len()
	buffers.Put(b) // as early as can be
	return n
}

func twoDefers(s string) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want `put by two deferred calls`
	b.WriteString(s)
	defer buffers.Put(b)
}

func (s *server) onError(fail bool) {
	b := s.pool.Get().(*bytes.Buffer)
	defer s.pool.Put(b) // want `b is put again by this deferred call`
	if fail {
		s.pool.Put(b)
		return
	}
}

func inACase(kind int) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want `b is put again by this deferred call`
	switch kind {
	case 1:
		println(kind)
		buffers.Put(b)
	}
}

// Another call may do more than to put, and what it is called with may not be used
// elsewhere: these have no fix.

func put(b *bytes.Buffer) { buffers.Put(b) }

func byAnotherFunction() {
	b := buffers.Get().(*bytes.Buffer)
	defer put(b) // want `b is put again by this deferred call`
	put(b)
}

func byAnotherName() {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want `b is put again by this deferred call`
	other := b
	buffers.Put(other)
}

func inALiteral() {
	b := buffers.Get().(*bytes.Buffer)
	defer func() { buffers.Put(b) }() // want `b is put again by this deferred call`
	buffers.Put(b)
}

func behindALabel(n int) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want `b is put again by this deferred call`
	if n > 0 {
		goto end
	}
	return
end:
	buffers.Put(b)
}

// A deferred call that runs on some paths only cannot take the place of another put.

func onCondition(x bool) {
	b := buffers.Get().(*bytes.Buffer)
	if x {
		defer buffers.Put(b) // want `b is put by two deferred calls`
	}
	defer buffers.Put(b)
}

func directly(x bool) {
	b := buffers.Get().(*bytes.Buffer)
	if x {
		defer buffers.Put(b) // want `b is put again by this deferred call`
	}
	buffers.Put(b)
}
