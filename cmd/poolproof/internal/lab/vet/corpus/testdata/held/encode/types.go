// Package encode has the bugs of encoders, loggers, parsers and pipelines. Each
// was published; its comment says where.
package encode

import (
	"bytes"
	"encoding/json"
	"hash"
	"hash/fnv"
	"io"
	"sync"

	"example.org/held/lib/bytebuffer"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func putBuffer(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b)
}

// logger is passed by value: its context is what each line begins with.
type logger struct {
	out     io.Writer
	context []byte
}

// entry is one line of an old logger.
type entry struct {
	log     *log
	data    map[string]any
	message string
}

type log struct {
	entries sync.Pool
	out     io.Writer
	hooks   []func(*entry)
}

func newLog(out io.Writer) *log {
	l := &log{out: out}
	l.entries.New = func() any { return &entry{log: l, data: map[string]any{}} }
	return l
}

func (e *entry) with(key string, v any) *entry {
	e.data[key] = v
	return e
}

func (e *entry) write() {
	for _, h := range e.log.hooks {
		h(e)
	}
	json.NewEncoder(e.log.out).Encode(e.data)
}

// issue is what a linter finds.
type issue struct {
	pos  string
	text string
}

// frame is a message of a game server.
type frame struct {
	id   uint32
	data []byte
}

var frameBuffers = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 256)) }}

// traffic is one packet that was seen.
type traffic struct {
	source, target string
	length         int
	sample         []byte
}

var seen = sync.Pool{New: func() any { return new(traffic) }}

type broker struct {
	queue   chan *traffic
	metrics map[string]int
}

func (b *broker) observe(t *traffic) { b.metrics[t.source] += t.length }

// push hands t to the goroutine that writes to the broker.
func (b *broker) push(t *traffic) {
	select {
	case b.queue <- t:
	default:
	}
}

// rawCodec gives handlers the bytes as they came.
type rawCodec struct{}

func (rawCodec) Unmarshal(p []byte, v any) error {
	if dst, ok := v.(*[]byte); ok {
		*dst = p
		return nil
	}
	return json.Unmarshal(p, v)
}

// copyCodec gives them a copy.
type copyCodec struct{}

func (copyCodec) Unmarshal(p []byte, v any) error {
	if dst, ok := v.(*[]byte); ok {
		*dst = append((*dst)[:0], p...)
		return nil
	}
	return json.Unmarshal(p, v)
}

type codec interface{ Unmarshal(p []byte, v any) error }

// remote sends what was marshalled.
type remote struct {
	post func([]byte) error
}

// exported is what an exporter needs for one request.
type exported struct {
	proto bytes.Buffer
	out   []byte
}

var exports = sync.Pool{New: func() any { return new(exported) }}

// execute sends e, and that is the end of e.
func (r *remote) execute(e *exported) error {
	defer exports.Put(e)
	return r.post(e.out)
}

// hasher is a hash with what it needs to hash a tree.
type hasher struct {
	sum     hash.Hash64
	scratch []byte
}

var hashers = sync.Pool{New: func() any { return &hasher{sum: fnv.New64a()} }}

func newHasher() *hasher {
	h := hashers.Get().(*hasher)
	h.sum.Reset()
	return h
}

func putHasher(h *hasher) { hashers.Put(h) }

func (h *hasher) key(p []byte) uint64 {
	h.sum.Reset()
	h.sum.Write(p)
	return h.sum.Sum64()
}

// sized has the pools of a server for messages.
var (
	small = sync.Pool{New: func() any { return new([512]byte) }}
	large = sync.Pool{New: func() any { return new([1 << 16]byte) }}
)

func poolGet(n int) []byte {
	if n <= 512 {
		return small.Get().(*[512]byte)[:0]
	}
	return large.Get().(*[1 << 16]byte)[:0]
}

func poolPut(p []byte) {
	switch cap(p) {
	case 512:
		small.Put((*[512]byte)(p[:512]))
	case 1 << 16:
		large.Put((*[1 << 16]byte)(p[:1<<16]))
	}
}

type client struct {
	out    [][]byte
	max    int
	buffer bytebuffer.Pool
}

// vtype is a message that a generator gave a pool.
type vtype struct {
	key   string
	value []byte
}

var vtypes = sync.Pool{New: func() any { return new(vtype) }}

func vtypeFromPool() *vtype { return vtypes.Get().(*vtype) }

func (v *vtype) ReturnToPool() {
	if v != nil {
		v.key, v.value = "", v.value[:0]
		vtypes.Put(v)
	}
}

func (v *vtype) unmarshal(p []byte) error { return json.Unmarshal(p, &v.key) }

// parsed is a part of a stream.
type parsed struct {
	values []float64
	err    error
}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 64<<10)
	return &b
}}

func parseBlock(p []byte) (out parsed) {
	out.err = json.Unmarshal(p, &out.values)
	return out
}

// adapter is the socket of a daemon.
type adapter struct {
	headers sync.Pool
	in      io.Reader
}

func newAdapter(in io.Reader) *adapter {
	a := &adapter{in: in}
	a.headers.New = func() any {
		b := make([]byte, 16)
		return &b
	}
	return a
}
