// Package shapes has defects in the shapes that they had in real programs:
// larger functions, several of them together, and ownership that is split
// between types.
package shapes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unsafe"

	"example.org/corpus/lib/bufs"
)

var errClosed = errors.New("closed")

// A remote-write request whose labels share memory with the buffer that it was
// decoded from.
type writeRequest struct {
	labels []label
	buf    *[]byte
}

type label struct{ name, value string }

func unsafeText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func decodeLabels(b []byte) (labels []label) {
	for field := range bytes.SplitSeq(b, []byte{';'}) {
		name, value, _ := bytes.Cut(field, []byte{'='})
		labels = append(labels, label{unsafeText(name), unsafeText(value)})
	}
	return labels
}

func receive(r io.Reader, push func([]label) error) ([]label, error) {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p)
	n, err := io.ReadFull(r, (*p)[:cap(*p)])
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	labels := decodeLabels((*p)[:n])
	if err := push(labels); err != nil {
		return nil, err
	}
	return labels, nil // want "PV003"
}

func (w *writeRequest) release() {
	bufs.PutBytes(w.buf)
	w.buf = nil
}

func handle(w *writeRequest, log func(string)) {
	first := unsafeText((*w.buf)[:4])
	w.release()
	log(first) // want "PV001"
}

// A client puts the body of a request when the request was sent, and when the
// answer was read.
type call struct {
	body   *bytes.Buffer
	answer *bytes.Buffer
	err    error
}

func (c *call) send(w io.Writer) {
	if _, c.err = w.Write(c.body.Bytes()); c.err != nil {
		bufs.Put(c.body)
	}
}

func (c *call) done() {
	bufs.Put(c.body)
	c.body = nil
}

func roundTrip(w io.Writer, payload string) error {
	c := &call{body: bufs.Get()}
	c.body.WriteString(payload)
	_, c.err = w.Write(c.body.Bytes())
	if c.err != nil {
		bufs.Put(c.body)
	}
	c.done() // want "PV001|PV002"
	return c.err
}

// A retry writes the body that the first attempt has put.
func twice(w io.Writer, payload string) error {
	body := bufs.Get()
	body.WriteString(payload)
	attempt := func() error {
		_, err := w.Write(body.Bytes()) // may "PV001"
		bufs.Put(body)                  // may "PV002"
		return err
	}
	if err := attempt(); err != nil {
		return attempt() // want "PV001|PV002"
	}
	return nil
}

// What the last iteration put is compared with in this one.
func duplicates(r *strings.Reader, size int) (n int, err error) {
	var previous []byte
	for {
		p := bufs.GetBytes()
		*p = append(*p, make([]byte, size)...)
		if _, err = io.ReadFull(r, *p); err != nil {
			bufs.PutBytes(p)
			return n, err
		}
		if bytes.Equal(previous, *p) { // want "PV001"
			n++
		}
		previous = *p
		bufs.PutBytes(p)
	}
}

// Sent or given up: but put in either case.
func publish(ctx context.Context, out chan<- *bytes.Buffer, name string) error {
	b := bufs.Get()
	b.WriteString(name)
	var err error
	select {
	case out <- b: // want "PV004"
	case <-ctx.Done():
		err = ctx.Err()
	}
	bufs.Put(b)
	return err
}

// The pool comes as an interface.
type bufferPool interface {
	Get() []byte
	Put([]byte)
}

type proxy struct {
	pool bufferPool
	last []byte
}

func (p *proxy) copyBody(dst io.Writer, src io.Reader) (head []byte, err error) {
	b := p.pool.Get()
	n, err := src.Read(b)
	if err == nil {
		_, err = dst.Write(b[:n])
	}
	head = b[:min(n, 16)]
	p.pool.Put(b)
	return head, err // want "PV001"
}

func (p *proxy) deferred(src io.Reader) ([]byte, error) {
	b := p.pool.Get()
	defer p.pool.Put(b)
	n, err := src.Read(b)
	return b[:n], err // want "PV003"
}

func (p *proxy) forgotten(src io.Reader) (int, error) {
	b := p.pool.Get() // want "PV005"
	n, err := src.Read(b)
	if err != nil {
		return 0, err
	}
	p.pool.Put(b)
	return n, nil
}

func (p *proxy) keeps(src io.Reader) error {
	b := p.pool.Get()
	n, err := src.Read(b)
	p.last = b[:n] // want "PV004"
	p.pool.Put(b)
	return err
}

// A walk with a pooled context that reads it when the callback has ended.
type visit struct {
	path  []string
	skip  bool
	depth int
}

var visits = sync.Pool{New: func() any { return new(visit) }}

func walk(doc map[string]any, fn func(*visit)) (skipped int) {
	for key, value := range doc {
		v := visits.Get().(*visit)
		v.path = append(v.path[:0], key)
		fn(v)
		*v = visit{path: v.path[:0]}
		visits.Put(v)
		if v.skip { // want "PV001"
			skipped++
			continue
		}
		if child, ok := value.(map[string]any); ok {
			skipped += walk(child, fn)
		}
	}
	return skipped
}

