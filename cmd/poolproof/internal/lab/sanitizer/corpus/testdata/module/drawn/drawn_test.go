// Package drawn has legal programs that were written without a look at the rules.
package drawn

import (
	"bufio"
	"bytes"
	"context"
	"expvar"
	"fmt"
	"iter"
	"math/big"
	"net/http"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"
)

// 1: keys of a map, sorted in a pooled slice, joined to a new string.
var keyPool = sync.Pool{New: func() any { s := make([]string, 0, 8); return &s }}

func query(m map[string]string) string {
	keys := keyPool.Get().(*[]string)
	defer func() { *keys = (*keys)[:0]; keyPool.Put(keys) }()
	for k := range m {
		*keys = append(*keys, k)
	}
	sort.Strings(*keys)
	var b strings.Builder
	for i, k := range *keys {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(k + "=" + m[k])
	}
	return b.String()
}

//want:silence
func TestQuery(t *testing.T) {
	for range 3 {
		if got := query(map[string]string{"b": "2", "a": "1"}); got != "a=1&b=2" {
			t.Error(got)
		}
	}
}

// 2: a tab writer over the caller's builder.
var tabs = sync.Pool{New: func() any { return new(tabwriter.Writer) }}

func table(rows ...string) string {
	var out strings.Builder
	w := tabs.Get().(*tabwriter.Writer)
	w.Init(&out, 0, 8, 1, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(w, r)
	}
	w.Flush()
	tabs.Put(w)
	return out.String()
}

//want:silence
func TestTable(t *testing.T) {
	a := table("a\tb", "ccc\td")
	b := table("x\ty")
	if a != "a   b\nccc d\n" || b != "x y\n" {
		t.Errorf("%q %q", a, b)
	}
}

// 3: rows of a matrix cut from one array, that goes back as a whole.
type matrix struct {
	cells []float64
	rows  [][]float64
}

var matrices = sync.Pool{New: func() any { return new(matrix) }}

func newMatrix(r, c int) *matrix {
	m := matrices.Get().(*matrix)
	if cap(m.cells) < r*c {
		m.cells = make([]float64, r*c)
	}
	m.cells = m.cells[:r*c]
	clear(m.cells)
	m.rows = m.rows[:0]
	for i := range r {
		m.rows = append(m.rows, m.cells[i*c:(i+1)*c:(i+1)*c])
	}
	return m
}

func (m *matrix) trace() (s float64) {
	for i, r := range m.rows {
		s += r[i]
	}
	return s
}

//want:silence
func TestMatrix(t *testing.T) {
	for n := 2; n < 6; n++ {
		m := newMatrix(n, n)
		for i := range n {
			m.rows[i][i] = 1
		}
		if m.trace() != float64(n) {
			t.Error(m.trace())
		}
		matrices.Put(m)
	}
}

// 4: nodes that refer to each other by index, the result is copied out.
type arena struct{ nodes []node }
type node struct {
	val         int
	left, right int32
}

var arenas = sync.Pool{New: func() any { return &arena{nodes: make([]node, 0, 16)} }}

func sorted(xs []int) []int {
	a := arenas.Get().(*arena)
	a.nodes = a.nodes[:0]
	defer arenas.Put(a)
	for _, x := range xs {
		a.insert(x)
	}
	return a.walk(nil, 0)
}

func (a *arena) insert(x int) {
	a.nodes = append(a.nodes, node{x, -1, -1})
	n := int32(len(a.nodes) - 1)
	if n == 0 {
		return
	}
	for i := int32(0); ; {
		p := &a.nodes[i].left
		if x >= a.nodes[i].val {
			p = &a.nodes[i].right
		}
		if *p < 0 {
			*p = n
			return
		}
		i = *p
	}
}

func (a *arena) walk(out []int, i int32) []int {
	if i < 0 || len(a.nodes) == 0 {
		return out
	}
	out = a.walk(out, a.nodes[i].left)
	out = append(out, a.nodes[i].val)
	return a.walk(out, a.nodes[i].right)
}

//want:silence
func TestArena(t *testing.T) {
	first := sorted([]int{3, 1, 2})
	sorted([]int{9, 8, 7})
	if !slices.Equal(first, []int{1, 2, 3}) {
		t.Error(first)
	}
}

// 5: each object publishes a variable, which expvar asks for at any time.
type probe struct {
	mu    sync.Mutex
	calls int
}

