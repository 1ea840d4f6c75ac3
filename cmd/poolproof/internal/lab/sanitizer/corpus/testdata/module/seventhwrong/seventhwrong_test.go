// Package seventhwrong has misuses of the kinds that the guide says are found, written from the
// guide alone. Two more, of data that the last user left, are in no corpus: it has no second pass.
package seventhwrong

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/big"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// 1: a timer that fires late reports what the request has been.
type request struct {
	path  string
	bytes int
}

var requests = sync.Pool{New: func() any { return new(request) }}

func serve(path string, slow chan<- string) {
	r := requests.Get().(*request)
	r.path, r.bytes = path, len(path)
	time.AfterFunc(40*time.Millisecond, func() { slow <- fmt.Sprint(r.path, " ", r.bytes) })
	requests.Put(r)
}

//want:exact read-after-put
func TestSlowLogOfATimer(t *testing.T) {
	slow := make(chan string)
	serve("/a", slow)
	<-slow
}

// 2: one call in five thousand returns the pooled array itself.
type formatter struct{ out []byte }

var formatters = sync.Pool{New: func() any { return &formatter{out: make([]byte, 0, 32)} }}

func (f *formatter) line(n int) []byte {
	f.out = f.out[:0]
	f.out = fmt.Appendf(f.out, "line %d", n)
	return f.out
}

func formatLine(n int) []byte {
	f := formatters.Get().(*formatter)
	defer formatters.Put(f)
	line := f.line(n)
	if n%5000 == 4999 { // as if it were a fast path
		return line
	}
	return bytes.Clone(line)
}

//want:exact read-after-put
func TestOneCallInFiveThousand(t *testing.T) {
	total := 0
	for n := range 5000 {
		line := formatLine(n)
		total += int(line[len(line)-1])
	}
	if total == 0 {
		t.Error(total)
	}
}

// 3: the fortieth row of a matrix.
type matrix struct{ rows [][]float64 }

var matrices = sync.Pool{New: func() any {
	m := &matrix{rows: make([][]float64, 40)}
	for i := range m.rows {
		m.rows[i] = make([]float64, 40)
	}
	return m
}}

func identity() []float64 {
	m := matrices.Get().(*matrix)
	defer matrices.Put(m)
	for i, row := range m.rows {
		clear(row)
		row[i] = 1
	}
	return m.rows[39]
}

//want:exact read-after-put
func TestLastRowOfAMatrix(t *testing.T) {
	row := identity()
	if len(row) != 40 || row[0] > 2 {
		t.Error(row)
	}
}

// 4: one line puts two objects of two types, and both are used afterwards.
type left struct{ n int }
type right struct{ n int }

var lefts = sync.Pool{New: func() any { return new(left) }}
var rights = sync.Pool{New: func() any { return new(right) }}

func release(l *left, r *right) { lefts.Put(l); rights.Put(r) }

func sum(a, b int) int {
	l, r := lefts.Get().(*left), rights.Get().(*right)
	l.n, r.n = a, b
	release(l, r)
	return l.n + r.n
}

//want:exact read-after-put
func TestTwoOfOneLine(t *testing.T) { _ = sum(1, 2) }

// 5: a recursive closure puts the node that its caller puts, too.
type node struct {
	name string
	kids []*node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

func newNode(name string, kids ...*node) *node {
	n := nodes.Get().(*node)
	n.name, n.kids = name, append(n.kids[:0], kids...)
	return n
}

func freeTree(root *node) {
	var walk func(n *node)
	walk = func(n *node) {
		for _, k := range n.kids {
			walk(k)
			nodes.Put(k)
		}
		if len(n.kids) == 0 {
			nodes.Put(n)
		}
	}
	walk(root)
	nodes.Put(root)
}

//want:exact double-put
//want:fast double-put
func TestLeafIsFreedTwice(t *testing.T) { freeTree(newNode("root", newNode("leaf"))) }

// 6: the bytes of a pooled bytes.Buffer are returned.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func greet(name string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString("hello, ")
	b.WriteString(name)
	return b.Bytes()
}

