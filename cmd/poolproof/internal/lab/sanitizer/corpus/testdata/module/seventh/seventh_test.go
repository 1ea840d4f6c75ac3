// Package seventh has legal uses of pools, written from the guide alone.
package seventh

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// 1: a parser is put with its caller's input in a field, and its results are parts of that input.
type parser struct {
	in  []byte
	pos int
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) word() []byte {
	for p.pos < len(p.in) && p.in[p.pos] == ' ' {
		p.pos++
	}
	from := p.pos
	for p.pos < len(p.in) && p.in[p.pos] != ' ' {
		p.pos++
	}
	return p.in[from:p.pos]
}

func secondWord(in []byte) []byte {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	p.in, p.pos = in, 0
	p.word()
	return p.word()
}

//want:silence
func TestPartsOfTheInput(t *testing.T) {
	for range 3 {
		if got := secondWord([]byte("one two three")); string(got) != "two" {
			t.Errorf("%q", got)
		}
	}
}

// 2: the memory of a pooled bytes.Buffer is given away for good: the Buffer is empty when it is put.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func render(name string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString("dear ")
	b.WriteString(name)
	out := b.Bytes()
	*b = bytes.Buffer{}
	buffers.Put(b)
	return out
}

//want:silence
func TestBufferGivesItsMemoryAway(t *testing.T) {
	first := render("ann")
	second := render("bob")
	if string(first) != "dear ann" || string(second) != "dear bob" {
		t.Errorf("%s %s", first, second)
	}
}

// 3: a writer appends to its caller's memory, by a Buffer that is a field.
type appender struct{ out bytes.Buffer }

var appenders = sync.Pool{New: func() any { return new(appender) }}

func appendAll(dst []byte, parts ...string) []byte {
	a := appenders.Get().(*appender)
	a.out = *bytes.NewBuffer(dst)
	for _, p := range parts {
		a.out.WriteString(p)
	}
	dst = a.out.Bytes()
	a.out = bytes.Buffer{}
	appenders.Put(a)
	return dst
}

//want:silence
func TestAppendToTheCallersMemory(t *testing.T) {
	dst := make([]byte, 0, 64)
	dst = appendAll(dst, "a", "b")
	dst = appendAll(dst, "c")
	if string(dst) != "abc" {
		t.Errorf("%q", dst)
	}
}

// 4: eight readers share a frame; the last one puts it.
type frame struct {
	refs atomic.Int32
	data []byte
}

var frames = sync.Pool{New: func() any { return &frame{data: make([]byte, 0, 128)} }}

func (f *frame) release() {
	if f.refs.Add(-1) == 0 {
		frames.Put(f)
	}
}

//want:silence
func TestLastReaderPuts(t *testing.T) {
	for round := range 20 {
		f := frames.Get().(*frame)
		f.data = append(f.data[:0], byte(round), byte(round))
		f.refs.Store(8)
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				if f.data[0] != f.data[1] {
					t.Error(f.data)
				}
				f.release()
			}()
		}
		all.Wait()
	}
}

// 5: one variable holds one object after the other.
type cell struct{ n int }

var cells = sync.Pool{New: func() any { return new(cell) }}

//want:silence
func TestOneVariableForAll(t *testing.T) {
	c := cells.Get().(*cell)
	for i := range 100 {
		c.n = i
		if c.n != i {
			t.Error(c.n)
		}
		cells.Put(c)
		c = cells.Get().(*cell)
	}
	cells.Put(c)
}

// 6: everything that leaves is a copy.
type scratch struct {
	text []byte
	ints []int
}

var scratches = sync.Pool{New: func() any { return &scratch{text: make([]byte, 0, 8)} }}

func split(line string) (string, []byte, []int, []byte) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.text = append(s.text[:0], line...)
	s.ints = s.ints[:0]
	for i := range s.text {
		s.ints = append(s.ints, i)
	}
	return string(s.text), bytes.Clone(s.text), slices.Clone(s.ints), append([]byte(nil), s.text...)
}

//want:silence
func TestCopiesLeave(t *testing.T) {
	a, b, c, d := split("some longer line than eight")
	if a != string(b) || len(c) != len(a) || string(d) != a {
		t.Error(a, b, c, d)
	}
}

// 7: the array is taken out of the object before its Put; the next user makes another one.
type collector struct{ found []string }

var collectors = sync.Pool{New: func() any { return new(collector) }}

func collect(words ...string) []string {
	c := collectors.Get().(*collector)
	for _, w := range words {
		if w != "" {
			c.found = append(c.found, w)
		}
	}
	found := c.found
	c.found = nil
	collectors.Put(c)
	return found
}

//want:silence
func TestArrayIsTakenOut(t *testing.T) {
	a, b := collect("a", "", "b"), collect("c")
	if len(a) != 2 || len(b) != 1 || a[1] != "b" || b[0] != "c" {
		t.Error(a, b)
	}
}

// 8: shards count for themselves; whoever wants the sum reads all, under their locks.
type shard struct {
	mu sync.Mutex
	n  int
}

type counter struct {
	mu   sync.Mutex
	all  []*shard
	pool sync.Pool
}

func newCounter() *counter {
	c := new(counter)
	c.pool.New = func() any {
		s := new(shard)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all = append(c.all, s)
		return s
	}
	return c
}

func (c *counter) inc() {
	s := c.pool.Get().(*shard)
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
	c.pool.Put(s)
}

func (c *counter) sum() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.all {
		s.mu.Lock()
		n += s.n
		s.mu.Unlock()
	}
	return n
}

//want:silence
func TestShardsAreSummed(t *testing.T) {
	c := newCounter()
	for range 10 {
		c.inc()
	}
	if c.sum() != 10 {
		t.Error(c.sum())
	}
}

