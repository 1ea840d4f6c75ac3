// Package attack has legal programs that a reader of the guide drew to break its rules.
package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
	"weak"
)

// 1: a helper is made at its first use, and each user begins without one.
type answer struct{ text string }
type asker struct{ last *answer }

var askers = sync.Pool{New: func() any { return new(asker) }}

func (a *asker) answer() *answer {
	if a.last == nil {
		a.last = &answer{}
	}
	return a.last
}

func ask(q string) *answer {
	a := askers.Get().(*asker)
	a.last = nil
	a.answer().text = q + "?"
	defer askers.Put(a)
	return a.answer()
}

//want:silence
func TestHelperIsDroppedByTheNextUser(t *testing.T) {
	one, two := ask("a"), ask("b")
	one.text += "!"
	if one.text != "a?!" || two.text != "b?" {
		t.Error(one, two)
	}
}

// 2: a map is made at its first use; each user begins with the zero value.
type counter struct{ seen map[string]int }

var counters = sync.Pool{New: func() any { return new(counter) }}

func (c *counter) add(w string) {
	if c.seen == nil {
		c.seen = make(map[string]int)
	}
	c.seen[w]++
}

func tally(words ...string) map[string]int {
	c := counters.Get().(*counter)
	*c = counter{}
	for _, w := range words {
		c.add(w)
	}
	defer counters.Put(c)
	return c.seen
}

//want:silence
func TestMapIsDroppedByTheNextUser(t *testing.T) {
	one, two := tally("a", "b", "a"), tally("a")
	one["b"]++
	if one["a"] != 2 || one["b"] != 2 || two["a"] != 1 {
		t.Error(one, two)
	}
}

// 3: an array grows where it is too small; each user begins with the zero value.
type drawer struct {
	pix  []byte
	w, h int
}

var drawers = sync.Pool{New: func() any { return new(drawer) }}

func (d *drawer) size(w, h int) {
	if cap(d.pix) < w*h {
		d.pix = make([]byte, w*h)
	}
	d.pix = d.pix[:w*h]
	d.w, d.h = w, h
}

func (d *drawer) fill(v byte) {
	for i := range d.pix {
		d.pix[i] = v
	}
}

func paint(v byte) []byte {
	d := drawers.Get().(*drawer)
	defer drawers.Put(d)
	*d = drawer{}
	d.size(1, 1)
	d.fill(1)
	d.size(4, 4)
	d.fill(v)
	return d.pix
}

//want:silence
func TestArrayIsDroppedByTheNextUser(t *testing.T) {
	one, two := paint(3), paint(4)
	one[0]++
	if one[0] != 4 || one[15] != 3 || two[7] != 4 {
		t.Error(one, two)
	}
}

// 4: each token is made for its user; the list that had it is truncated later.
type token struct{ text string }
type lexer struct{ toks []*token }

var lexers = sync.Pool{New: func() any { return &lexer{toks: make([]*token, 0, 4)} }}

func lex(s string) *token {
	l := lexers.Get().(*lexer)
	defer lexers.Put(l)
	l.toks = l.toks[:0]
	for _, f := range strings.Fields(s) {
		l.toks = append(l.toks, &token{f})
	}
	return l.toks[len(l.toks)-1]
}

//want:silence
func TestTokenOfATruncatedList(t *testing.T) {
	one, two := lex("a b c"), lex("d e")
	one.text += "!"
	if one.text != "c!" || two.text != "e" {
		t.Error(one, two)
	}
}

// 5: each entry of a map is made for its user; the next one clears the map.
type entry struct{ hits int }
type index struct{ byName map[string]*entry }

var indexes = sync.Pool{New: func() any { return &index{byName: map[string]*entry{}} }}

func most(words ...string) *entry {
	x := indexes.Get().(*index)
	defer indexes.Put(x)
	clear(x.byName)
	best := &entry{}
	for _, w := range words {
		e := x.byName[w]
		if e == nil {
			e = &entry{}
			x.byName[w] = e
		}
		if e.hits++; e.hits > best.hits {
			best = e
		}
	}
	return best
}

//want:silence
func TestEntryOfAClearedMap(t *testing.T) {
	one, two := most("a", "b", "a"), most("c")
	one.hits++
	if one.hits != 3 || two.hits != 1 {
		t.Error(one, two)
	}
}

// 6: the arrays in the elements of a list are made for each user.
type cell struct{ raw []byte }
type sheet struct{ cells []cell }

var sheets = sync.Pool{New: func() any { return &sheet{} }}

func lastCell(s string) []byte {
	x := sheets.Get().(*sheet)
	defer sheets.Put(x)
	x.cells = x.cells[:0]
	for f := range strings.SplitSeq(s, ",") {
		x.cells = append(x.cells, cell{[]byte(f)})
	}
	return x.cells[len(x.cells)-1].raw
}

//want:silence
func TestArrayOfATruncatedList(t *testing.T) {
	one, two := lastCell("a,b"), lastCell("c,d")
	one[0]++
	if string(one) != "c" || string(two) != "d" {
		t.Errorf("%s %s", one, two)
	}
}