//want:exact read-after-put
func TestBytesOfAPooledBuffer(t *testing.T) {
	g := greet("you")
	if len(g) != 10 || g[9] == 0 {
		t.Error(g)
	}
}

// 7: five bytes, put by the address of their slice.
var digits = sync.Pool{New: func() any { b := make([]byte, 5); return &b }}

func zip(n int) []byte {
	d := digits.Get().(*[]byte)
	defer digits.Put(d)
	for i := 4; i >= 0; i-- {
		(*d)[i] = byte('0' + n%10)
		n /= 10
	}
	return *d
}

//want:exact read-after-put
func TestFiveBytes(t *testing.T) {
	z := zip(12345)
	if z[0] == 'x' {
		t.Error(z)
	}
}

// 8: a generic pool of items with options; the misuse is seen for one input of a fuzz test.
type ring[T any] struct {
	items []T
	next  int
}

type rings[T any] struct {
	p    sync.Pool
	size int
}

func withSize[T any](n int) func(*rings[T]) { return func(r *rings[T]) { r.size = n } }

func newRings[T any](options ...func(*rings[T])) *rings[T] {
	r := &rings[T]{size: 4}
	for _, o := range options {
		o(r)
	}
	r.p.New = func() any { return &ring[T]{items: make([]T, r.size)} }
	return r
}

func (r *rings[T]) last(all []T) (T, *ring[T]) {
	x := r.p.Get().(*ring[T])
	defer r.p.Put(x)
	x.next = 0
	for _, v := range all {
		x.items[x.next%len(x.items)] = v
		x.next++
	}
	if x.next > len(x.items) {
		return all[len(all)-1], x
	}
	return all[len(all)-1], nil
}

//want:exact read-after-put
//want:in FuzzRing/seed#1
func FuzzRing(f *testing.F) {
	f.Add("a")
	f.Add("abcdef")
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return
		}
		_, x := newRings(withSize[rune](4)).last([]rune(s))
		if x != nil && x.items[0] == 'z' {
			t.Error(x.next)
		}
	})
}

// 9: no New, and an error path that puts what a defer puts again.
type decoder struct {
	in  *bufio.Reader
	buf []byte
}

var decoders sync.Pool

func getDecoder(r io.Reader) *decoder {
	if v := decoders.Get(); v != nil {
		d := v.(*decoder)
		d.in.Reset(r)
		return d
	}
	return &decoder{in: bufio.NewReader(r), buf: make([]byte, 0, 16)}
}

var errShort = errors.New("short")

func decode(r io.Reader) error {
	d := getDecoder(r)
	defer decoders.Put(d)
	d.buf = d.buf[:0]
	for len(d.buf) < 8 {
		c, err := d.in.ReadByte()
		if err != nil {
			decoders.Put(d)
			return errShort
		}
		d.buf = append(d.buf, c)
	}
	return nil
}

//want:exact double-put
//want:fast double-put
func TestErrorPathPutsToo(t *testing.T) {
	if err := decode(strings.NewReader("abc")); !errors.Is(err, errShort) {
		t.Error(err)
	}
}

// 10: a goroutine that the caller started goes on with a field's array after the Put.
type job struct {
	args []string
	done bool
}

var jobs = sync.Pool{New: func() any { return &job{args: make([]string, 0, 4)} }}

func runJob(args ...string) string {
	j := jobs.Get().(*job)
	j.args = append(j.args[:0], args...)
	out, put := make(chan string), make(chan bool)
	go func() {
		<-put
		out <- strings.Join(j.args, " ")
	}()
	jobs.Put(j)
	close(put)
	return <-out
}

//want:exact read-after-put
func TestGoroutineOutlivesThePut(t *testing.T) { _ = runJob("a", "b") }

// 11: a sequence is lazy: the loop runs after the deferred Put.
type index struct{ words map[string]int }

var indexes = sync.Pool{New: func() any { return &index{words: map[string]int{}} }}

func count(text string) iter.Seq2[string, int] {
	x := indexes.Get().(*index)
	defer indexes.Put(x)
	clear(x.words)
	for _, w := range strings.Fields(text) {
		x.words[w]++
	}
	return func(yield func(string, int) bool) {
		for w, n := range x.words {
			if !yield(w, n) {
				return
			}
		}
	}
}

