// Package services has misuses in everyday services, by an author who knew the rules. The
// right programs of the same kind are in clean/services.
package services

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"sync"
	"text/template"
	"time"
)

// A template rendered into a pooled buffer, whose bytes are the result.
var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Render(t *template.Template, data any) ([]byte, error) {
	buf := pages.Get().(*bytes.Buffer)
	buf.Reset()
	defer pages.Put(buf)
	if err := t.Execute(buf, data); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(buf.Bytes()), nil // want "PV003"
}

// A rate limiter's ticket is given back twice when the context ends.
type ticket struct{ when time.Time }

var tickets = sync.Pool{New: func() any { return new(ticket) }}

func Wait(ctx context.Context, c <-chan struct{}) error {
	t := tickets.Get().(*ticket)
	defer tickets.Put(t)
	t.when = time.Now()
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		tickets.Put(t) // want "PV002"
		return ctx.Err()
	}
}

// The hash is put before its sum is read.
var sums = sync.Pool{New: func() any { return crc32.NewIEEE() }}

func Checksum(r io.Reader) (uint32, error) {
	h := sums.Get().(hash.Hash32)
	h.Reset()
	_, err := io.Copy(h, r)
	sums.Put(h)
	if err != nil {
		return 0, err
	}
	return h.Sum32(), nil // want "PV001"
}

// An audit log keeps the entry that is put.
type entry struct {
	user string
	tags []string
}

var entries = sync.Pool{New: func() any { return new(entry) }}

type audit struct {
	mu   sync.Mutex
	last map[string]*entry
}

func (a *audit) note(user string, tags ...string) {
	e := entries.Get().(*entry)
	e.user = user
	e.tags = append(e.tags[:0], tags...)
	a.mu.Lock()
	a.last[user] = e // want "PV004"
	a.mu.Unlock()
	entries.Put(e)
}

// Gzip writer is lost where the handler fails.
var zips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func Zip(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		z := zips.Get().(*gzip.Writer)
		z.Reset(w)
		if err := h(zipped{w, z}, r); err != nil {
			http.Error(w, err.Error(), 500)
			return // want "PV005"
		}
		z.Close()
		zips.Put(z)
	}
}

type zipped struct {
	http.ResponseWriter
	w io.Writer
}

func (z zipped) Write(p []byte) (int, error) { return z.w.Write(p) }

// The wrong pool.
type small struct{ b [64]byte }
type large struct{ b [4096]byte }

var (
	smalls = sync.Pool{New: func() any { return new(small) }}
	larges = sync.Pool{New: func() any { return new(large) }}
)

func Move(n int) int {
	s := smalls.Get().(*small)
	l := larges.Get().(*large)
	k := copy(s.b[:], l.b[:n])
	larges.Put(s) // want "PV007"
	smalls.Put(l) // want "PV007"
	return k
}

// The goroutine still encodes when the buffer has been put.
func Publish(topic string, v any, send func(string, []byte)) error {
	buf := pages.Get().(*bytes.Buffer)
	defer pages.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return err
	}
	go send(topic, buf.Bytes()) // want "PV004"
	return nil
}

// The map of the last request is read by the next.
type visitor struct {
	seen  map[string]bool
	depth int
	stop  bool
}

var visitors = sync.Pool{New: func() any { return &visitor{seen: map[string]bool{}} }}

func Walk(root string, next func(string) []string) int {
	v := visitors.Get().(*visitor) // want "PV011"
	defer visitors.Put(v)
	v.walk(root, next)
	return len(v.seen)
}

func (v *visitor) walk(n string, next func(string) []string) {
	if v.seen[n] || v.stop {
		return
	}
	v.seen[n] = true
	if len(v.seen) > 1000 {
		v.stop = true
	}
	for _, m := range next(n) {
		v.walk(m, next)
	}
}

// A row is never given back.
type row struct {
	cells []string
	sep   string
}

var rows = sync.Pool{New: func() any { return &row{sep: ","} }}

func (r *row) String() string { return strings.Join(r.cells, r.sep) }

func CSV(w io.Writer, lines [][]string) error {
	for _, l := range lines {
		r := rows.Get().(*row) // want "PV006"
		r.cells = append(r.cells[:0], l...)
		if _, err := fmt.Fprintln(w, r); err != nil {
			return err
		}
	}
	return nil
}

// A slice by value.
var scratch = sync.Pool{New: func() any { return make([]byte, 0, 1024) }}

func Copy(dst io.Writer, src io.Reader) (int64, error) {
	b := scratch.Get().([]byte)
	defer scratch.Put(b) // want "PV008"
	return io.CopyBuffer(dst, src, b[:cap(b)])
}

// A deferred put inside of a loop.
func Each(files []string, open func(string) (io.ReadCloser, error)) error {
	for _, f := range files {
		rc, err := open(f)
		if err != nil {
			return err
		}
		buf := pages.Get().(*bytes.Buffer)
		defer pages.Put(buf) // want "PV016"
		buf.Reset()
		_, err = buf.ReadFrom(rc)
		rc.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// An iterator that puts at the end, and is closed after that.
type cursor struct {
	data []byte
	pos  int
	done bool
}

var cursors = sync.Pool{New: func() any { return new(cursor) }}

func open(data []byte) *cursor {
	c := cursors.Get().(*cursor)
	c.data, c.pos, c.done = data, 0, false
	return c
}

func (c *cursor) next() (byte, bool) {
	if c.pos >= len(c.data) {
		return 0, false
	}
	c.pos++
	return c.data[c.pos-1], true
}

func (c *cursor) close() {
	c.data = nil
	cursors.Put(c)
}

func Sum(data []byte) (total, at int) {
	c := open(data)
	for {
		b, ok := c.next()
		if !ok {
			c.close()
			break
		}
		total += int(b)
	}
	return total, c.pos // want "PV001"
}

// The error path puts, and so does the caller.
func parse(c *cursor) error {
	b, ok := c.next()
	if !ok || b != '{' {
		c.close()
		return errors.New("no object")
	}
	return nil
}

func Check(data []byte) error {
	c := open(data)
	defer c.close()
	if err := parse(c); err != nil { // want "PV002"
		return err
	}
	return nil
}

// The pool in a struct literal has no New, the assertion is plain.
type server struct {
	bufs sync.Pool
	n    int
}

func newServer() *server { return &server{n: 1} }

func (s *server) handle(p []byte) int {
	b := s.bufs.Get().(*bytes.Buffer) // want "PV018"
	defer s.bufs.Put(b)
	b.Reset()
	b.Write(p)
	return b.Len()
}

// The string shares the buffer's memory.
func Key(parts ...string) string {
	b := scratchText.Get().(*[]byte)
	defer scratchText.Put(b)
	k := (*b)[:0]
	for _, p := range parts {
		k = append(k, p...)
		k = append(k, '/')
	}
	*b = k
	return asString(k) // want "PV003"
}

// Events of a batch stay in the sink after the batch is put.
type batch struct{ events []event }
type event struct{ name string }

var batches = sync.Pool{New: func() any { return new(batch) }}

type sink interface{ accept([]event) }

type memory struct{ all [][]event }

func (m *memory) accept(e []event) { m.all = append(m.all, e) }

func (m *memory) flush(names []string) {
	b := batches.Get().(*batch)
	defer func() {
		b.events = b.events[:0]
		batches.Put(b)
	}()
	for _, n := range names {
		b.events = append(b.events, event{n})
	}
	m.accept(b.events) // want "PV004"
}
