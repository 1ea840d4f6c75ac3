package shapes

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"example.org/corpus/lib/bufs"
)

func receiveCopied(r io.Reader, push func([]label) error) ([]label, error) {
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
	out := make([]label, len(labels))
	for i, l := range labels {
		out[i] = label{strings.Clone(l.name), strings.Clone(l.value)}
	}
	return out, nil // fine "PV003" cloned one by one
}

// The request owns the buffer that its labels share, and puts it with them.
func receiveOwned(r io.Reader) (*writeRequest, error) {
	w := &writeRequest{buf: bufs.GetBytes()}
	n, err := io.ReadFull(r, (*w.buf)[:cap(*w.buf)])
	if err != nil {
		w.release()
		return nil, err
	}
	w.labels = decodeLabels((*w.buf)[:n])
	return w, nil // fine "PV003 PV005" the request's
}

func useOwned(r io.Reader, each func(string, string)) error {
	w, err := receiveOwned(r)
	if err != nil {
		return err
	}
	defer w.release()
	for _, l := range w.labels {
		each(l.name, l.value) // fine "PV001" before the deferred release
	}
	return nil
}

func retried(w io.Writer, payload string) error {
	body := bufs.Get()
	defer bufs.Put(body)
	body.WriteString(payload)
	attempt := func() error {
		_, err := w.Write(body.Bytes())
		return err
	}
	if err := attempt(); err != nil {
		return attempt() // fine "PV001" put when both are done
	}
	return nil
}

// Two buffers change places, so that the last line can be compared with.
func duplicatesRight(r io.Reader, size int) (n int, err error) {
	previous, current := bufs.GetBytes(), bufs.GetBytes()
	defer func() {
		bufs.PutBytes(previous)
		bufs.PutBytes(current) // fine "PV002" two, in some order
	}()
	for {
		*current = append((*current)[:0], make([]byte, size)...)
		if _, err = io.ReadFull(r, *current); err != nil {
			return n, err
		}
		if bytes.Equal(*previous, *current) {
			n++
		}
		previous, current = current, previous // fine "PV001" exchanged
	}
}

func publishOrPut(ctx context.Context, out chan<- *bytes.Buffer, name string) error {
	b := bufs.Get()
	b.WriteString(name)
	select {
	case out <- b: // fine "PV004" put in the other case only
		return nil
	case <-ctx.Done():
		bufs.Put(b)
		return ctx.Err()
	}
}

func (p *proxy) copyAll(dst io.Writer, src io.Reader) (int64, error) {
	var b []byte
	if p.pool != nil {
		b = p.pool.Get()
		defer p.pool.Put(b)
	}
	return io.CopyBuffer(dst, src, b) // fine "PV003" a number
}

func (p *proxy) headCopied(src io.Reader) ([]byte, error) {
	b := p.pool.Get()
	n, err := src.Read(b)
	head := bytes.Clone(b[:min(n, 16)])
	p.pool.Put(b)
	return head, err // fine "PV001" a clone
}

func walkRight(doc map[string]any, fn func(*visit)) (skipped int) {
	for key, value := range doc {
		v := visits.Get().(*visit)
		v.path = append(v.path[:0], key)
		fn(v)
		skip := v.skip
		*v = visit{path: v.path[:0]}
		visits.Put(v)
		if skip { // fine "PV001" read before
			skipped++
			continue
		}
		if child, ok := value.(map[string]any); ok {
			skipped += walkRight(child, fn)
		}
	}
	return skipped
}

// The document takes the map, the converter gets a new one.
func convertMoved(names []string) *document {
	c := converters.Get().(*converter)
	defer converters.Put(c)
	for _, n := range names {
		c.paths[n] = strings.Split(n, "/")
	}
	doc := &document{paths: c.paths}
	c.paths = make(map[string][]string)
	return doc // fine "PV003" taken out of the converter
}

func validateCopied(body []byte) (bool, []error) {
	r := reports.Get().(*report)
	r.errs = r.errs[:0]
	if !json.Valid(body) {
		r.errs = append(r.errs, errClosed)
	}
	valid, errs := len(r.errs) == 0, append([]error(nil), r.errs...)
	reports.Put(r)
	return valid, errs // fine "PV001" copied
}

func evaluateCopied(root value, steps []string) []value {
	p := lists.Get().(*[]value)
	defer lists.Put(p)
	*p = append((*p)[:0], root)
	current := *p
	for _, step := range steps {
		next := make([]value, 0, len(current))
		for _, v := range current {
			if child, ok := v[step].(value); ok {
				next = append(next, child)
			}
		}
		current = next
	}
	return append([]value(nil), current...) // fine "PV003" copied at the end
}

// strings.Builder gives its memory away, and never writes to it again.
var texts = sync.Pool{New: func() any { return new(strings.Builder) }}

func issueText(parts []string) string {
	b := texts.Get().(*strings.Builder)
	defer func() {
		b.Reset()
		texts.Put(b)
	}()
	for _, p := range parts {
		b.WriteString(p)
	}
	return b.String() // fine "PV003" Reset drops the memory
}

func (g *generator) renderCopied(name string, execute func(io.Writer) error) error {
	b := bufs.Get()
	defer bufs.Put(b)
	if err := execute(b); err != nil {
		return err
	}
	g.files[name] = bytes.Clone(b.Bytes()) // fine "PV004" a clone
	return nil
}

func (g *generator) renderThrough(name string, execute func(io.Writer) error, format func([]byte) ([]byte, error)) error {
	b := bufs.Get()
	defer bufs.Put(b)
	if err := execute(b); err != nil {
		return err
	}
	out, err := format(bytes.Clone(b.Bytes()))
	if err != nil {
		return err
	}
	g.files[name] = out // fine "PV004" the formatter's
	return nil
}

func (s *stream) restartRight(src io.Reader) {
	if s.buf != nil {
		bufs.PutBytes(s.buf)
	}
	s.buf = bufs.GetBytes() // fine "PV005" the old one was put
	s.src = src
}

func unlockBeforePut(text string, write func(string)) {
	e := entries.Get().(*entry)
	e.mu.Lock()
	e.text = text
	write(e.text)
	e.text = ""
	e.mu.Unlock()
	entries.Put(e) // fine "PV001" unlocked before
}

func deferredUnlockFirst(text string, write func(string)) {
	e := entries.Get().(*entry)
	defer entries.Put(e)
	e.mu.Lock()
	defer e.mu.Unlock() // fine "PV001" runs before the Put
	e.text = text
	write(e.text)
}

// write puts what it could not send, so that its callers need not care.
func feedRight(p *pipe, name string) error {
	b := bufs.Get()
	b.WriteString(name)
	return p.write(b) // fine "PV005" sent or put
}

func (c *call) finish(w io.Writer) error {
	c.send(w)
	if c.err == nil {
		c.done() // fine "PV002" send puts on error, done otherwise
	}
	return c.err
}
