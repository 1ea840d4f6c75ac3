// Package legal holds uses of pools that look wrong and are right. A report
// about one of them is a false one.
package legal

import (
	"bytes"
	"errors"
	"sync"
)

// Decoder borrows its caller's memory, and is put with the loan still in its
// fields. Encoder, beside it, owns a field of the same name.
type Decoder struct {
	buf  []byte
	pos  int
	path []int
}

// Encoder truncates its own array in place.
type Encoder struct{ buf []byte }

var (
	decoders = sync.Pool{New: func() any { return new(Decoder) }}
	encoders = sync.Pool{New: func() any { return new(Encoder) }}
)

// Decode sums the octets of input.
func Decode(input []byte) (sum int) {
	d := decoders.Get().(*Decoder)
	d.buf, d.pos, d.path = input, 0, d.path[:0]
	for d.pos < len(d.buf) {
		sum += int(d.buf[d.pos])
		d.path = append(d.path, sum)
		d.pos++
	}
	decoders.Put(d) // d.buf dangles
	return sum
}

// Encode returns a copy.
func Encode(text string) []byte {
	e := encoders.Get().(*Encoder)
	defer encoders.Put(e)
	e.buf = append(e.buf[:0], text...)
	return append([]byte(nil), e.buf...)
}

// Window keeps an empty window of its caller's array, as compressors do: length
// zero, capacity left.
type Window struct {
	hist []byte
	n    int
}

var windows = sync.Pool{New: func() any { return new(Window) }}

// Compress looks at data, and forgets it without a nil.
func Compress(data []byte) int {
	w := windows.Get().(*Window)
	w.hist = data[:0]
	for w.n = 0; w.n < len(data); w.n++ {
		w.hist = w.hist[:w.n+1]
	}
	n := w.n
	w.hist = data[:0]
	windows.Put(w)
	return n
}

// Fresh gets a new array with each Get, and its results alias that array. New
// makes one too, for the first user.
type Fresh struct {
	arena []byte
	off   int
}

var fresh = sync.Pool{New: func() any { return &Fresh{arena: make([]byte, 64)} }}

// Texts returns windows of an array that belongs to its caller from now on.
func Texts(texts ...string) (out [][]byte) {
	f := fresh.Get().(*Fresh)
	f.arena, f.off = make([]byte, 64), 0
	for _, text := range texts {
		n := copy(f.arena[f.off:], text)
		out = append(out, f.arena[f.off:f.off+n])
		f.off += n
	}
	fresh.Put(f)
	return out
}

// table is shared by all tokenizers.
var table = make([]int, 256)

// Tokenizer has the shared table in a field from New on.
type Tokenizer struct {
	class []int
	n     int
}

var tokenizers = sync.Pool{New: func() any { return &Tokenizer{class: table} }}

// Tokenize counts, in the shared table too.
func Tokenize(text string) int {
	k := tokenizers.Get().(*Tokenizer)
	k.n = 0
	for i := range len(text) {
		k.class[text[i]]++
		k.n++
	}
	n := k.n
	tokenizers.Put(k)
	return n
}

// Page detaches its array before it is put.
type Page struct{ body []byte }

var pages = sync.Pool{New: func() any { return &Page{body: make([]byte, 0, 128)} }}

// Render returns the array itself, and puts a page without one.
func Render(text string) []byte {
	p := pages.Get().(*Page)
	p.body = append(p.body[:0], text...)
	body := p.body
	p.body = nil
	pages.Put(p)
	return body
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Steal takes the array out of a pooled bytes.Buffer.
func Steal(text string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(text)
	body := b.Bytes()
	*b = bytes.Buffer{}
	buffers.Put(b)
	return body
}

// Fill reads into its caller's buffer, over and over the same one, through a
// pooled object that keeps it.
type Fill struct {
	dst []byte
	n   int
}

var fills = sync.Pool{New: func() any { return new(Fill) }}

// Into fills dst.
func Into(dst []byte, octet byte) {
	f := fills.Get().(*Fill)
	f.dst = dst
	for i := range f.dst {
		f.dst[i] = octet
	}
	f.n++
	fills.Put(f)
}

// Stream is joined by its next user: a goroutine of its own goes on with it.
type Stream struct {
	work chan int
	done chan int
	last int
	sum  int
}

var streams = sync.Pool{New: func() any { return &Stream{work: make(chan int, 1), done: make(chan int, 1)} }}

func (s *Stream) run() {
	n := <-s.work
	for i := range n {
		s.sum += i
	}
	s.done <- n
}

func (s *Stream) start() { go s.run() }

// Background puts a stream whose worker is still busy.
func Background(n int) {
	s := streams.Get().(*Stream)
	if s.last > 0 {
		<-s.done // the last user's worker
	}
	s.start()
	s.last = n
	work := s.work
	streams.Put(s)
	work <- n
}

// ErrEmpty is the error of Check for an empty value.
var ErrEmpty = errors.New("empty")

// Check drops its object on the error path, which is allowed.
func Check(text string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(text)
	if b.Len() == 0 {
		return ErrEmpty
	}
	buffers.Put(b)
	return nil
}
