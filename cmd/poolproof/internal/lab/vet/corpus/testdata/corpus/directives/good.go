package directives

import (
	"bytes"
	"io"

	"example.org/corpus/lib/bufs"
)

func handedOver(name string, deliver func(any)) {
	b := bufs.Get()
	b.WriteString(name)
	enqueue(b, deliver) // fine "PV005 PV006" enqueue owns it
}

func lentAndPut(name string, look func(*bytes.Buffer)) {
	b := bufs.Get()
	b.WriteString(name)
	inspect(b, look) // fine "PV004" inspect borrows it
	bufs.Put(b)
}

// The ring forgets what it has shown before the buffer is used again, which no
// check can know.
func ignored(name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	outbox = append(outbox, b) //poolproof:ignore PV004 the ring is emptied before the next Get
	buffers.Put(b)             // fine "PV004" the line above says why
}

func ignoredAbove(name string) int {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	buffers.Put(b)
	//poolproof:ignore PV001 only this goroutine uses the pool
	return b.Len() // fine "PV001" the line above says why
}

// What a failed read left behind is of no use.
func dropped(r io.Reader) (string, error) {
	b := bufs.Get()
	if _, err := b.ReadFrom(r); err != nil {
		return "", err //poolproof:drop
	}
	s := b.String()
	bufs.Put(b)
	return s, nil // fine "PV005" dropped on purpose
}
