// Package drawnwrong has misuses that were written without a look at the rules.
package drawnwrong

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/big"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// 1: the writer is closed by a call that is deferred before the Put is.
var writers = sync.Pool{New: func() any { w, _ := flate.NewWriter(io.Discard, 1); return w }}

//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestCloseAfterPut(t *testing.T) {
	var out bytes.Buffer
	func() {
		w := writers.Get().(*flate.Writer)
		w.Reset(&out)
		defer w.Close()
		defer writers.Put(w)
		w.Write([]byte("hello hello hello"))
	}()
	if out.Len() == 0 {
		t.Error("nothing")
	}
}

// 2: the sorted keys are a part of the pooled slice.
var keyPool = sync.Pool{New: func() any { s := make([]string, 0, 8); return &s }}

func keys(m map[string]int) []string {
	k := keyPool.Get().(*[]string)
	*k = (*k)[:0]
	defer keyPool.Put(k)
	for x := range m {
		*k = append(*k, x)
	}
	sort.Strings(*k)
	return (*k)[:len(m)]
}

//want:exact read-after-put
func TestKeys(t *testing.T) {
	ks := keys(map[string]int{"a": 1, "b": 2})
	if len(ks) != 2 || ks[0] != "a" {
		t.Error(ks)
	}
}

// 3: two holders, three releases.
type message struct {
	refs atomic.Int32
	body []byte
}

var messages = sync.Pool{New: func() any { return new(message) }}

func (m *message) release() {
	if m.refs.Add(-1) <= 0 {
		messages.Put(m)
	}
}

//want:exact double-put
//want:fast double-put
func TestOneReleaseTooMany(t *testing.T) {
	m := messages.Get().(*message)
	m.refs.Store(2)
	m.release()
	m.release()
	m.release()
}

// 4: a row of the matrix is kept.
type matrix struct {
	cells []float64
	rows  [][]float64
}

var matrices = sync.Pool{New: func() any { return new(matrix) }}

func identity(n int) *matrix {
	m := matrices.Get().(*matrix)
	if cap(m.cells) < n*n {
		m.cells = make([]float64, n*n)
	}
	m.cells = m.cells[:n*n]
	clear(m.cells)
	m.rows = m.rows[:0]
	for i := range n {
		m.rows = append(m.rows, m.cells[i*n:(i+1)*n])
		m.rows[i][i] = 1
	}
	return m
}

//want:exact read-after-put
func TestRowIsKept(t *testing.T) {
	m := identity(3)
	row := m.rows[1]
	matrices.Put(m)
	if s := row[0] + row[2]; s > 1e300 {
		t.Error(s)
	}
}

// 5: the iterator yields its own line, the caller collects the lines.
type lines struct{ buf []byte }

var linePool = sync.Pool{New: func() any { return &lines{buf: make([]byte, 0, 64)} }}

func each(parts ...string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		l := linePool.Get().(*lines)
		defer linePool.Put(l)
		for _, p := range parts {
			l.buf = append(l.buf[:0], p...)
			if !yield(l.buf) {
				return
			}
		}
	}
}

//want:exact read-after-put
func TestCollectedLines(t *testing.T) {
	var all [][]byte
	for l := range each("one") {
		all = append(all, l)
	}
	if n := len(bytes.Join(all, nil)); n != 3 {
		t.Error(n)
	}
}

// 6: tokens of a scanner over a pooled buffer.
var bufs = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

func tokens(r io.Reader) (all [][]byte) {
	b := bufs.Get().(*[]byte)
	defer bufs.Put(b)
	sc := bufio.NewScanner(r)
	sc.Buffer(*b, len(*b))
	for sc.Scan() {
		all = append(all, sc.Bytes())
	}
	return all
}

//want:exact read-after-put
func TestTokens(t *testing.T) {
	all := tokens(strings.NewReader("a\nbb\n"))
	n := 0
	for _, tok := range all {
		for _, c := range tok {
			n += int(c & 1)
		}
	}
	if n > 99 {
		t.Error(n)
	}
}

// 7: after a timeout the worker goes on with the buffer.
var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestTimeout(t *testing.T) {
	b := scratch.Get().(*bytes.Buffer)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		<-done
		b.WriteString("late")
	}()
	select {
	case <-ended:
	case <-time.After(time.Millisecond):
	}
	scratch.Put(b)
	close(done)
	<-ended
}