// 7: what an interface field holds is made for each user.
type logger struct {
	out io.Writer
	n   int
}

var loggers = sync.Pool{New: func() any { return &logger{out: &bytes.Buffer{}} }}

func logged(s string) io.Writer {
	l := loggers.Get().(*logger)
	defer loggers.Put(l)
	if l.n++; l.n > 0 {
		l.out = &bytes.Buffer{}
	}
	io.WriteString(l.out, s)
	return l.out
}

//want:silence
func TestWriterOfEachUser(t *testing.T) {
	one, two := logged("a"), logged("b")
	io.WriteString(one, "!")
	if fmt.Sprint(one, two) != "a! b" {
		t.Error(one, two)
	}
}

// 8: the first object makes the table that all have, through LoadOrStore.
type shape struct{ area []int }
type solver struct{ shape *shape }

var shapes sync.Map

func shapeOf(n int) *shape {
	s, _ := shapes.LoadOrStore(n, &shape{area: make([]int, n)})
	return s.(*shape)
}

var solvers = sync.Pool{New: func() any { return &solver{shape: shapeOf(4)} }}

//want:silence
func TestTableByLoadOrStore(t *testing.T) {
	one := solvers.Get().(*solver)
	two := solvers.Get().(*solver)
	one.shape.area[1] = 7
	solvers.Put(one)
	if two.shape.area[1] != 7 {
		t.Error(two.shape.area)
	}
	solvers.Put(two)
}

// 9: a monitor has weak pointers to all objects and reads them under their locks.
type gauge struct {
	mu sync.Mutex
	n  int
}

var gaugeMu sync.Mutex
var gaugeRefs []weak.Pointer[gauge]
var gauges = sync.Pool{New: func() any {
	g := new(gauge)
	gaugeMu.Lock()
	defer gaugeMu.Unlock()
	gaugeRefs = append(gaugeRefs, weak.Make(g))
	return g
}}

//want:silence
func TestWeakRegistry(t *testing.T) {
	for range 3 {
		g := gauges.Get().(*gauge)
		g.mu.Lock()
		g.n++
		g.mu.Unlock()
		gauges.Put(g)
	}
	sum := 0
	gaugeMu.Lock()
	defer gaugeMu.Unlock()
	for _, w := range gaugeRefs {
		if g := w.Value(); g != nil {
			g.mu.Lock()
			sum += g.n
			g.mu.Unlock()
		}
	}
	if sum > 3 {
		t.Error(sum)
	}
}

// 10: a timer that the constructor starts flushes an object wherever it is.
type batcher struct {
	mu    sync.Mutex
	items []int
	fl    chan int
}

func (b *batcher) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fl <- len(b.items)
	b.items = b.items[:0]
}

var batchers = sync.Pool{New: func() any {
	b := &batcher{items: make([]int, 0, 8), fl: make(chan int, 1)}
	time.AfterFunc(20*time.Millisecond, b.flush)
	return b
}}

//want:silence
func TestTimerOfNew(t *testing.T) {
	b := batchers.Get().(*batcher)
	b.mu.Lock()
	b.items = append(b.items, 1, 2)
	fl := b.fl
	b.mu.Unlock()
	batchers.Put(b)
	if n := <-fl; n != 2 {
		t.Error(n)
	}
}

// 11: the registry itself knows whether it has an object already.
type worker struct {
	mu   sync.Mutex
	done int
}

var workerMu sync.Mutex
var workersSeen = map[*worker]bool{}
var workers = sync.Pool{New: func() any { return new(worker) }}

func work() {
	w := workers.Get().(*worker)
	workerMu.Lock()
	if !workersSeen[w] {
		workersSeen[w] = true
	}
	workerMu.Unlock()
	w.mu.Lock()
	w.done++
	w.mu.Unlock()
	workers.Put(w)
}

//want:silence
func TestRegistryKnowsItsObjects(t *testing.T) {
	work()
	work()
	sum := 0
	workerMu.Lock()
	defer workerMu.Unlock()
	for w := range workersSeen {
		w.mu.Lock()
		sum += w.done
		w.mu.Unlock()
	}
	if sum != 2 {
		t.Error(sum)
	}
}

// 12: New makes several objects at once, with windows of one array.
type lane struct{ buf []byte }

var lanes = sync.Pool{}

func getLane() *lane {
	if l, ok := lanes.Get().(*lane); ok {
		return l
	}
	back := make([]byte, 4*16)
	all := make([]lane, 4)
	for i := range all {
		all[i].buf = back[i*16 : (i+1)*16]
	}
	for i := 1; i < len(all); i++ {
		spare = append(spare, &all[i])
	}
	return &all[0]
}

var spare []*lane

//want:silence
func TestWindowsInFields(t *testing.T) {
	one := getLane()
	two := spare[0]
	copy(one.buf, "aaaa")
	copy(two.buf, "bbbb")
	lanes.Put(one)
	if string(two.buf[:4]) != "bbbb" {
		t.Errorf("%q", two.buf)
	}
	lanes.Put(two)
}

// 13: the last of several goroutines puts, as a count under a lock says.
type shared struct {
	mu   sync.Mutex
	refs int
	sum  int
}