//want:exact read-after-put
func TestSequenceOfAPutIndex(t *testing.T) {
	for w, n := range count("a b a") {
		_, _ = w, n
	}
}

// 12: an encoder and its buffer in one pooled struct; the buffer's bytes are returned.
type jsonWriter struct {
	buf bytes.Buffer
	enc *json.Encoder
}

var jsonWriters = sync.Pool{New: func() any {
	w := new(jsonWriter)
	w.enc = json.NewEncoder(&w.buf)
	return w
}}

func marshal(v any) ([]byte, error) {
	w := jsonWriters.Get().(*jsonWriter)
	defer jsonWriters.Put(w)
	w.buf.Reset()
	if err := w.enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(w.buf.Bytes()), nil
}

//want:exact read-after-put
func TestMarshalReturnsPooledBytes(t *testing.T) {
	b, err := marshal([]int{1, 2, 3})
	if err != nil || len(b) == 0 || b[0] == 'x' {
		t.Error(b, err)
	}
}

// 13: a struct is put, and its first field by its address, too.
type header struct{ key, value [16]byte }
type message struct {
	head header
	body [64]byte
}

var headers = sync.Pool{New: func() any { return new(header) }}
var messages = sync.Pool{New: func() any { return new(message) }}

//want:exact alias-put
//want:fast alias-put
func TestPartOfAPutMessageIsPut(t *testing.T) {
	m := messages.Get().(*message)
	m.head.key[0] = 1
	messages.Put(m)
	headers.Put(&m.head)
}

// 14: the argument of a deferred Put is evaluated before the session exists.
type session struct{ user string }

var sessions = sync.Pool{New: func() any { return new(session) }}

func login(user string) string {
	var s *session
	defer sessions.Put(s)
	s = sessions.Get().(*session)
	s.user = user
	return s.user
}

//want:exact nil-put
//want:fast nil-put
func TestDeferredPutOfNil(t *testing.T) {
	if login("ann") != "ann" {
		t.Error("not ann")
	}
}

// 17: a part four pointers away, behind an interface, is kept.
type sink interface{ add(n int) }
type total struct{ n int }

func (c *total) add(n int) { c.n += n }

type stage struct{ out sink }
type chain struct{ last *stage }
type pipeline struct{ chain *chain }

var pipelines = sync.Pool{New: func() any {
	return &pipeline{chain: &chain{last: &stage{out: &total{}}}}
}}

func openPipeline() (*pipeline, sink) {
	p := pipelines.Get().(*pipeline)
	return p, p.chain.last.out
}

//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestSinkFourPointersAway(t *testing.T) {
	p, s := openPipeline()
	s.add(1)
	pipelines.Put(p)
	s.add(41)
}

// 18: a list of one key of a map of lists.
type grouper struct{ by map[byte][]int }

var groupers = sync.Pool{New: func() any { return &grouper{by: map[byte][]int{}} }}

func group(words ...string) []int {
	g := groupers.Get().(*grouper)
	defer groupers.Put(g)
	for k := range g.by {
		g.by[k] = g.by[k][:0]
	}
	for i, w := range words {
		g.by[w[0]] = append(g.by[w[0]], i)
	}
	return g.by['a']
}

//want:exact read-after-put
func TestListOfAMap(t *testing.T) {
	g := group("ab", "b", "ac")
	if len(g) != 2 || g[0] == 7 {
		t.Error(g)
	}
}

// 19: the words of a pooled big number.
var numbers = sync.Pool{New: func() any { return new(big.Int) }}

func factorial(n int64) []big.Word {
	z := numbers.Get().(*big.Int)
	defer numbers.Put(z)
	z.MulRange(1, n)
	return z.Bits()
}

//want:exact read-after-put
func TestWordsOfANumber(t *testing.T) {
	if f := factorial(30); f[0] == 1 {
		t.Error(f)
	}
}

// 20: a line that a pooled reader only lends.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64) }}

func firstLine(r io.Reader) ([]byte, error) {
	b := readers.Get().(*bufio.Reader)
	b.Reset(r)
	line, err := b.ReadSlice('\n')
	b.Reset(nil)
	readers.Put(b)
	return line, err
}