// 8: the sum is the pooled number itself.
var ints = sync.Pool{New: func() any { return new(big.Int) }}

func sum(xs ...int64) *big.Int {
	s := ints.Get().(*big.Int).SetInt64(0)
	defer ints.Put(s)
	for _, x := range xs {
		s.Add(s, big.NewInt(x))
	}
	return s
}

//want:exact read-after-put
func TestSum(t *testing.T) {
	if s := sum(1, 2, 3); s.Sign() < 0 {
		t.Error(s)
	}
}

// 9: the error looks at its request when it is printed.
type request struct{ path string }
type badRequest struct{ r *request }

func (e badRequest) Error() string { return "bad request: " + e.r.path }

var requests = sync.Pool{New: func() any { return new(request) }}

func handle(path string) error {
	r := requests.Get().(*request)
	defer requests.Put(r)
	r.path = path
	if strings.Contains(path, "..") {
		return fmt.Errorf("handle: %w", badRequest{r})
	}
	return nil
}

//want:exact read-after-put
func TestErrorIsPrintedLater(t *testing.T) {
	err := handle("/../x")
	var bad badRequest
	if !errors.As(err, &bad) || bad.Error() == "" {
		t.Error(err)
	}
}

// 10: a connection around the pooled session is asked after its release.
type session struct{ id int }

func (s *session) ID() int { return s.id }

type conn struct{ *session }

var sessions = sync.Pool{New: func() any { return new(session) }}

func (c conn) Close() { sessions.Put(c.session) }

//want:exact read-after-put
func TestClosedConnIsAsked(t *testing.T) {
	c := conn{sessions.Get().(*session)}
	c.id = 3
	c.Close()
	if c.ID() < 0 {
		t.Error(c.ID())
	}
}

// 11: the pooled map is the result.
var maps = sync.Pool{New: func() any { return map[string]int{} }}

func count(words ...string) map[string]int {
	m := maps.Get().(map[string]int)
	defer maps.Put(m)
	for _, w := range words {
		m[w]++
	}
	return m
}

//want:exact read-after-put
//want:fast read-after-put
func TestCountedMap(t *testing.T) {
	if m := count("a", "a"); m["a"] < 0 {
		t.Error(m)
	}
}

// 13: a memo keeps what a pooled decoder decoded into.
type point struct{ x, y int }

var points = sync.Pool{New: func() any { return new(point) }}

type memo struct{ byName sync.Map }

func (m *memo) get(name string) *point {
	if p, ok := m.byName.Load(name); ok {
		return p.(*point)
	}
	p := points.Get().(*point)
	defer points.Put(p)
	p.x, p.y = len(name), 1
	m.byName.Store(name, p)
	return p
}

//want:exact read-after-put
func TestMemo(t *testing.T) {
	var m memo
	m.get("abc")
	if p := m.get("abc"); p.x < 0 {
		t.Error(p.x)
	}
}

// 14: the batch is put while its consumer still has the slice in a channel.
type batch struct{ items []int }

var batches = sync.Pool{New: func() any { return &batch{items: make([]int, 0, 8)} }}

//want:exact read-after-put
func TestBatchInAChannel(t *testing.T) {
	c := make(chan []int, 1)
	b := batches.Get().(*batch)
	b.items = append(b.items[:0], 1, 2, 3)
	c <- b.items
	batches.Put(b)
	n := 0
	for _, x := range <-c {
		n += x
	}
	if n == 0 {
		t.Error(n)
	}
}

// 15: New makes both arrays, the frame exchanges them, and the display keeps one.
type doubleFrame struct{ front, back []byte }

var doubleFrames = sync.Pool{New: func() any { return &doubleFrame{make([]byte, 16), make([]byte, 16)} }}

func draw(v byte) []byte {
	f := doubleFrames.Get().(*doubleFrame)
	defer doubleFrames.Put(f)
	for i := range f.back {
		f.back[i] = v
	}
	f.front, f.back = f.back, f.front
	return f.front
}

//want:exact read-after-put
func TestExchangedArrayIsKept(t *testing.T) {
	if shown := draw(3); shown[0] == 4 {
		t.Error(shown)
	}
}
