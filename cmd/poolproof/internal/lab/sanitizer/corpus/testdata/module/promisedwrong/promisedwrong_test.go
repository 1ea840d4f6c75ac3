// Package promisedwrong has misuses that the guide promises to find, written
// without a look at the rules.
package promisedwrong

import (
	"bufio"
	"bytes"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// 1: a row of the table is kept.
type csv struct{ rows [][]byte }

var csvs = sync.Pool{New: func() any { return &csv{rows: make([][]byte, 4)} }}

func firstCell(line string) []byte {
	c := csvs.Get().(*csv)
	defer csvs.Put(c)
	for i, cell := range strings.Split(line, ",") {
		c.rows[i] = append(c.rows[i][:0], cell...)
	}
	return c.rows[0]
}

//want:exact read-after-put
//want:fast poison
func TestRow(t *testing.T) {
	if a := firstCell("one,two"); len(a) != 3 || a[0] != 'o' {
		t.Error(a)
	}
}

// 2: an iterator reads the object's items after the loop's function has put it.
type list struct{ items []int }

var lists = sync.Pool{New: func() any { return &list{items: make([]int, 0, 4)} }}

func squares(n int) iter.Seq[int] {
	l := lists.Get().(*list)
	defer lists.Put(l)
	l.items = l.items[:0]
	for i := range n {
		l.items = append(l.items, i*i)
	}
	return func(yield func(int) bool) {
		for _, v := range l.items {
			if !yield(v) {
				return
			}
		}
	}
}

//want:exact read-after-put
//want:fast poison
func TestIterator(t *testing.T) {
	if s := slices.Collect(squares(4)); len(s) != 4 || s[3] != 9 {
		t.Error(s)
	}
}

// 3: one of the stages that New made is kept behind an interface.
type stage interface{ run(int) int }

type adder struct{ n, calls int }

func (a *adder) run(x int) int { a.calls++; return x + a.n }

type scaler struct{ n, calls int }

func (s *scaler) run(x int) int { s.calls++; return x * s.n }

type pipeline struct{ stages []stage }

var pipelines = sync.Pool{New: func() any {
	return &pipeline{stages: []stage{&adder{n: 1}, &scaler{n: 3}}}
}}

//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestStage(t *testing.T) {
	for range 2 {
		p := pipelines.Get().(*pipeline)
		last := p.stages[len(p.stages)-1]
		pipelines.Put(p)
		if last.run(2) != 6 {
			t.Error("wrong")
		}
	}
}

// 4: a map is put while a goroutine still counts in it.
var counts = sync.Pool{New: func() any { return make(map[string]int) }}

//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestMap(t *testing.T) {
	m := counts.Get().(map[string]int)
	m["a"] = 1
	done := make(chan bool)
	put := make(chan bool)
	go func() {
		<-put
		m["a"] = 2
		close(done)
	}()
	clear(m)
	counts.Put(m)
	close(put)
	<-done
}

// 5: the writer is flushed by a method value after the Put.
type logger struct {
	out bytes.Buffer
	w   *bufio.Writer
}

var loggers = sync.Pool{New: func() any {
	l := new(logger)
	l.w = bufio.NewWriter(&l.out)
	return l
}}

//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestFlush(t *testing.T) {
	l := loggers.Get().(*logger)
	flush := l.w.Flush
	l.w.WriteString("line")
	loggers.Put(l)
	if err := flush(); err != nil {
		t.Error(err)
	}
}

// 6: the array is put by its first byte, and written later.
var raw = sync.Pool{New: func() any { return unsafe.SliceData(make([]byte, 128)) }}

//want:exact write-after-put
//want:fast write-after-put
func TestRaw(t *testing.T) {
	b := unsafe.Slice(raw.Get().(*byte), 128)
	raw.Put(unsafe.SliceData(b))
	b[100] = 'x'
}

// 7: the recovered call has put the object already.
type conn struct{ buf [64]byte }

var conns = sync.Pool{New: func() any { return new(conn) }}

func serve(f func(*conn)) {
	c := conns.Get().(*conn)
	defer conns.Put(c)
	defer func() {
		if recover() != nil {
			conns.Put(c)
		}
	}()
	f(c)
}

//want:exact double-put
//want:fast double-put
func TestRecovered(t *testing.T) {
	serve(func(c *conn) { c.buf[0] = 1 })
	serve(func(c *conn) { panic("refused") })
}

// 8: the buffer goes to its own pool, and with its owner to the owner's.
type frame struct{ payload []byte }

var (
	frames   = sync.Pool{New: func() any { return &frame{payload: make([]byte, 256)} }}
	payloads = sync.Pool{New: func() any { return make([]byte, 256) }}
)

//want:exact alias-put
//want:fast alias-put
func TestPayload(t *testing.T) {
	f := frames.Get().(*frame)
	payloads.Put(f.payload)
	frames.Put(f)
}

// 9: the timer that ends a slow request touches the request when it is over.
type request struct {
	path    string
	timeout bool
}

var requests = sync.Pool{New: func() any { return new(request) }}

//want:exact write-after-put
//want:fast write-after-put
func TestTimer(t *testing.T) {
	r := requests.Get().(*request)
	fired := make(chan bool)
	time.AfterFunc(30*time.Millisecond, func() { r.timeout = true; close(fired) })
	r.path = "/"
	requests.Put(r)
	<-fired
}

// 10: the two halves of a double buffer change places; one of them is kept.
type screen struct{ front, back []byte }

var screens = sync.Pool{New: func() any { return new(screen) }}

func (s *screen) draw(text string) {
	if cap(s.back) < len(text) {
		s.back = make([]byte, len(text), 2*len(text)+16)
	}
	s.back = s.back[:len(text)]
	copy(s.back, text)
	s.front, s.back = s.back, s.front
}

//want:exact read-after-put
//want:fast poison
func TestScreen(t *testing.T) {
	s := screens.Get().(*screen)
	s.draw("one")
	s.draw("three")
	shown := s.front
	screens.Put(s)
	if len(shown) != 5 || shown[0] != 't' {
		t.Error(shown)
	}
}
