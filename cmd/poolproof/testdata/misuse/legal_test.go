package misuse

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
)

func TestLegalPool(t *testing.T) {
	defer begin(t)()
	r := requests.Get()
	defer requests.Put(r)
	r.n = 1
}

func TestLegalPoolText(t *testing.T) {
	defer begin(t)()
	b := texts.Get()
	defer texts.Put(b)
	b.WriteString("hello")
	sink = len(b.String())
}

func TestLegalPoolOtherGoroutine(t *testing.T) {
	defer begin(t)()
	r := requests.Get()
	done := make(chan *request)
	go func() {
		r.n = 5
		done <- r
	}()
	requests.Put(<-done)
}

func TestLegalWith(t *testing.T) {
	defer begin(t)()
	requests.With(func(r *request) { r.n = 1 })
	if err := requests.WithError(func(r *request) error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestLegalLocal(t *testing.T) {
	defer begin(t)()
	l := requests.Local(2)
	defer l.Close()
	for range 5 {
		r := l.Get()
		r.n++
		l.Put(r)
	}
}

func TestLegalLocalOnce(t *testing.T) {
	defer begin(t)()
	l := requests.Local(2)
	defer l.Close()
	r := l.Get()
	r.n++
	l.Put(r)
}

func TestLegalFill(t *testing.T) {
	defer begin(t)()
	b := packets.Get()
	defer b.Release()
	if _, err := b.Fill(strings.NewReader("a packet").Read); err != nil {
		t.Error(err)
	}
	sink = len(b.String())
}

func TestLegalAppend(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	defer b.Release()
	b.WriteString("hello")
	_, _ = b.WriteTo(io.Discard)
}

func TestLegalGetBytes(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(5)
	defer b.Release()
	copy(b.Bytes(), "hello")
	b.WriteString(", and more")
	sink = len(b.String())
}

func TestLegalGetTruncated(t *testing.T) {
	defer begin(t)()
	b := buffers.Get(512)
	n := copy(b.Bytes(), "hello")
	b.Truncate(n)
	sink = len(b.CopyAndRelease())
}

func TestLegalReaderOfBytes(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	defer b.Release()
	b.WriteString("a body")
	_, _ = io.Copy(io.Discard, bytes.NewReader(b.Bytes()))
}

func TestLegalAvailable(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	defer b.Release()
	_, _ = b.Write(append(b.AvailableBuffer(), "12345"...))
}

func TestLegalTake(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.WriteString("for long")
	p := b.Take()
	p[0] = 'F'
}

func TestLegalHeaderless(t *testing.T) {
	defer begin(t)()
	p := buffers.Bytes(300)
	p[0] = 1
	if !buffers.Free(p) {
		t.Error("refused")
	}
	q := packets.GetPtr()
	(*q)[0] = 1
	*q = (*q)[:10]
	packets.PutPtr(q)
}

func TestLegalShared(t *testing.T) {
	defer begin(t)()
	b := buffers.Append()
	b.WriteString("one answer for all")
	s := b.Share()
	var wg sync.WaitGroup
	for range 4 {
		own := s.Retain()
		wg.Go(func() {
			defer own.Release()
			_, _ = io.Discard.Write(own.Bytes())
		})
	}
	part := s.Slice(4, 10)
	s.Release()
	wg.Wait()
	mine := part.Own()
	mine.Bytes()[0] = 'X'
	mine.Release()
}

func TestLegalCopy(t *testing.T) {
	defer begin(t)()
	if _, err := buffers.Copy(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{strings.NewReader("text")}); err != nil {
		t.Error(err)
	}
}

func TestLegalSwap(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	for i := range 20 {
		publish(t, p, c, i)
		ref := c.Acquire()
		sink = ref.Value().version + len(ref.Value().rows)
		ref.Release()
	}
}

func TestLegalSwapRCU(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	err := c.RCU(context.Background(), func(next, cur *table) error {
		next.version = cur.version + 1
		next.rows = append(next.rows[:0], cur.rows...)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestLegalSwapReader(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	r := c.Reader()
	defer r.Release()
	for i := range 20 {
		publish(t, p, c, i)
		sink = r.Load().version
	}
	r.Release()
}

func TestLegalSwapMove(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	publish(t, p, c, 1)
	type job struct{ ref hotswap.Ref[table] }
	jobs := make(chan *job, 1)
	ref := c.Acquire()
	jobs <- &job{ref.Move()}
	j := <-jobs
	sink = j.ref.Value().version
	j.ref.Release()
}

func TestLegalSwapDiscard(t *testing.T) {
	defer begin(t)()
	p, c := newTables()
	defer end(t, p, c)
	d := p.Get()
	defer d.Discard()
	publish(t, p, c, 1)
	c.Do(func(x *table) { sink = x.version })
	d.Discard()
}

// A version may refer to memory that the program has elsewhere, and that others read
// whenever they like. Its Reset keeps none of it.
func TestLegalSwapSharedSlice(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[table]{
		New:   func() *table { return new(table) },
		Reset: func(x *table) bool { x.rows = nil; return true },
	})
	c := hotswap.New(p)
	defer end(t, p, c)
	defaults := []int{1, 2, 3}
	for version := range 12 {
		d := p.Get()
		d.Value().rows = defaults
		if err := c.Update(&d); err != nil {
			t.Error(err)
		}
		sink = defaults[version%3]
	}
}

// nest has rows that keep their memory, and a view of the first.
type nest struct {
	rows [][]int
	view []int
}

// What Reset leaves may be used by the next writer, beyond the length as well.
func TestLegalSwapKeepsNested(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[nest]{
		New: func() *nest { return new(nest) },
		Reset: func(x *nest) bool {
			x.view = x.view[:0]
			x.rows = x.rows[:0]
			return true
		},
	})
	c := hotswap.New(p)
	for version := range 24 {
		d := p.Get()
		x := d.Value()
		if cap(x.rows) > 0 {
			x.rows = x.rows[:1]
			x.rows[0] = append(x.rows[0][:0], version)
		} else {
			x.rows = append(x.rows, []int{version})
		}
		x.view = x.rows[0]
		if err := c.Update(&d); err != nil {
			t.Error(err)
		}
		c.Do(func(x *nest) { sink = x.rows[0][0] + x.view[0] })
	}
	c.Clear()
	p.Trim()
}
