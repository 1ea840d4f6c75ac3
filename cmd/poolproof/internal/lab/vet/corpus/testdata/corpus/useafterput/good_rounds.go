package useafterput

import (
	"bytes"
	"io"
	"sync"
)

// Each round of a loop has another object, though the variable is the same one.

type part struct {
	offset int64
	data   *[]byte
	done   func(*[]byte)
}

func drain(w io.Writer, queue <-chan chan part, least int) (written int64, err error) {
	for slot := range queue {
		p := <-slot
		if p.done != nil {
			p.done(p.data)
			p.done = nil
		}
		data := p.data
		if len(*data) > 0 && err == nil {
			var n int
			n, err = w.Write((*data)[:len(*data):len(*data)]) // fine "PV001" of this round
			written = max(written, p.offset+int64(n))
		}
		if cap(*data) >= least {
			bytesPtr.Put(data) // fine "PV002" of this round
		}
		close(slot)
	}
	return written, err
}

type numbered struct {
	number int
	*message
}

func acknowledge(list []numbered, size func(*message) int, probe func(int) bool) (total int) {
	for _, m := range list {
		if m.id > 0 {
			total += size(m.message) // fine "PV001" another element
		}
		if !probe(m.number) {
			messages.Put(m.message)
		}
	}
	return total
}

// A checker goes through a text that is not its own.
type checker struct {
	rest  []byte
	seen  []byte
	depth int
}

var checkers = sync.Pool{New: func() any { return new(checker) }}

func (c *checker) scan(text []byte) bool {
	if c.depth > 0 {
		return c.slow(text)
	}
	for i, b := range text {
		if b == '{' {
			c.rest = text[i:]
			return c.slow(c.rest)
		}
	}
	c.seen = append(c.seen, text...)
	return true
}

func (c *checker) slow(text []byte) bool {
	for len(text) > 0 && c.depth >= 0 {
		switch text[0] {
		case '{':
			c.depth++
		case '}':
			c.depth--
		}
		text = text[1:]
	}
	return c.depth == 0
}

func valid(text []byte) bool {
	c := checkers.Get().(*checker)
	defer checkers.Put(c)
	c.depth, c.seen = 0, c.seen[:0]
	return c.scan(text)
}

func firstLine(text []byte) []byte {
	if !valid(text) {
		return nil
	}
	line, _, _ := bytes.Cut(text, []byte{'\n'}) // fine "PV001" the checker was put, not the text
	return line
}

// A reader that is pooled is not the text that it reads.
var readers = sync.Pool{New: func() any { return new(bytes.Reader) }}

func countLines(text []byte) (n int) {
	r := readers.Get().(*bytes.Reader)
	r.Reset(text)
	for r.Len() > 0 {
		if b, _ := r.ReadByte(); b == '\n' {
			n++
		}
	}
	r.Reset(nil)
	readers.Put(r)
	return n
}

func header2(text []byte) (string, int) {
	n := countLines(text)
	return string(text[:min(len(text), 4)]), n // fine "PV001" the reader was put
}
