package doubleput

import (
	"bytes"
	"io"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/frames"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/jobs"
)

func oneBranchEach(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	if _, err := w.Write(b.Bytes()); err != nil {
		buffers.Put(b)
		return err
	}
	buffers.Put(b) // fine "PV002" the other way here has returned
	return nil
}

func flagGuardsDefer(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	returned := false
	defer func() {
		if !returned {
			buffers.Put(b) // fine "PV002" guarded by the flag
		}
	}()
	b.WriteString(name)
	if b.Len() == 0 {
		returned = true
		buffers.Put(b)
		return errShort
	}
	_, err := w.Write(b.Bytes())
	return err
}

func nilGuardsDefer(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if b != nil {
			buffers.Put(b) // fine "PV002" guarded by nil
		}
	}()
	b.WriteString(name)
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	b = nil
	return err
}

func onceGuards(name string) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	var once sync.Once
	put := func() { once.Do(func() { buffers.Put(b) }) }
	defer put() // fine "PV002" once
	b.WriteString(name)
	s := b.String()
	put()
	return s
}

// A frame counts its owners: each of them releases it.
func twoOwners(out func(*frames.Frame)) {
	f := frames.New(1)
	f.Payload = append(f.Payload, 'x')
	f.Retain()
	out(f)
	f.Release()
	f.Release() // fine "PV002" a count of owners
}

func loopOwners(n int, each func(*frames.Frame)) {
	f := frames.New(2)
	for range n {
		f.Retain()
		each(f)
		f.Release() // fine "PV002" one for each Retain
	}
	f.Release()
}

type page struct {
	refs int
	mem  []byte
}

var pages = sync.Pool{New: func() any { return &page{mem: make([]byte, 4096)} }}

func (p *page) unref() {
	p.refs--
	if p.refs == 0 {
		pages.Put(p)
	}
}

func readTwice(each func([]byte)) {
	p := pages.Get().(*page)
	p.refs = 2
	each(p.mem)
	p.unref()
	each(p.mem)
	p.unref() // fine "PV002" a plain count
}

func twoObjects() {
	a := buffers.Get().(*bytes.Buffer)
	b := buffers.Get().(*bytes.Buffer)
	a.Reset()
	b.Reset()
	buffers.Put(a)
	buffers.Put(b) // fine "PV002" two objects
}

func deferredTwoObjects(r io.Reader) error {
	p := slices.Get().(*[]byte)
	defer slices.Put(p)
	q := slices.Get().(*[]byte)
	defer slices.Put(q) // fine "PV002" two objects
	if _, err := io.ReadFull(r, *p); err != nil {
		return err
	}
	_, err := io.ReadFull(r, *q)
	return err
}

func perIteration(names []string) {
	for _, name := range names {
		b := buffers.Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString(name)
		buffers.Put(b) // fine "PV002" another one each time
	}
}

func allOf(list []*bytes.Buffer) {
	for _, b := range list {
		buffers.Put(b) // fine "PV002" the elements differ
	}
}

func swapHalves() {
	a := buffers.Get().(*bytes.Buffer)
	b := buffers.Get().(*bytes.Buffer)
	a.Reset()
	b.Reset()
	if b.Len() > a.Len() {
		a, b = b, a
	}
	buffers.Put(a)
	buffers.Put(b) // fine "PV002" exchanged, still two
}

// The retry gets a new body.
func retryFresh(send func([]byte) error, attempts int) (err error) {
	for range attempts {
		body := bufs.GetBytes()
		*body = append(*body, "body"...)
		err = send(*body)
		bufs.PutBytes(body) // fine "PV002" got in this attempt
		if err == nil {
			return nil
		}
	}
	return err
}

func finishOrRelease(w io.Writer, ok bool) error {
	j := jobs.New(3)
	if !ok {
		j.Release()
		return errShort
	}
	return jobs.Finish(j, w) // fine "PV002" either, never both
}

// Close clears the field, so that a second Close does nothing.
type file struct {
	buf *[]byte
}

func (f *file) Close() error {
	if f.buf == nil {
		return nil
	}
	slices.Put(f.buf)
	f.buf = nil
	return nil
}

func closeTwice(r io.Reader) error {
	f := &file{buf: slices.Get().(*[]byte)}
	defer f.Close() // fine "PV002" nil the second time
	if _, err := io.ReadFull(r, *f.buf); err != nil {
		f.Close()
		return err
	}
	return nil
}

func classesOnce(r io.Reader) (int, error) {
	b := classes.Get(64)
	n, err := r.Read(b)
	if err != nil {
		classes.Put(b)
		return 0, err
	}
	sum := 0
	for _, c := range b[:n] {
		sum += int(c)
	}
	classes.Put(b) // fine "PV002" the other branch returned
	return sum, nil
}

func genericOnce[T any](p *gpool.Pool[T], use func(*T) error) error {
	x := p.Get()
	err := use(x)
	if err != nil {
		p.Put(x)
		return err
	}
	p.Put(x) // fine "PV002" one of two
	return nil
}

// A slot that is taken out under a lock is put by whoever took it.
type slot struct {
	mu  sync.Mutex
	buf *bytes.Buffer
}

func (s *slot) take() *bytes.Buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.buf
	s.buf = nil
	return b
}

func (s *slot) drop() {
	if b := s.take(); b != nil {
		buffers.Put(b)
	}
	if b := s.take(); b != nil {
		buffers.Put(b) // fine "PV002" taken out each time
	}
}

func switchOneEach(kind int) {
	b := buffers.Get().(*bytes.Buffer)
	switch kind {
	case 0:
		buffers.Put(b)
	case 1:
		b.Reset()
		buffers.Put(b) // fine "PV002" cases exclude each other
	default:
		b.Truncate(0)
		buffers.Put(b) // fine "PV002" the same
	}
}

func recoveredOnly(work func(*bytes.Buffer)) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if x := recover(); x != nil {
			panic(x) // the buffer of work that panicked is not put
		}
		buffers.Put(b) // fine "PV002" the only one
	}()
	work(b)
}
