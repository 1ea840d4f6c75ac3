package everyday

import (
	"sync"

	"example.org/corpus/lib/regex"
)

func matchThenUse(text []byte) byte {
	if regex.Count(text) == 0 {
		return 0
	}
	return text[0] // fine "PV001" the text is the caller's
}

func matchTwice(text []byte) int {
	return regex.Count(text) + regex.Count(text) // fine "PV001|PV002" the text is only lent
}

func matchDirect(text []byte) (int, byte) {
	n := regex.CountDirect(text)
	return n, text[0] // fine "PV001" the text is the caller's
}

func indexTwice(text []rune) (int, int) {
	i := regex.Index(text)
	return i, regex.Index(text[1:]) // fine "PV001|PV002" only lent
}

type dec struct {
	buf []byte
	pos int
}

var decs = sync.Pool{New: func() any { return new(dec) }}

func (d *dec) run(b []byte) int {
	d.buf, d.pos = b, 0
	for d.pos < len(d.buf) && d.buf[d.pos] != 0 {
		d.pos++
	}
	return d.pos
}

func decodeAll(b []byte) int {
	d := decs.Get().(*dec)
	defer decs.Put(d)
	return d.run(b)
}

func decodeTwice(b []byte) (int, []byte) {
	n := decodeAll(b)
	return n, b[n:] // fine "PV001" decodeAll only reads it
}

// The same object is a runner in one place and set up in another.
func (d *dec) init(b []byte) { d.buf, d.pos = b, 0 }

func (d *dec) first() byte { return d.buf[d.pos] }

func firstOf(b []byte) byte {
	d := decs.Get().(*dec)
	d.init(b)
	c := d.first()
	decs.Put(d)
	return c
}

func firstTwo(b []byte) (byte, byte) {
	c := firstOf(b)
	return c, b[1] // fine "PV001" firstOf only reads it
}