func (p *probe) String() string { p.mu.Lock(); defer p.mu.Unlock(); return fmt.Sprint(p.calls) }

var probeN atomic.Int32
var probes = sync.Pool{New: func() any {
	p := &probe{}
	expvar.Publish(fmt.Sprintf("probe%d", probeN.Add(1)), p)
	return p
}}

//want:silence
func TestPublished(t *testing.T) {
	for range 3 {
		p := probes.Get().(*probe)
		p.mu.Lock()
		p.calls++
		p.mu.Unlock()
		probes.Put(p)
	}
	n := 0
	expvar.Do(func(kv expvar.KeyValue) {
		if strings.HasPrefix(kv.Key, "probe") {
			var k int
			fmt.Sscan(kv.Value.String(), &k)
			n += k
		}
	})
	if n != 3 {
		t.Error(n)
	}
}

// 6: what is called after Put was taken out before.
type task struct {
	ctx    context.Context
	cancel context.CancelFunc
	name   []byte
}

var tasks = sync.Pool{New: func() any { return new(task) }}

//want:silence
func TestCancelAfterPut(t *testing.T) {
	k := tasks.Get().(*task)
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.name = append(k.name[:0], "job"...)
	ctx, cancel, name := k.ctx, k.cancel, string(k.name)
	k.ctx, k.cancel = nil, nil
	tasks.Put(k)
	cancel()
	if ctx.Err() == nil || name != "job" {
		t.Error(ctx.Err(), name)
	}
}

// 7: the last of several readers puts the message.
type message struct {
	refs atomic.Int32
	body []byte
}

var messages = sync.Pool{New: func() any { return new(message) }}

func (m *message) release() {
	if m.refs.Add(-1) == 0 {
		m.body = m.body[:0]
		messages.Put(m)
	}
}

//want:silence
func TestReferences(t *testing.T) {
	var wg sync.WaitGroup
	var sum atomic.Int64
	for range 20 {
		m := messages.Get().(*message)
		m.body = append(m.body, "abcd"...)
		m.refs.Store(3)
		for range 3 {
			wg.Add(1)
			go (func() {
				defer wg.Done()
				defer m.release()
				sum.Add(int64(len(m.body)))
			})()
		}
	}
	wg.Wait()
	if sum.Load() != 240 {
		t.Error(sum.Load())
	}
}

// 8: scratch numbers; the result is one of its own.
var ints = sync.Pool{New: func() any { return new(big.Int) }}

func fact(n int64) *big.Int {
	r := big.NewInt(1)
	x := ints.Get().(*big.Int)
	defer ints.Put(x)
	for i := int64(2); i <= n; i++ {
		x.SetInt64(i)
		r.Mul(r, x)
	}
	return new(big.Int).Set(r)
}

//want:silence
func TestFact(t *testing.T) {
	a, b := fact(20), fact(5)
	if a.String() != "2432902008176640000" || b.Int64() != 120 {
		t.Error(a, b)
	}
}

// 9: an iterator yields copies, and puts at its end, also if the loop breaks.
type reader struct {
	sc  *bufio.Scanner
	buf []byte
}

var readers = sync.Pool{New: func() any { return &reader{buf: make([]byte, 0, 512)} }}

func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		r := readers.Get().(*reader)
		defer func() { r.sc = nil; readers.Put(r) }()
		r.sc = bufio.NewScanner(strings.NewReader(text))
		r.sc.Buffer(r.buf, 1<<16)
		r.sc.Split(bufio.ScanWords)
		for r.sc.Scan() {
			if !yield(r.sc.Text()) {
				return
			}
		}
	}
}

//want:silence
func TestWords(t *testing.T) {
	var all []string
	for w := range words("one two three four") {
		if w == "four" {
			break
		}
		all = append(all, w)
	}
	if strings.Join(all, ",") != "one,two,three" {
		t.Error(all)
	}
}

// 10: timers that are stopped before they are put.
var timers = sync.Pool{New: func() any { t := time.NewTimer(time.Hour); t.Stop(); return t }}

func wait(d time.Duration, done <-chan int) (int, bool) {
	tm := timers.Get().(*time.Timer)
	tm.Reset(d)
	defer func() {
		if !tm.Stop() {
			select {
			case <-tm.C:
			default:
			}
		}
		timers.Put(tm)
	}()
	select {
	case x := <-done:
		return x, true
	case <-tm.C:
		return 0, false
	}
}

