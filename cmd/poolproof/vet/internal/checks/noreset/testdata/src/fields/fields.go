// Package fields has fields of pooled structs that no code sets for the next user, and near misses.
package fields

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// What is added to a field stays there: elements, keys, what is written.

type job struct {
	out   bytes.Buffer
	ids   []int
	seen  map[string]bool
	known map[string]int
	depth int
}

var jobs = sync.Pool{New: func() any { return &job{seen: map[string]bool{}, known: map[string]int{}} }}

func text(v any) string {
	j := jobs.Get().(*job)
	defer jobs.Put(j)
	j.depth = 0
	fmt.Fprint(&j.out, v)
	return j.out.String() // want `the field out is read as the last user of j left it`
}

func sum(in []int) (n int) {
	j := jobs.Get().(*job)
	defer jobs.Put(j)
	j.ids = append(j.ids, in...)
	for _, id := range j.ids { // want `the field ids is read as the last user of j left it`
		n += id
	}
	return n
}

func unique(in []string) (n int) {
	j := jobs.Get().(*job)
	defer jobs.Put(j)
	for _, s := range in {
		if !j.seen[s] { // want `the field seen is read as the last user of j left it`
			j.seen[s] = true
			n++
		}
	}
	return n
}

// What was computed once may stay.
func length(s string) int {
	j := jobs.Get().(*job)
	defer jobs.Put(j)
	if n, ok := j.known[s]; ok {
		return n
	}
	j.known[s] = len(s)
	return j.known[s]
}

// Each user, or a callee, empties the same fields.

type clean struct {
	out  bytes.Buffer
	ids  []int
	seen map[string]bool
}

var cleans = sync.Pool{New: func() any { return &clean{seen: map[string]bool{}} }}

func all(in []string) (n int) {
	c := cleans.Get().(*clean)
	defer cleans.Put(c)
	c.ids = c.ids[:0]
	clear(c.seen)
	empty(&c.out)
	for i, s := range in {
		if !c.seen[s] {
			c.seen[s] = true
			c.ids = append(c.ids, i)
			c.out.WriteString(s)
		}
	}
	return len(c.ids) + len(c.out.String())
}

func empty(b *bytes.Buffer) { b.Reset() }

// A list that grows where it is too short has what was made once.
type blocks struct {
	list [][]byte
	used []bool
	n    int
}

var arenas = sync.Pool{New: func() any { return new(blocks) }}

func next() byte {
	b := arenas.Get().(*blocks)
	defer arenas.Put(b)
	b.n = 1
	for b.n > len(b.list) {
		b.list = append(b.list, make([]byte, 10))
		b.used = append(b.used, false)
	}
	return b.list[b.n-1][0] + byte(len(b.used))
}

// A pool that ends with its function has only what the function put.
func ownPool(in []int) int {
	own := sync.Pool{New: func() any { return new(job) }}
	j := own.Get().(*job)
	defer own.Put(j)
	j.ids = append(j.ids, in...)
	return len(j.ids)
}

// What a function sets that gets or puts says which fields are of a user.

type session struct {
	user  string
	path  string
	admin bool
	extra []string
}

var sessions = sync.Pool{New: func() any { return new(session) }}

func release(s *session) {
	s.user = ""
	s.path = ""
	sessions.Put(s) // want `release leaves admin, extra of the pooled session as the last user left it`
}

func serve(user, path string, handle func(*session)) {
	s := sessions.Get().(*session)
	s.user, s.path = user, path
	if user == "root" {
		s.admin = true
	}
	s.extra = append(s.extra, strings.Split(path, "/")...)
	handle(s)
	release(s)
}

type entry struct {
	level   int
	text    string
	stacked bool
	tags    map[string]string
	err     error
	next    *entry
	sink    func(string)
}

var entries = sync.Pool{New: func() any { return new(entry) }}

func (e *entry) reset(level int, text string) {
	e.level, e.text = level, text
	e.next = nil // want `reset leaves stacked, tags, err of the pooled entry as the last user left it`
}

func (e *entry) Fail(err error) { e.err = err }

// Each user gives one: no code asks whether there is one.
func (e *entry) To(sink func(string)) { e.sink = sink }

func (e *entry) Tag(k, v string) {
	if e.tags == nil {
		e.tags = map[string]string{}
	}
	e.tags[k] = v
}

func log(level int, text string) {
	e := entries.Get().(*entry)
	defer entries.Put(e)
	e.reset(level, text)
	if level > 3 {
		e.stacked = true
	}
	if e.err == nil {
		e.sink(fmt.Sprint(e.level, e.text, e.stacked, e.tags, e.err, e.next))
	}
}

// What a getter leaves out is set by each user, after it.

type span struct {
	name  string
	start int
	kind  int
	done  bool
}

var spans = sync.Pool{New: func() any { return new(span) }}

func begin(name string, now int) *span {
	s := spans.Get().(*span)
	s.name, s.start = name, now
	return s
}

func (s *span) Kind(k int) { s.kind = k }

func (s *span) end() {
	s.done = true
	spans.Put(s)
}

func do() {
	s := begin("do", 1)
	if s.start > 0 {
		s.Kind(2)
	}
	fmt.Println(s.name, s.kind, s.done)
	s.end()
}

// The object may be another one.
var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func other(again bool) []byte {
	b := bufs.Get().(*bytes.Buffer) // want `\(audit\): this \*bytes.Buffer still holds`
	bufs.Put(b)
	if again {
		b = bytes.NewBufferString("x")
	}
	b.WriteString("y")
	return b.Bytes()
}

// No path comes to what writes.
func never(n int) []byte {
	b := bufs.Get().(*bytes.Buffer) // want `\(audit\): this \*bytes.Buffer still holds`
	defer bufs.Put(b)
	if n > 0 {
		if n <= 0 {
			b.WriteString("y")
		}
	}
	return append([]byte(nil), b.Bytes()...)
}

// It is in a struct of the function alone.
func within(v any) string {
	r := &struct {
		code int
		body *bytes.Buffer
	}{code: 200}
	r.body = bufs.Get().(*bytes.Buffer) // want `\(warning\): nothing resets`
	fmt.Fprint(r.body, v)
	s := r.body.String()
	bufs.Put(r.body)
	return s
}
