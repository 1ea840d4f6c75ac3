// Package doubleput puts objects twice.
package doubleput

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/jobs"
)

var (
	errShort = errors.New("short")
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	slices   = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}
)

// The branch of the error has no return.
func errorBranch(w io.Writer, name string) (err error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	if _, err = w.Write(b.Bytes()); err != nil {
		buffers.Put(b)
	}
	buffers.Put(b) // want "PV002"
	return err
}

func deferredAndDirect(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // may "PV002"
	b.Reset()
	if name == "" {
		buffers.Put(b) // want "PV002"
		return errShort
	}
	b.WriteString(name)
	_, err := w.Write(b.Bytes())
	return err
}

func twoNames(r io.Reader) error {
	p := slices.Get().(*[]byte)
	q := p
	_, err := io.ReadFull(r, *p)
	slices.Put(p)
	slices.Put(q) // want "PV002"
	return err
}

func twoDeferred(name string) int {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want "PV002"
	b.Reset()
	n, _ := b.WriteString(name)
	defer buffers.Put(b)
	return n
}

func closureAndDirect(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	defer func() { // may "PV002"
		b.Reset()
		buffers.Put(b) // may "PV001 PV002"
	}()
	if _, err := b.WriteString(name); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b) // want "PV002"
	return err
}

// The consumer of the other package has released it.
func consumerPuts(w io.Writer) error {
	j := jobs.New(1)
	err := jobs.Finish(j, w)
	j.Release() // want "PV001|PV002"
	return err
}

func releasedTwice(ok bool) {
	j := jobs.New(2)
	if ok {
		j.ID++
		j.Release()
	}
	j.Release() // want "PV001|PV002"
}

func wrapperAndDeferred(name string) string {
	b := bufs.Get()
	defer bufs.Put(b) // may "PV002"
	b.WriteString(name)
	s := b.String()
	bufs.Put(b) // want "PV002"
	return s
}

func slicedTwice(r io.Reader) (int, error) {
	b := classes.Get(1 << 12)
	n, err := r.Read(b)
	if err != nil {
		classes.Put(b[:0])
	}
	classes.Put(b[:n]) // want "PV002"
	return n, err
}

func genericTwice[T any](p *gpool.Pool[T], use func(*T) error) error {
	x := p.Get()
	if err := use(x); err != nil {
		p.Put(x)
		p.Put(x) // want "PV001|PV002"
		return err
	}
	p.Put(x)
	return nil
}

// Put once an iteration, got once.
func onceAnIteration(names []string) {
	b := buffers.Get().(*bytes.Buffer) // may "PV005"
	for range names {
		buffers.Put(b) // want "PV002"
	}
}

func goneAlready(out chan<- int, name string) {
	b := buffers.Get().(*bytes.Buffer)
	n, _ := b.WriteString(name)
	var x any = b
	buffers.Put(x)
	out <- n
	if n == 0 {
		buffers.Put(b) // want "PV002"
	}
}

// Two cases of a switch, one of which falls through.
func fallsThrough(kind int) {
	b := buffers.Get().(*bytes.Buffer)
	switch kind {
	case 0:
		buffers.Put(b)
		fallthrough
	case 1:
		buffers.Put(b) // want "PV002"
	default:
		b.Reset()
		buffers.Put(b)
	}
}

// A helper of this package puts, which its name does not tell.
func logAndDrop(b *bytes.Buffer, w io.Writer) {
	fmt.Fprintln(w, b.Len())
	buffers.Put(b)
}

func helperPuts(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(name)
	logAndDrop(b, w)
	buffers.Put(b) // want "PV002"
}

// The helper of a helper.
func tidy(b *bytes.Buffer) { bufs.Put(b) }

func clean(b *bytes.Buffer, n int) {
	if n > 0 {
		b.Truncate(0)
	}
	tidy(b)
}

func helperOfHelper(name string) {
	b := bufs.Get()
	n, _ := b.WriteString(name)
	clean(b, n)
	bufs.Put(b) // want "PV002"
}

// A reader gives its buffer back at the end, and again when it is closed.
type reader struct {
	src io.Reader
	buf *[]byte
	err error
}

func (r *reader) finish(err error) error {
	slices.Put(r.buf) // may "PV015"
	r.err = err
	return err
}

func (r *reader) Close() error {
	slices.Put(r.buf)
	r.buf = nil
	return r.err
}

func readAll(src io.Reader) error {
	r := &reader{src: src, buf: slices.Get().(*[]byte)}
	_, err := io.ReadFull(r.src, *r.buf)
	r.finish(err)
	return r.Close() // want "PV001|PV002"
}

// The method puts what the caller has put already through the same field.
func (r *reader) abort() {
	slices.Put(r.buf)
	r.Close() // want "PV001|PV002"
}

func deferredClose(src io.Reader) error {
	r := &reader{src: src, buf: slices.Get().(*[]byte)}
	defer r.Close() // may "PV002"
	if _, err := io.ReadFull(src, *r.buf); err != nil {
		return r.finish(err) // want "PV001|PV002"
	}
	return nil
}

// Retried requests share a body; each attempt gives it back.
func retry(send func([]byte) error, attempts int) (err error) {
	body := bufs.GetBytes() // may "PV005"
	*body = append(*body, "body"...)
	for range attempts {
		if err = send(*body); err != nil { // may "PV001"
			bufs.PutBytes(body) // want "PV001|PV002"
			continue
		}
		bufs.PutBytes(body) // may "PV002"
		return nil
	}
	return err
}

// Middleware gives back the body that the client gives back too.
type request struct{ body *bytes.Buffer }

func after(r *request) {
	if r.body != nil {
		bufs.Put(r.body) // may "PV015"
	}
}

func do(r *request, w io.Writer) error {
	r.body = bufs.Get()
	_, err := r.body.WriteTo(w)
	after(r)
	bufs.Put(r.body) // want "PV001|PV002"
	return err
}

func recovered(work func(*bytes.Buffer)) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if recover() != nil {
			b.Reset() // may "PV001"
		}
		buffers.Put(b) // may "PV002"
	}()
	work(b)
	buffers.Put(b) // want "PV002"
}