var sharedPool = sync.Pool{New: func() any { return new(shared) }}

func (s *shared) release(n int) {
	s.mu.Lock()
	s.sum += n
	s.refs--
	last := s.refs == 0
	s.mu.Unlock()
	if last {
		sharedPool.Put(s)
	}
}

//want:silence
func TestCountUnderALock(t *testing.T) {
	for range 300 {
		s := sharedPool.Get().(*shared)
		s.refs, s.sum = 6, 0
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Add(1)
			go (func() {
				defer wg.Done()
				s.release(i)
			})()
		}
		wg.Wait()
	}
}

// 14: a decoder sets the rows by reflection, each user gets new ones.
type doc struct{ Rows []int }

var docs = sync.Pool{New: func() any { return new(doc) }}

func decode(text string) []int {
	d := docs.Get().(*doc)
	defer docs.Put(d)
	*d = doc{}
	if err := json.Unmarshal([]byte(text), d); err != nil {
		panic(err)
	}
	return d.Rows
}

//want:silence
func TestRowsOfADecoder(t *testing.T) {
	one, two := decode(`{"Rows":[1,2,3]}`), decode(`{"Rows":[4]}`)
	one[0]++
	if !slices.Equal(one, []int{2, 2, 3}) || two[0] != 4 {
		t.Error(one, two)
	}
}

// 15: tickets without a state: all have one address.
type ticket struct{}

var tickets = sync.Pool{New: func() any { return new(ticket) }}

//want:silence
func TestTicketsWithoutSize(t *testing.T) {
	a, b := tickets.Get().(*ticket), tickets.Get().(*ticket)
	tickets.Put(a)
	tickets.Put(b)
	tickets.Put(new(ticket))
}

// 16: objects of a few bytes, whose addresses the collector gives out again.
type flag struct{ b [3]byte }

var flags = sync.Pool{New: func() any { return new(flag) }}

//want:silence
func TestTinyObjectsComeAgain(t *testing.T) {
	for i := range 60 {
		for range 200 {
			f := flags.Get().(*flag)
			f.b[0] = byte(i)
			flags.Put(f)
		}
		if i%6 == 0 {
			runtime.GC()
		}
	}
}

// 17: a cleanup uses the array of an object that the collector freed.
type device struct{ log []byte }

var closed atomic.Int64
var devices = sync.Pool{New: func() any {
	d := &device{log: make([]byte, 64)}
	runtime.AddCleanup(d, func(log []byte) { closed.Add(int64(log[0])) }, d.log)
	return d
}}

//want:silence
func TestCleanupReadsTheArray(t *testing.T) {
	for range 8 {
		d := devices.Get().(*device)
		d.log[0] = 1
		devices.Put(d)
	}
	for range 50 {
		runtime.GC()
		if closed.Load() >= 7 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n := closed.Load(); n > 8 {
		t.Error(n)
	}
}

// 18: what was handed out is copied before it is written again.
type config struct{ limit int }
type editor struct {
	conf *config
	rows []int
}

var editors = sync.Pool{New: func() any { return &editor{conf: &config{limit: 1}, rows: make([]int, 4)} }}

func (e *editor) snapshot() (*config, []int) {
	conf, rows := e.conf, e.rows
	next := *conf
	e.conf = &next
	e.rows = slices.Clone(rows)
	return conf, rows
}

//want:silence
func TestCopyBeforeTheNextWrite(t *testing.T) {
	e := editors.Get().(*editor)
	e.conf.limit, e.rows[0] = 5, 6
	conf, rows := e.snapshot()
	e.conf.limit, e.rows[0] = 7, 8
	editors.Put(e)
	if conf.limit != 5 || rows[0] != 6 {
		t.Error(conf, rows)
	}
}

// 19: a string takes over the array, and the builder makes another.
type builder struct{ b []byte }

var builders = sync.Pool{New: func() any { return &builder{b: make([]byte, 0, 32)} }}

func greet(name string) string {
	x := builders.Get().(*builder)
	defer builders.Put(x)
	x.b = append(x.b[:0], "hello "...)
	x.b = append(x.b, name...)
	s := unsafe.String(unsafe.SliceData(x.b), len(x.b))
	x.b = make([]byte, 0, 32)
	return s
}

//want:silence
func TestStringTakesTheArray(t *testing.T) {
	one, two := greet("a"), greet("b")
	if m := map[string]int{one: 1, two: 2}; m["hello a"] != 1 || m["hello b"] != 2 {
		t.Error(one, two)
	}
}

// 20: the state is exchanged atomically, the old one belongs to who took it.
type state struct{ n int }
type holder struct{ now atomic.Pointer[state] }

var holders = sync.Pool{New: func() any {
	h := new(holder)
	h.now.Store(&state{})
	return h
}}

//want:silence
func TestStateIsExchanged(t *testing.T) {
	h := holders.Get().(*holder)
	h.now.Load().n = 3
	old := h.now.Swap(&state{})
	holders.Put(h)
	if old.n++; old.n != 4 {
		t.Error(old.n)
	}
}