//want:exact read-after-put
func TestLineOfAPooledReader(t *testing.T) {
	line, err := firstLine(strings.NewReader("one\ntwo\n"))
	if err != nil || line[0] == 'x' {
		t.Error(line, err)
	}
}

// 21: room of a pooled writer, filled after its Put.
var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 64) }}

//want:exact write-after-put
//want:fast write-after-put
func TestRoomOfAPooledWriter(t *testing.T) {
	w := writers.Get().(*bufio.Writer)
	w.Reset(io.Discard)
	room := w.AvailableBuffer()
	_ = w.Flush()
	w.Reset(nil)
	writers.Put(w)
	for i := range 4 {
		room = append(room, byte('0'+i))
	}
}

// 22: a map that is itself pooled is read by who has it.
var values = sync.Pool{New: func() any { return url.Values{} }}

func parse(query string) url.Values {
	v := values.Get().(url.Values)
	defer values.Put(v)
	clear(v)
	for _, kv := range strings.Split(query, "&") {
		k, x, _ := strings.Cut(kv, "=")
		v.Add(k, x)
	}
	return v
}

//want:exact read-after-put
func TestPooledValues(t *testing.T) {
	if v := parse("a=1&b=2"); v.Get("a") == "x" {
		t.Error(v)
	}
}

// 23: deferred calls run in reverse: the log is written after the Put.
type byAge struct {
	ages []int
	swap int
}

func (b *byAge) Len() int           { return len(b.ages) }
func (b *byAge) Less(i, j int) bool { return b.ages[i] < b.ages[j] }
func (b *byAge) Swap(i, j int)      { b.ages[i], b.ages[j] = b.ages[j], b.ages[i]; b.swap++ }

var sorters = sync.Pool{New: func() any { return new(byAge) }}

func sortAges(ages []int, log func(int)) {
	s := sorters.Get().(*byAge)
	defer func() { log(s.swap) }()
	defer sorters.Put(s)
	s.ages, s.swap = ages, 0
	sort.Sort(s)
	s.ages = nil
}

//want:exact read-after-put
func TestDeferredLogAfterDeferredPut(t *testing.T) {
	sortAges([]int{3, 1, 2}, func(int) {})
}

// 24: a handler that recovers writes the header of a context that is put already.
type context struct {
	w      http.ResponseWriter
	header http.Header
	status int
}

var contexts = sync.Pool{New: func() any { return &context{header: http.Header{}} }}

func handle(f func(c *context)) (status int) {
	c := contexts.Get().(*context)
	clear(c.header)
	c.status = 200
	defer func() {
		if recover() != nil {
			c.header.Set("Connection", "close")
			c.status = 500
		}
		status = c.status
	}()
	defer contexts.Put(c)
	f(c)
	return c.status
}

//want:exact write-after-put read-after-put
//want:fast write-after-put
func TestRecoveredHandler(t *testing.T) {
	if handle(func(c *context) { panic("no") }) != 500 {
		t.Error("no error")
	}
}

// 25: the count of readers is one too low, so that the second last one puts; and a compressor is
// closed by the last.
type compressed struct {
	refs atomic.Int32
	zw   *gzip.Writer
	out  bytes.Buffer
}

var compressors = sync.Pool{New: func() any {
	c := new(compressed)
	c.zw = gzip.NewWriter(&c.out)
	return c
}}

func (c *compressed) done() {
	if c.refs.Add(-1) == 0 {
		compressors.Put(c)
	}
}

//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestCountOfReadersIsOneTooLow(t *testing.T) {
	c := compressors.Get().(*compressed)
	c.out.Reset()
	c.zw.Reset(&c.out)
	c.refs.Store(2) // three use it
	var all sync.WaitGroup
	turn := make(chan bool, 1)
	turn <- true
	for range 3 {
		all.Add(1)
		go func() {
			defer all.Done()
			<-turn
			_, _ = c.zw.Write([]byte("part"))
			_ = c.zw.Flush()
			c.done()
			turn <- true
		}()
	}
	all.Wait()
}