//want:silence
func TestTimers(t *testing.T) {
	c := make(chan int, 1)
	c <- 4
	if x, ok := wait(time.Minute, c); !ok || x != 4 {
		t.Error(x, ok)
	}
	if _, ok := wait(time.Millisecond, c); ok {
		t.Error("a value")
	}
}

// 11: headers of the caller are borrowed and given back before Put.
type view struct {
	h     http.Header
	lines []string
}

var views = sync.Pool{New: func() any { return &view{} }}

func render(h http.Header) []string {
	v := views.Get().(*view)
	v.h = h
	for k, vs := range v.h {
		v.lines = append(v.lines, k+": "+strings.Join(vs, ","))
	}
	out := v.lines
	v.h, v.lines = nil, nil // the caller gets the lines
	views.Put(v)
	sort.Strings(out)
	return out
}

//want:silence
func TestRender(t *testing.T) {
	a := render(http.Header{"A": {"1"}, "B": {"2", "3"}})
	render(http.Header{"C": {"x"}})
	if strings.Join(a, ";") != "A: 1;B: 2,3" {
		t.Error(a)
	}
}

// 12: a worker per object that ends before the object is put.
type pump struct {
	in   chan []byte
	out  bytes.Buffer
	done chan struct{}
}

var pumps = sync.Pool{New: func() any { return new(pump) }}

func (p *pump) start() {
	p.in, p.done = make(chan []byte), make(chan struct{})
	go func() {
		defer close(p.done)
		for b := range p.in {
			p.out.Write(b)
		}
	}()
}

func copyAll(parts ...string) string {
	p := pumps.Get().(*pump)
	p.start()
	for _, s := range parts {
		p.in <- []byte(s)
	}
	close(p.in)
	<-p.done
	s := p.out.String()
	p.out.Reset()
	pumps.Put(p)
	return s
}

//want:silence
func TestPump(t *testing.T) {
	if a, b := copyAll("a", "b"), copyAll("c"); a+b != "abc" {
		t.Error(a, b)
	}
}

// 13: a field is exchanged with the caller's own slice and back.
type swapper struct{ tmp []int }

var swappers = sync.Pool{New: func() any { return &swapper{} }}

func reverse(xs []int) []int {
	s := swappers.Get().(*swapper)
	defer swappers.Put(s)
	s.tmp, xs = xs, s.tmp
	slices.Reverse(s.tmp)
	s.tmp, xs = xs, s.tmp
	return xs
}

//want:silence
func TestReverse(t *testing.T) {
	a := reverse([]int{1, 2, 3})
	reverse([]int{4, 5})
	if !slices.Equal(a, []int{3, 2, 1}) {
		t.Error(a)
	}
}

// 14: a cache of parsed texts keeps results, whose parser is pooled.
type parser struct {
	in     string
	fields []string
}

var parsers = sync.Pool{New: func() any { return &parser{} }}

type record struct{ fields []string }

func parse(s string) *record {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	p.in = s
	p.fields = strings.Split(p.in, ",")
	return &record{fields: p.fields}
}

//want:silence
func TestParse(t *testing.T) {
	a, b := parse("a,b"), parse("c")
	if a.fields[1]+b.fields[0] != "bc" {
		t.Error(a, b)
	}
}

// 15: two arrays of New are exchanged, and one is given away with the result: another is made.
type doubleRow struct{ cur, next []byte }

var doubleRows = sync.Pool{New: func() any { return &doubleRow{make([]byte, 8), make([]byte, 8)} }}

func stepped(row string) []byte {
	r := doubleRows.Get().(*doubleRow)
	defer doubleRows.Put(r)
	n := copy(r.cur, row)
	for i := range n {
		r.next[i] = r.cur[i] + r.cur[(i+1)%n]
	}
	r.cur, r.next = r.next, r.cur
	out := r.cur[:n]
	r.cur = make([]byte, 8)
	return out
}

//want:silence
func TestExchangedArrayIsGivenAway(t *testing.T) {
	a, b := stepped("\x01\x02\x03"), stepped("\x04\x05")
	a[0]++
	if string(a) != "\x04\x05\x04" || string(b) != "\x09\x09" {
		t.Errorf("%q %q", a, b)
	}
}
