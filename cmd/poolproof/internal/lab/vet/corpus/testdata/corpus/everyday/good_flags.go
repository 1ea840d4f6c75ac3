package everyday

import (
	"bytes"
	"io"
)

// What a flag of a getter says: whether the buffer is the function's own.
func bufferOf(w io.Writer) (b *bytes.Buffer, mine bool) {
	if b, ok := w.(*bytes.Buffer); ok {
		return b, false
	}
	return buffers.Get().(*bytes.Buffer), true
}

func releaseBuffer(w io.Writer, b *bytes.Buffer) error {
	_, err := w.Write(b.Bytes())
	b.Reset()
	buffers.Put(b)
	return err
}

func render(w io.Writer) (err error) {
	b, mine := bufferOf(w)
	if mine {
		defer func() {
			if e := releaseBuffer(w, b); err == nil {
				err = e
			}
		}()
	}
	_, err = b.WriteString("text") // fine "PV001" the put is deferred
	return err                     // fine "PV005|PV006" where it is not ours there is nothing to put
}

func renderDirect(w io.Writer) error {
	b, mine := bufferOf(w)
	b.WriteString("text")
	if mine {
		return releaseBuffer(w, b)
	}
	return nil // fine "PV005" it is the writer's own
}

func renderTwoFlags(w io.Writer) {
	b, mine := bufferOf(w)
	if !mine {
		b.WriteString("theirs")
		return // fine "PV005" it is the writer's own
	}
	b.WriteString("ours")
	buffers.Put(b)
}

// Two flags of which at most one is set.
func hash(kind string, data []byte) []byte {
	isShort, isLong := kind == "short", kind == "long"
	var s, l *bytes.Buffer
	if isShort {
		s = buffers.Get().(*bytes.Buffer)
		s.Reset()
		s.Write(data)
	}
	if isLong {
		l = buffers.Get().(*bytes.Buffer)
		l.Reset()
		l.Write(data)
		l.Write(data)
	}
	var out []byte
	if isShort {
		out = bytes.Clone(s.Bytes())
		buffers.Put(s) // fine "PV002" the other flag is not set then
	}
	if isLong {
		out = bytes.Clone(l.Bytes())
		buffers.Put(l)
	}
	return out
}

func sumOf(isMD5, isSHA256 bool, data []byte) []byte {
	var h *bytes.Buffer
	switch {
	case isMD5:
		h = buffers.Get().(*bytes.Buffer)
	case isSHA256:
		h = buffers.Get().(*bytes.Buffer)
		h.WriteByte(1)
	default:
		return nil
	}
	h.Write(data)
	sum := bytes.Clone(h.Bytes())
	if isMD5 || isSHA256 {
		buffers.Put(h)
	}
	return sum // fine "PV005" one of them is set
}

// One flag implies the other.
func impliedFlag(sync, wait bool, data []byte) int {
	if wait && !sync {
		return 0
	}
	b := buffers.Get().(*bytes.Buffer)
	b.Write(data)
	n := b.Len()
	if wait {
		buffers.Put(b)
		return n
	}
	buffers.Put(b)
	return n
}

type writer struct {
	n    int
	buf  *bytes.Buffer
	busy bool
}

func (w *writer) isNotConcurrent() bool { return w.n == 1 || w.n == 0 }

// The condition is asked again, and nothing has changed it.
func (w *writer) write(data []byte) int {
	b := buffers.Get().(*bytes.Buffer)
	b.Write(data)
	if w.isNotConcurrent() {
		buffers.Put(b)
	}
	n := len(data)
	if !w.isNotConcurrent() {
		n = b.Len()    // fine "PV001" put only where it is not concurrent
		buffers.Put(b) // fine "PV002" the same
	}
	return n
}

func (w *writer) writeParts(parts [][]byte) int {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if w.isNotConcurrent() {
			buffers.Put(b)
		}
	}()
	n := 0
	for _, p := range parts {
		m, _ := b.Write(p)
		n += m
	}
	if !w.isNotConcurrent() {
		go func() {
			b.Reset()
			buffers.Put(b) // fine "PV002" the deferred one puts where it is not concurrent
		}()
	}
	return n
}

func enabled(level int) bool { return level > 3 }

func asked(level int) int {
	var b *bytes.Buffer
	if enabled(level) {
		b = buffers.Get().(*bytes.Buffer)
	}
	n := level
	if enabled(level) {
		b.WriteString("x")
		n = b.Len()
		buffers.Put(b)
	}
	return n // fine "PV005" enabled says the same twice
}

func ownedOrGiven(p *[]byte) int {
	var own bool
	if p == nil {
		p = slices.Get().(*[]byte)
		own = true
	}
	n := cap(*p)
	if own {
		slices.Put(p)
	}
	return n // fine "PV005" not ours
}