// A converter keeps the paths of its pooled context in the document it makes.
type document struct {
	paths    map[string][]string
	warnings []string
}

type converter struct {
	paths    map[string][]string
	warnings []string
	scratch  bytes.Buffer
}

var converters = sync.Pool{New: func() any { return &converter{paths: map[string][]string{}} }}

func convert(names []string) *document {
	c := converters.Get().(*converter)
	defer converters.Put(c)
	clear(c.paths)
	for _, n := range names {
		c.paths[n] = strings.Split(n, "/")
	}
	doc := &document{paths: c.paths}
	if len(names) == 0 {
		doc.warnings = append(doc.warnings, "empty")
	}
	return doc // want "PV003"
}

func convertWarnings(names []string, doc *document) {
	c := converters.Get().(*converter)
	c.warnings = c.warnings[:0]
	for _, n := range names {
		if n == "" {
			c.warnings = append(c.warnings, "empty name")
		}
	}
	doc.warnings = c.warnings // want "PV004"
	converters.Put(c)
}

// The report of a validator is put and its errors are returned.
type report struct {
	errs  []error
	valid bool
}

var reports = sync.Pool{New: func() any { return new(report) }}

func validate(body []byte) (bool, []error) {
	r := reports.Get().(*report)
	r.errs = r.errs[:0]
	if !json.Valid(body) {
		r.errs = append(r.errs, errors.New("not JSON"))
	}
	r.valid = len(r.errs) == 0
	reports.Put(r)
	return r.valid, r.errs // want "PV001"
}

// An evaluator returns its pooled work list if there is no step to do.
type value map[string]any

var lists = sync.Pool{New: func() any { s := make([]value, 0, 16); return &s }}

func evaluate(root value, steps []string) []value {
	p := lists.Get().(*[]value)
	defer lists.Put(p) // may "PV013"
	current := append((*p)[:0], root)
	for _, step := range steps {
		var next []value
		for _, v := range current {
			if child, ok := v[step].(value); ok {
				next = append(next, child)
			}
		}
		current = next
	}
	return current // want "PV003"
}

// Marshalling trims the newline of the encoder, and returns what is left.
func marshal(v any) (data []byte, err error) {
	b := bufs.Get()
	defer bufs.Put(b)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err = enc.Encode(v); err != nil {
		return nil, fmt.Errorf("marshal %T: %w", v, err)
	}
	data = b.Bytes()
	if n := len(data); n > 0 && data[n-1] == '\n' {
		data = data[:n-1]
	}
	return data, nil // want "PV003"
}

// Templates are rendered into a buffer that the formatter gets without a copy.
type generator struct {
	files map[string][]byte
}

func (g *generator) render(name string, execute func(io.Writer) error) error {
	b := bufs.Get()
	defer bufs.Put(b)
	if err := execute(b); err != nil {
		return err
	}
	g.files[name] = b.Bytes() // want "PV004"
	return nil
}

// A stream gets a new buffer without putting the one that it has.
type stream struct {
	src io.Reader
	buf *[]byte
}

func (s *stream) restart(src io.Reader) error {
	s.buf = bufs.GetBytes() // want "PV005"
	if _, err := src.Read((*s.buf)[:cap(*s.buf)]); err == io.EOF {
		s.buf = bufs.GetBytes()
		s.src = strings.NewReader("")
	}
	bufs.PutBytes(s.buf)
	s.buf = nil
	return nil
}

// The lock is released after the struct that holds it is in the pool.
type entry struct {
	mu   sync.Mutex
	text string
}

var entries = sync.Pool{New: func() any { return new(entry) }}

func unlockAfterPut(text string, write func(string)) {
	e := entries.Get().(*entry)
	e.mu.Lock()
	e.text = text
	write(e.text)
	e.text = ""
	entries.Put(e)
	e.mu.Unlock() // want "PV001"
}

func deferredUnlock(text string, write func(string)) {
	e := entries.Get().(*entry)
	e.mu.Lock()
	defer e.mu.Unlock() // want "PV001"
	defer entries.Put(e)
	e.text = text
	write(e.text)
}

// The writer goroutine stops with an error and puts; the reader puts as well.
type pipe struct {
	data chan *bytes.Buffer
	done chan struct{}
}

func (p *pipe) write(b *bytes.Buffer) error {
	select {
	case p.data <- b:
		return nil
	case <-p.done:
		bufs.Put(b)
		return errClosed
	}
}

func feed(p *pipe, name string) error {
	b := bufs.Get()
	b.WriteString(name)
	if err := p.write(b); err != nil {
		bufs.Put(b) // want "PV002"
		return err
	}
	return nil
}
