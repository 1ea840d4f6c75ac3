package escape

import (
	"bytes"
	"io"

	"example.org/corpus/lib/errands"
)

// All have ended when the function returns.
func postToAll(ws []io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	errands.AllOf(ws, b.Bytes())
	buffers.Put(b) // fine "PV001|PV004" it has waited
}

// Time is up again and again, and it goes on waiting.
func postPatiently(w io.Writer, name string, still func()) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(name)
	return errands.Patient(w, b.Bytes(), still) // fine "PV001|PV004" it has waited
}

// The goroutine gets a copy.
func postCopy(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	errands.Post(w, bytes.Clone(b.Bytes()))
	buffers.Put(b) // fine "PV001|PV004" a copy
}

// What was not accepted is nobody's.
func refused(slots chan struct{}, w io.Writer, name string) {
	p := slices.Get().(*[]byte)
	*p = append((*p)[:0], name...)
	if !errands.Accept(slots, w, *p) {
		slices.Put(p) // fine "PV001|PV004" no goroutine was started
	}
}

func measured(name string, tell func(int)) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	errands.Measure(b.Bytes(), tell)
	buffers.Put(b) // fine "PV001|PV004" only a number goes there
}

// The event goes to the goroutine for good.
func (c *courier) announceForGood(name string) {
	e := events.Get().(*event)
	e.data = append(e.data[:0], name...)
	c.dispatch(e) // fine "PV004|PV005|PV006" it is not put here
}
