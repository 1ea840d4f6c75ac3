package escape

import (
	"bytes"
	"container/list"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/frames"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/journal"
)

var counter atomic.Int64

func copyInGlobal(name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	lastBytes = bytes.Clone(b.Bytes()) // fine "PV004" a copy
}

func numberInGlobal(name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	n, _ := b.WriteString(name)
	counter.Add(int64(n)) // fine "PV004" a number
}

func (c *cache) copyInField(name string) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	c.mu.Lock()
	c.last = append(c.last[:0], b.Bytes()...) // fine "PV004" into the cache's own memory
	c.mu.Unlock()
}

// The field has the object while the method runs, and is cleared before the Put.
func (c *cache) borrowed(name string, use func(*cache)) {
	e := events.Get().(*event)
	e.name = name
	c.ev = e // fine "PV004" cleared below
	use(c)
	c.ev = nil
	events.Put(e)
}

func (c *cache) borrowedUntilReturn(name string, use func(*cache)) {
	e := events.Get().(*event)
	defer func() {
		c.ev = nil
		events.Put(e)
	}()
	e.name = name
	c.ev = e // fine "PV004" cleared in the deferred call
	use(c)
}

func (c *cache) restored(name string, use func()) {
	old := c.ev
	e := events.Get().(*event)
	e.name = name
	c.ev = e // fine "PV004" the old one comes back
	use()
	c.ev = old
	events.Put(e)
}

func (c *cache) inMapUntilDone(id int, name string, use func()) {
	e := events.Get().(*event)
	e.name = name
	c.byID[id] = e // fine "PV004" deleted before the Put
	use()
	delete(c.byID, id)
	events.Put(e)
}

// The object stays in the field and is put when it is replaced.
func (c *cache) replace(name string) {
	if c.ev != nil {
		events.Put(c.ev)
	}
	e := events.Get().(*event)
	e.name = name
	c.ev = e // fine "PV004" another one than the one that was put
}

// The receiver puts.
func handedOver(out chan<- *event, name string) {
	e := events.Get().(*event)
	e.name = name
	out <- e // fine "PV004" the receiver's from now on
}

func receiver(in <-chan *event, use func(*event)) {
	for e := range in {
		use(e)
		events.Put(e) // fine "PV002" received: ours
	}
}

func handedOverOrPut(out chan<- *event, name string) {
	e := events.Get().(*event)
	e.name = name
	select {
	case out <- e: // fine "PV004" sent in this case, put in the other
	default:
		events.Put(e)
	}
}

func handedOverUnlessStopped(out chan<- *event, stop <-chan struct{}, name string) bool {
	e := events.Get().(*event)
	e.name = name
	select {
	case out <- e: // fine "PV004" likewise
		return true
	case <-stop:
		events.Put(e)
		return false
	}
}

func copySent(out chan<- []byte, name string) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	out <- bytes.Clone(b.Bytes()) // fine "PV004" a copy
}

func textSent(out chan<- string, name string) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	out <- b.String() // fine "PV004" a copy
}

// Request and answer: the other side is done when it answers.
func answered(in chan<- *event, done <-chan struct{}, name string) {
	e := events.Get().(*event)
	e.name = name
	in <- e // fine "PV004" lent until the answer
	<-done
	events.Put(e)
}

func joined(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { // fine "PV004" waited for
		defer wg.Done()
		w.Write(b.Bytes())
	}()
	wg.Wait()
}

func joinedByGo(w io.Writer, names []string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for _, n := range names {
		wg.Go(func() { // fine "PV004" waited for
			mu.Lock()
			defer mu.Unlock()
			b.WriteString(n)
		})
	}
	wg.Wait()
	w.Write(b.Bytes())
	buffers.Put(b)
}

func joinedByChannel(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	done := make(chan error, 1)
	go func() { // fine "PV004" its answer is received
		_, err := w.Write(b.Bytes())
		done <- err
	}()
	err := <-done
	buffers.Put(b)
	return err
}

// The goroutine owns the object and puts it.
func goroutineOwns(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	go func() {
		defer buffers.Put(b) // fine "PV004" put where it is used
		w.Write(b.Bytes())
	}()
}

func goroutineOwnsParameter(name string, use func(*event)) {
	e := events.Get().(*event)
	e.name = name
	go func(e *event) { // fine "PV004" handed to it
		use(e)
		events.Put(e)
	}(e)
}

