package programs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"sync"
)

// 1. The worker's answer is read after the worker put the job.

type task struct {
	in  []byte
	out []byte
	ack chan struct{}
}

var tasks = sync.Pool{New: func() any { return &task{ack: make(chan struct{}, 1)} }}

func (t *task) run() {
	t.out = bytes.ToUpper(t.in)
	t.ack <- struct{}{}
	tasks.Put(t)
}

func answer(in []byte) []byte {
	t := tasks.Get().(*task)
	t.in = in
	t.run()
	<-t.ack // want "PV001"
	return t.out
}

// 2. The count is let go of before the last use.

func tell(text string, outs []chan<- *frame, w io.Writer) error {
	f := newFrame(len(outs))
	f.body.WriteString(text)
	b := f.body.Bytes()
	frames.Put(f)
	for _, o := range outs {
		o <- f // want "PV001|PV004"
	}
	_, err := w.Write(b)
	return err
}

// 3. The named result is memory of what the deferred closure puts.

func render(name string) (page []byte, err error) {
	b := texts.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		texts.Put(b)
	}()
	if name == "" {
		err = errors.New("no name")
		return
	}
	b.WriteString("<p>")
	b.WriteString(name)
	page = b.Bytes()
	return // want "PV003"
}

// 4. A deferred closure puts what a branch has put already.

func attempt(r io.Reader) (string, error) {
	b := texts.Get().(*bytes.Buffer)
	done := false
	defer func() {
		done = true
		texts.Put(b)
	}()
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		texts.Put(b) // want "PV001|PV002"
		return "", err
	}
	_ = done
	return b.String(), nil
}

// 5. The iterator yields rows that it puts before the caller looks at them.

func each(lines []string) iter.Seq[*row] {
	return func(yield func(*row) bool) {
		for _, l := range lines {
			r := rows.Get().(*row)
			r.cells = append(r.cells[:0], l)
			rows.Put(r)
			if !yield(r) { // want "PV001"
				return
			}
		}
	}
}

// 6. A method value ends the session twice.

func visitTwice(names []string) (n int) {
	s, end := open()
	defer end()
	for _, name := range names {
		s.log.WriteString(name)
	}
	n = s.log.Len()
	s.close() // want "PV001|PV002"
	return n
}

// 7. A label's continue loses a row.

func count(lines []string) (n int) {
lines:
	for _, l := range lines {
		r := rows.Get().(*row)
		r.cells = r.cells[:0]
		for c := range strings.SplitSeq(l, ",") {
			if strings.HasPrefix(c, "#") {
				continue lines // want "PV005"
			}
			r.cells = append(r.cells, c)
		}
		n += len(r.cells)
		rows.Put(r)
	}
	return n
}

// 8. The select that sends nothing loses the frame.

func offer(ctx context.Context, to chan<- *batch, in []int) error {
	b := batches.Get().(*batch)
	b.items = append(b.items[:0], in...)
	select {
	case to <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err() // want "PV005"
	}
}

// 9. A pool in a slice of pools has another type than its neighbour's puts.

type shelves struct {
	pools [4]sync.Pool
}

func (s *shelves) give(i int, b []byte) {
	s.pools[i].Put(b) // want "PV008"
}

func (s *shelves) take(i int) []byte {
	b, ok := s.pools[i].Get().([]byte)
	if !ok {
		b = make([]byte, 0, 64<<i)
	}
	return b[:0]
}

// 10. A generic helper puts, and the caller returns what it had inside.

func hold[T any](p *sync.Pool, f func(T)) T {
	v := p.Get().(T)
	defer p.Put(v)
	f(v)
	return v // want "PV003"
}

// 11. A struct carries the buffer to a goroutine that nobody waits for.

type report struct {
	to  string
	buf *bytes.Buffer
}

func mail(to string, text string, send func(report)) {
	b := texts.Get().(*bytes.Buffer)
	defer texts.Put(b)
	b.Reset()
	b.WriteString(text)
	r := report{to: to, buf: b}
	go send(r) // want "PV004"
}

// 12. The interface's put comes before the last look at the value.

func measure[T interface{ Len() int }](l lender[T], f func(T)) int {
	v := l.get()
	f(v)
	l.put(v)
	return v.Len() // want "PV001"
}

// 13. A map keeps the row under the name that the put frees for others.

func index(lines []string) map[string]*row {
	m := make(map[string]*row, len(lines))
	for _, l := range lines {
		r := rows.Get().(*row)
		r.cells = append(r.cells[:0], l)
		m[l] = r // want "PV003|PV004"
		rows.Put(r)
	}
	return m
}
