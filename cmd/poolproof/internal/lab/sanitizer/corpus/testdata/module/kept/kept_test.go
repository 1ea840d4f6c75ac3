// Package kept puts objects with large memory in their fields. What was the
// caller's, and is nobody's now, the pool keeps alive; the rest is as it should
// be.
package kept

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

const large = 64 << 10

type parser struct {
	in    []byte
	text  string
	table *[large / 8]uint64
	sub   struct{ in []byte }
	n     int
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// count looks at what a parser has got, and leaves it there.
func (p *parser) count() {
	p.n = len(p.in) + len(p.text) + len(p.sub.in)
	if p.table != nil {
		p.n += len(p.table)
	}
}

func put(p *parser) {
	p.count()
	parsers.Put(p)
}

//want:exact retained
//want:fast retained
func TestInputIsKept(t *testing.T) {
	in := make([]byte, large)
	p := parsers.Get().(*parser)
	p.in = in
	put(p)
}

//want:exact retained
//want:fast retained
func TestTextIsKept(t *testing.T) {
	text := strings.Repeat("x", large)
	p := parsers.Get().(*parser)
	p.text = text
	put(p)
}

// The window is small, or empty; what it is a window into is not.
//
//want:exact retained
//want:fast retained
func TestWindowsAreKept(t *testing.T) {
	for _, window := range [][]byte{make([]byte, large)[:0], make([]byte, 1<<20)[1000:1010]} {
		p := parsers.Get().(*parser)
		p.in = window
		put(p)
	}
}

//want:exact retained
//want:fast retained
func TestPointerIsKept(t *testing.T) {
	table := new([large / 8]uint64)
	p := parsers.Get().(*parser)
	p.table = table
	put(p)
}

//want:exact retained
//want:fast retained
func TestNestedInputIsKept(t *testing.T) {
	in := bytes.Repeat([]byte("x"), large)
	p := parsers.Get().(*parser)
	p.sub.in = in
	put(p)
}

//want:exact retained
//want:fast retained
func TestOneOfManyIsKept(t *testing.T) {
	for _, name := range []string{"all", "none"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 10 {
				in := make([]byte, large)
				p := parsers.Get().(*parser)
				p.in = in
				p.count()
				if name == "none" {
					p.in = nil
				}
				parsers.Put(p)
			}
		})
	}
}

//want:silence
func TestInputIsForgottenBeforePut(t *testing.T) {
	in := make([]byte, large)
	p := parsers.Get().(*parser)
	p.in = in
	p.count()
	p.in = nil
	parsers.Put(p)
}

// fixture is read by all tests.
var fixture = make([]byte, large)

//want:silence
func TestInputThatSomebodyKeepsAnyway(t *testing.T) {
	p := parsers.Get().(*parser)
	p.in = fixture
	put(p)
}

//want:silence
func TestSmallInputIsKept(t *testing.T) {
	in := make([]byte, 1000)
	p := parsers.Get().(*parser)
	p.in = in
	put(p)
}

//want:silence
func TestInputOfAnObjectThatIsDropped(t *testing.T) {
	in := make([]byte, large)
	p := parsers.Get().(*parser)
	p.in = in
	p.count()
}

// scratch makes its array when it needs one, and never truncates it in place.
type scratch struct{ array []byte }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

//want:silence
func TestOwnArrayMadeInUse(t *testing.T) {
	for range 3 {
		s := scratches.Get().(*scratch)
		if cap(s.array) < large {
			s.array = make([]byte, large)
		}
		s.array[0]++
		scratches.Put(s)
	}
}

type ready struct {
	array []byte
	parts [2][]byte
}

var readies = sync.Pool{New: func() any {
	r := &ready{array: make([]byte, large)}
	rows := make([]byte, 2*large)
	r.parts[0], r.parts[1] = rows[:large], rows[large:]
	return r
}}

//want:silence
func TestOwnArraysMadeByNew(t *testing.T) {
	for range 3 {
		r := readies.Get().(*ready)
		r.array[0]++
		r.parts[1][0]++
		readies.Put(r)
	}
}

// codec has a pool and a table. Both go with it.
type codec struct {
	table []byte
	pool  sync.Pool
}

func newCodec() *codec {
	c := &codec{table: make([]byte, large)}
	c.pool.New = func() any { return new(parser) }
	return c
}

//want:silence
func TestTableThatGoesWithThePool(t *testing.T) {
	c := newCodec()
	for range 3 {
		p := c.pool.Get().(*parser)
		p.in = c.table
		p.count()
		c.pool.Put(p)
	}
}

var arrays = sync.Pool{New: func() any { b := make([]byte, large); return &b }}

//want:silence
func TestArrayOfAnotherPool(t *testing.T) {
	b := arrays.Get().(*[]byte)
	p := parsers.Get().(*parser)
	p.in = *b
	put(p)
	arrays.Put(b)
}

// The array is another object's, which is in use, and then dropped.
//
//want:silence
func TestArrayOfAnObjectInUse(t *testing.T) {
	b := arrays.Get().(*[]byte)
	p := parsers.Get().(*parser)
	p.in = *b
	put(p)
	(*b)[0]++
}

// single is handed out again and again, with the array that it has made before.
var single *scratch

var singles = sync.Pool{New: func() any {
	if single == nil {
		single = new(scratch)
	}
	return single
}}

//want:silence
func TestOneObjectForAllGrows(t *testing.T) {
	for n := large; n < 5*large; n += large {
		for range 2 { // it grows, and comes back as it is
			s := singles.Get().(*scratch)
			if cap(s.array) < n {
				s.array = make([]byte, n)
			}
			singles.Put(s)
		}
	}
}