func goroutineGetsItsOwn(w io.Writer, names []string) {
	for _, n := range names {
		go func() {
			b := bufs.Get()
			defer bufs.Put(b)
			b.WriteString(n)
			w.Write(b.Bytes()) // fine "PV004" its own buffer
		}()
	}
}

func goroutineGetsText(name string, print func(string)) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	s := b.String()
	go print(s) // fine "PV004" a copy
}

func timerStopped(name string, print func(string)) {
	t := time.AfterFunc(time.Second, func() { print(name) })
	defer t.Stop()
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name) // fine "PV004" the timer has the name, not the buffer
}

func localMap(names []string) int {
	b := bufs.Get()
	defer bufs.Put(b)
	seen := map[string]*bytes.Buffer{}
	for _, n := range names {
		seen[n] = b // fine "PV004" a local map, gone with the function
	}
	return len(seen)
}

func localSlice(w io.Writer, r io.Reader) error {
	b := bufs.Get()
	defer bufs.Put(b)
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	var lines [][]byte
	for line := range bytes.Lines(b.Bytes()) {
		lines = append(lines, line) // fine "PV004" a local slice
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if _, err := w.Write(lines[i]); err != nil {
			return err
		}
	}
	return nil
}

func localStruct(name string, use func(response)) {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p)
	*p = append(*p, name...)
	r := response{body: *p} // fine "PV004" a local value
	_ = r.body
}

// A pooled object in a pooled object: both go back.
type frameWriter struct{ buf *bytes.Buffer }

var writers = sync.Pool{New: func() any { return new(frameWriter) }}

func nested(w io.Writer, name string) error {
	fw := writers.Get().(*frameWriter)
	fw.buf = bufs.Get() // fine "PV004" cleared when both are put
	fw.buf.WriteString(name)
	_, err := w.Write(fw.buf.Bytes())
	bufs.Put(fw.buf)
	fw.buf = nil
	writers.Put(fw)
	return err
}

func otherPackageCopies(j *journal.Journal, name string) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	j.Note(b.Bytes()) // fine "PV004" Note copies
	j.Count(b)        // fine "PV004" keeps a number
}

func otherPackageOwns(j *journal.Journal, name string) {
	b := bufs.Get()
	b.WriteString(name)
	j.Keep(b) // fine "PV004" kept and never put here
}

func counted(out chan<- *frames.Frame, n int) {
	f := frames.New(1)
	for range n {
		out <- f.Retain() // fine "PV004" each receiver owns a count
	}
	f.Release()
}

func inListUntilDone(l *list.List, name string, use func()) {
	e := events.Get().(*event)
	e.name = name
	at := l.PushBack(e)
	use()
	l.Remove(at)
	events.Put(e) // fine "PV004" taken out of the list
}

func outParameterCopied(dst *[]byte, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	*dst = append((*dst)[:0], b.Bytes()...) // fine "PV004" into the caller's memory
}

func valueInMap(ids map[int]event, id int, name string) {
	e := events.Get().(*event)
	e.name = name
	ids[id] = event{name: e.name} // fine "PV004" a value of its own
	events.Put(e)
}

func genericKeepValue[T any](p *gpool.Pool[T], all map[string]T, key string) {
	x := p.Get()
	defer p.Put(x)
	all[key] = *x // fine "PV004" a value
}

func capturedNumber(name string) func() int {
	n := 0
	fill := func() {
		b := bufs.Get()
		defer bufs.Put(b)
		n, _ = b.WriteString(name) // fine "PV004" a number is captured
	}
	fill()
	return func() int { return n }
}

// The closures run before the Put.
func (q *queue) runNow(name string, print func(string)) {
	b := bufs.Get()
	b.WriteString(name)
	q.later = append(q.later, func() { print(name) }) // fine "PV004" the name only
	for _, f := range q.later {
		f()
	}
	q.later = q.later[:0]
	bufs.Put(b)
}

func readIntoCaller(r io.Reader, dst []byte) (int, error) {
	b := classes.Get(len(dst))
	defer classes.Put(b)
	n, err := io.ReadFull(r, b)
	return copy(dst, b[:n]), err // fine "PV003" copied into the caller's
}
