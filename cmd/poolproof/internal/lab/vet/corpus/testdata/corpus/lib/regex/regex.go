// Package regex lends the text of its callers to pooled runners, as a matcher does,
// and hands out buffers whose owner a flag tells.
package regex

import "sync"

type runner struct {
	text  []byte
	runes []rune
	at    int
}

var runners = sync.Pool{New: func() any { return new(runner) }}

func (r *runner) run(text []byte) int {
	r.text, r.at = text, 0
	n := 0
	for r.at < len(r.text) {
		if r.text[r.at] == 'x' {
			n++
		}
		r.at++
	}
	return n
}

// Count counts in a text, which is the caller's before and after.
func Count(text []byte) int {
	r := runners.Get().(*runner)
	defer runners.Put(r)
	return r.run(text)
}

// CountDirect does the same without a defer.
func CountDirect(text []byte) int {
	r := runners.Get().(*runner)
	n := r.run(text)
	runners.Put(r)
	return n
}

func (r *runner) scan(runes []rune, from int) (int, error) {
	r.runes = runes
	for i := from; i < len(r.runes); i++ {
		if r.runes[i] == 'x' {
			return i, nil
		}
	}
	return -1, nil
}

// Index finds in runes, which are the caller's before and after.
func Index(runes []rune) int {
	r := runners.Get().(*runner)
	defer runners.Put(r)
	i, err := r.scan(runes, 0)
	if err != nil {
		return -1
	}
	return i
}

type carrier struct{ data []byte }

var carriers = sync.Pool{New: func() any { return new(carrier) }}

func (c *carrier) set(b []byte) { c.data = b }

// Carry puts b in a carrier that does nothing but carry: whoever gets the carrier
// next writes to b.
func Carry(b []byte) {
	c := carriers.Get().(*carrier)
	c.set(b)
	carriers.Put(c)
}
