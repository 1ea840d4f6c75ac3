// Package incidents has the shapes of bugs that were reported against servers,
// clients, loggers and encoders. It was written before it was tried.
package incidents

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuffer(b *bytes.Buffer) {
	if b == nil || b.Cap() > 1<<16 {
		return
	}
	buffers.Put(b)
}

var slices4k = sync.Pool{New: func() any {
	s := make([]byte, 0, 4096)
	return &s
}}

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

var gzips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

var gunzips = sync.Pool{New: func() any { return new(gzip.Reader) }}

// encoder pairs a JSON encoder with what it writes to.
type encoder struct {
	buf bytes.Buffer
	enc *json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.enc = json.NewEncoder(&e.buf)
	return e
}}

// line is a buffer that knows the pool that it came from.
type line struct {
	bs   []byte
	home *linePool
}

type linePool struct{ p sync.Pool }

func newLinePool() *linePool {
	lp := new(linePool)
	lp.p.New = func() any { return &line{bs: make([]byte, 0, 256)} }
	return lp
}

func (lp *linePool) get() *line {
	l := lp.p.Get().(*line)
	l.bs = l.bs[:0]
	l.home = lp
	return l
}

func (l *line) Free()               { l.home.p.Put(l) }
func (l *line) Bytes() []byte       { return l.bs }
func (l *line) AppendText(s string) { l.bs = append(l.bs, s...) }
func (l *line) Write(p []byte) (int, error) {
	l.bs = append(l.bs, p...)
	return len(p), nil
}

// typed is what many projects have instead of a bare sync.Pool.
type typed[T any] struct {
	p     sync.Pool
	reset func(*T)
}

func newTyped[T any](reset func(*T)) *typed[T] {
	return &typed[T]{p: sync.Pool{New: func() any { return new(T) }}, reset: reset}
}

func (t *typed[T]) Acquire() *T { return t.p.Get().(*T) }

func (t *typed[T]) Release(v *T) {
	t.reset(v)
	t.p.Put(v)
}

// header is what a parser fills.
type header struct {
	names []string
	size  int
}

func (h *header) reset() { h.names, h.size = h.names[:0], 0 }

var headers = newTyped((*header).reset)

// bufferPool is the interface that proxies take.
type bufferPool interface {
	Get() []byte
	Put([]byte)
}

// lazy makes its pool when it is first asked for.
var lazy = sync.OnceValue(func() *sync.Pool {
	return &sync.Pool{New: func() any { return new(header) }}
})

// byKind has one pool for each kind of message.
var byKind = map[string]*sync.Pool{
	"small": {New: func() any { return new(header) }},
	"large": {New: func() any { return &header{names: make([]string, 0, 512)} }},
}