// 9: a task goes through a channel to the goroutine that puts it.
type task struct {
	name string
	log  []byte
}

var tasks = sync.Pool{New: func() any { return &task{log: make([]byte, 0, 16)} }}

//want:silence
func TestReceiverPutsTheTask(t *testing.T) {
	queue, done := make(chan *task, 4), make(chan int)
	go func() {
		n := 0
		for x := range queue {
			x.log = append(x.log[:0], x.name...)
			n += len(x.log)
			x.name = ""
			tasks.Put(x)
		}
		done <- n
	}()
	for i := range 10 {
		x := tasks.Get().(*task)
		x.name = fmt.Sprint("task ", i)
		queue <- x
	}
	close(queue)
	if n := <-done; n != 60 {
		t.Error(n)
	}
}

// 10: a table that is made once, while the first object is made.
var table = sync.OnceValue(func() []uint16 {
	all := make([]uint16, 256)
	for i := range all {
		all[i] = uint16(i * i)
	}
	return all
})

type squarer struct {
	squares []uint16
	last    int
}

var squarers = sync.Pool{New: func() any { return &squarer{squares: table()} }}

//want:silence
func TestTableIsMadeOnce(t *testing.T) {
	a, b := squarers.Get().(*squarer), squarers.Get().(*squarer)
	a.last, b.last = 7, 8
	squarers.Put(a)
	if b.squares[b.last] != 64 {
		t.Error(b.squares[b.last])
	}
	squarers.Put(b)
	if table()[9] != 81 {
		t.Error("the table is gone")
	}
}

// 11: one array is cut into pieces that are pooled one by one.
type slabs struct {
	pool sync.Pool
	left []byte
}

func (s *slabs) get() *[]byte {
	if v := s.pool.Get(); v != nil {
		return v.(*[]byte)
	}
	if len(s.left) == 0 {
		s.left = make([]byte, 6*3)
	}
	b := s.left[:3:3]
	s.left = s.left[3:]
	return &b
}

//want:silence
func TestPiecesOfOneArray(t *testing.T) {
	var s slabs
	var held []*[]byte
	for i := range 12 {
		b := s.get()
		for j := range *b {
			(*b)[j] = byte(i)
		}
		held = append(held, b)
	}
	for i, b := range held {
		if i%2 == 0 {
			s.pool.Put(b)
		}
	}
	for i, b := range held {
		if i%2 == 1 && ((*b)[0] != byte(i) || (*b)[2] != byte(i)) {
			t.Error(i, *b)
		}
	}
}

// 12: a pooled object has a part from another pool, and each goes back to its own.
type part struct{ text []byte }
type whole struct {
	name string
	part *part
}

var parts = sync.Pool{New: func() any { return &part{text: make([]byte, 0, 16)} }}
var wholes = sync.Pool{New: func() any { return new(whole) }}

func newWhole(name string) *whole {
	w := wholes.Get().(*whole)
	w.name, w.part = name, parts.Get().(*part)
	w.part.text = append(w.part.text[:0], name...)
	return w
}

// close puts the object and gives its part to the caller, which puts it.
func (w *whole) detach() *part {
	p := w.part
	w.name, w.part = "", nil
	wholes.Put(w)
	return p
}

//want:silence
func TestPartOutlivesTheWhole(t *testing.T) {
	for range 3 {
		p := newWhole("part").detach()
		if string(p.text) != "part" {
			t.Errorf("%s", p.text)
		}
		parts.Put(p)
	}
}

// 13: two bytes each, of which some are put: their neighbours in the allocator's block stay.
var pairs = sync.Pool{New: func() any { b := make([]byte, 2); return &b }}

//want:silence
func TestTinyNeighbours(t *testing.T) {
	var own [][]byte
	for i := range 64 {
		p := pairs.Get().(*[]byte)
		(*p)[0], (*p)[1] = byte(i), byte(i)
		mine := make([]byte, 2)
		mine[0], mine[1] = byte(i), byte(i)
		own = append(own, mine)
		pairs.Put(p)
	}
	for i, b := range own {
		if b[0] != byte(i) || b[1] != byte(i) {
			t.Error(i, b)
		}
		b[0]++
	}
}

// 14: strings that a decoder has made stay good, although its table of them is pooled with it.
type interner struct {
	known map[string]string
	buf   []byte
}

var interners = sync.Pool{New: func() any { return &interner{known: map[string]string{}} }}

func intern(words ...string) (all []string) {
	x := interners.Get().(*interner)
	defer interners.Put(x)
	for _, w := range words {
		x.buf = append(x.buf[:0], w...)
		s, ok := x.known[string(x.buf)]
		if !ok {
			s = string(x.buf)
			x.known[s] = s
		}
		all = append(all, s)
	}
	return all
}

//want:silence
func TestInternedStringsStay(t *testing.T) {
	a := intern("x", "y", "x")
	b := intern("y")
	if a[0] != "x" || a[1] != b[0] || strings.Join(a, "") != "xyx" {
		t.Error(a, b)
	}
}

// 15: a logger is put with its caller's writer in it; the caller goes on with the writer.
type logger struct {
	to   io.Writer
	line []byte
}

var loggers = sync.Pool{New: func() any { return &logger{line: make([]byte, 0, 32)} }}

func logTo(w io.Writer, text string) {
	l := loggers.Get().(*logger)
	defer loggers.Put(l)
	l.to = w
	l.line = append(append(l.line[:0], text...), '\n')
	_, _ = l.to.Write(l.line)
}

//want:silence
func TestWriterOfTheCaller(t *testing.T) {
	var out bytes.Buffer
	logTo(&out, "one")
	out.WriteString("own ")
	logTo(&out, "two")
	if out.String() != "one\nown two\n" {
		t.Errorf("%q", out.String())
	}
}
