// Package promised has legal uses that were written from the guide, without a
// look at the rules.
package promised

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
)

// 1: the first error of each user, made only once a use, is given to the caller.
type syntaxError struct {
	line int
	text string
}

func (e *syntaxError) Error() string { return fmt.Sprint(e.line, ": ", e.text) }

type scanner struct {
	in   []byte
	line int
	err  error
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func (s *scanner) begin(in []byte) { s.in, s.line, s.err = in, 0, nil }

func (s *scanner) fail(text string) {
	if s.err == nil {
		s.err = &syntaxError{line: s.line, text: text}
	}
}

func scan(in []byte) error {
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	s.begin(in)
	for _, c := range s.in {
		if c == '\n' {
			s.line++
		}
		if c == '?' {
			s.fail("question")
		}
	}
	return s.err
}

//want:silence
func TestStickyError(t *testing.T) {
	for range 3 {
		err := scan([]byte("a\nb?\nc?"))
		var e *syntaxError
		if !errors.As(err, &e) || e.line != 1 || e.Error() != "1: question" {
			t.Error(err)
		}
	}
}

// 2: nodes come from a list of the object; a tree that was asked for is the caller's.
type node struct {
	left, right *node
	key         int
}

type builder struct {
	free *node
	root *node
}

var builders = sync.Pool{New: func() any { return new(builder) }}

func (b *builder) node(key int) *node {
	n := b.free
	if n == nil {
		return &node{key: key}
	}
	b.free = n.right
	*n = node{key: key}
	return n
}

func (b *builder) insert(key int) {
	at := &b.root
	for *at != nil {
		if key < (*at).key {
			at = &(*at).left
		} else {
			at = &(*at).right
		}
	}
	*at = b.node(key)
}

// drop takes a tree back.
func (b *builder) drop(n *node) {
	if n == nil {
		return
	}
	b.drop(n.left)
	b.drop(n.right)
	n.left, n.right = nil, b.free
	b.free = n
}

// tree gives the tree away.
func (b *builder) tree() *node {
	n := b.root
	b.root = nil
	return n
}

func build(keep bool, keys ...int) *node {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	for _, k := range keys {
		b.insert(k)
	}
	n := b.tree()
	if !keep {
		b.drop(n)
		return nil
	}
	return n
}

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.key + n.left.sum() + n.right.sum()
}

//want:silence
func TestTreeIsGivenAway(t *testing.T) {
	build(false, 5, 3, 8)
	a := build(true, 2, 1, 3)
	build(false, 50, 30)
	b := build(true, 7, 9)
	if a.sum() != 6 || b.sum() != 16 {
		t.Error(a.sum(), b.sum())
	}
}

// 3: a window of one chunk for each object, with its own capacity.
var (
	chunkMu sync.Mutex
	chunk   []byte
	blocks  = sync.Pool{New: func() any {
		chunkMu.Lock()
		defer chunkMu.Unlock()
		if len(chunk) < 64 {
			chunk = make([]byte, 4096)
		}
		b := chunk[:64:64]
		chunk = chunk[64:]
		return &b
	}}
)

//want:silence
func TestChunks(t *testing.T) {
	var held []*[]byte
	for i := range 100 {
		b := blocks.Get().(*[]byte)
		copy(*b, fmt.Sprint("block ", i))
		if i%2 == 0 {
			held = append(held, b)
		} else {
			blocks.Put(b)
		}
	}
	for i, b := range held {
		if want := fmt.Sprint("block ", 2*i); !bytes.HasPrefix(*b, []byte(want)) {
			t.Error(string(*b), want)
		}
		blocks.Put(b)
	}
}

// 4: what is asked for is copied; the object goes to another goroutine, which puts it.
type job struct {
	text []byte
	done chan []byte
}

var jobs = sync.Pool{New: func() any { return &job{done: make(chan []byte, 1)} }}

//want:silence
func TestJobs(t *testing.T) {
	queue := make(chan *job, 4)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range queue {
				j.done <- bytes.ToUpper(j.text)
			}
		}()
	}
	for i := range 20 {
		j := jobs.Get().(*job)
		j.text = fmt.Appendf(j.text[:0], "job %d", i)
		queue <- j
		out := <-j.done
		jobs.Put(j)
		if string(out) != fmt.Sprint("JOB ", i) {
			t.Error(string(out))
		}
	}
	close(queue)
	wg.Wait()
}

// 5: each call makes a new snapshot, which the caller owns.
type gauge struct {
	mu     sync.Mutex
	values []int
	last   []int
}

var gauges = sync.Pool{New: func() any { return &gauge{values: make([]int, 0, 8)} }}

func (g *gauge) add(v int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.values = append(g.values, v)
	g.last = nil
}

func (g *gauge) snapshot() []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last == nil {
		g.last = slices.Clone(g.values)
	}
	return g.last
}

func (g *gauge) release() {
	g.values, g.last = g.values[:0], nil
	gauges.Put(g)
}

//want:silence
func TestSnapshots(t *testing.T) {
	var all [][]int
	for i := range 4 {
		g := gauges.Get().(*gauge)
		g.add(i)
		g.add(10 * i)
		all = append(all, g.snapshot())
		g.release()
	}
	for i, s := range all {
		if len(s) != 2 || s[0] != i || s[1] != 10*i {
			t.Error(i, s)
		}
	}
}

// 6: strings that a pooled object has interned outlive it.
type interner struct {
	seen map[string]string
	buf  []byte
}

var interners = sync.Pool{New: func() any { return &interner{seen: make(map[string]string)} }}

func (in *interner) word(b []byte) string {
	if s, ok := in.seen[string(b)]; ok {
		return s
	}
	s := string(b)
	in.seen[s] = s
	return s
}

func words(text string) (all []string) {
	in := interners.Get().(*interner)
	defer interners.Put(in)
	in.buf = append(in.buf[:0], text...)
	for _, w := range bytes.Fields(in.buf) {
		all = append(all, in.word(w))
	}
	return all
}

//want:silence
func TestInterned(t *testing.T) {
	a, b := words("to be or not to be"), words("be quick")
	if slices.Sort(a); a[0] != "be" || a[5] != "to" || b[0] != "be" {
		t.Error(a, b)
	}
}

// 7: a result object is detached with its parts: the next user makes new ones.
type header struct{ names, values []string }

type reply struct {
	head *header
	body *bytes.Buffer
}

var replies = sync.Pool{New: func() any { return new(reply) }}

func (r *reply) header() *header {
	if r.head == nil {
		r.head = new(header)
	}
	return r.head
}

func (r *reply) writer() io.Writer {
	if r.body == nil {
		r.body = new(bytes.Buffer)
	}
	return r.body
}

func (r *reply) detach() (*header, *bytes.Buffer) {
	h, b := r.head, r.body
	r.head, r.body = nil, nil
	return h, b
}

func answer(name string) (*header, *bytes.Buffer) {
	r := replies.Get().(*reply)
	defer replies.Put(r)
	h := r.header()
	h.names = append(h.names, "To")
	h.values = append(h.values, name)
	fmt.Fprintf(r.writer(), "hello %s", name)
	return r.detach()
}

//want:silence
func TestDetached(t *testing.T) {
	h1, b1 := answer("ann")
	h2, b2 := answer("bob")
	h1.values[0] += "!"
	b2.WriteString("!")
	if h1.values[0] != "ann!" || h2.values[0] != "bob" || b1.String() != "hello ann" || b2.String() != "hello bob!" {
		t.Error(h1, h2, b1, b2)
	}
}

// 8: the caller's own memory, and the caller's own interfaces, are used by it after the Put.
type copier struct {
	src io.Reader
	dst io.Writer
	buf []byte
}

var copiers = sync.Pool{New: func() any { return new(copier) }}

func copyAll(dst io.Writer, src io.Reader, scratch []byte) error {
	c := copiers.Get().(*copier)
	defer func() { copiers.Put(c) }()
	c.src, c.dst = src, dst
	if scratch != nil {
		c.buf = scratch
		defer func() { c.buf = nil }()
	} else if cap(c.buf) == 0 {
		c.buf = make([]byte, 16)
	}
	c.buf = c.buf[:cap(c.buf)]
	_, err := io.CopyBuffer(struct{ io.Writer }{c.dst}, struct{ io.Reader }{c.src}, c.buf)
	return err
}

//want:silence
func TestCallersMemory(t *testing.T) {
	scratch := make([]byte, 8)
	var dst bytes.Buffer
	src := bytes.NewReader([]byte("from here to there"))
	if err := copyAll(&dst, src, scratch); err != nil {
		t.Error(err)
	}
	copy(scratch, "mine!")
	src.Reset([]byte(" and back"))
	if err := copyAll(&dst, src, nil); err != nil || dst.String() != "from here to there and back" || string(scratch[:5]) != "mine!" {
		t.Error(err, dst.String())
	}
}

// 9: each constructor enters the object into a table by number; a monitor reads all of them.
type worker struct {
	mu    sync.Mutex
	id    int
	tasks int
}

var (
	table   sync.Map
	workers = sync.Pool{New: func() any {
		w := new(worker)
		tableMu.Lock()
		tables++
		w.id = tables
		tableMu.Unlock()
		table.Store(w.id, w)
		return w
	}}
	tableMu sync.Mutex
	tables  int
)

func monitor() (n int) {
	table.Range(func(_, v any) bool {
		w := v.(*worker)
		w.mu.Lock()
		n += w.tasks
		w.mu.Unlock()
		return true
	})
	return n
}

//want:silence
func TestMonitor(t *testing.T) {
	for range 5 {
		w := workers.Get().(*worker)
		w.mu.Lock()
		w.tasks++
		w.mu.Unlock()
		workers.Put(w)
	}
	if n := monitor(); n != 5 {
		t.Error(n)
	}
}

// 10: the page is put when its last reader has let it go; a reader may outlive its writer.
type page struct {
	mu    sync.Mutex
	users int
	data  []byte
}

var pages = sync.Pool{New: func() any { return &page{data: make([]byte, 0, 32)} }}

func (p *page) retain() *page {
	p.mu.Lock()
	p.users++
	p.mu.Unlock()
	return p
}

func (p *page) release() {
	p.mu.Lock()
	p.users--
	last := p.users == 0
	p.mu.Unlock()
	if last {
		p.data = p.data[:0]
		pages.Put(p)
	}
}

//want:silence
func TestPages(t *testing.T) {
	for i := range 8 {
		p := pages.Get().(*page).retain()
		p.data = append(p.data, byte('a'+i))
		var wg sync.WaitGroup
		for range 3 {
			r := p.retain()
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer r.release()
				if len(r.data) != 1 || r.data[0] != byte('a'+i) {
					t.Error(string(r.data))
				}
			}()
		}
		p.release()
		wg.Wait()
	}
}

// The maps of the next programs were written after the rule for them.

// What was taken out of a map, or is stored in it for each user, is the caller's.
type fieldSet struct {
	values map[string][]string
	parts  map[string]*header
}

var fieldSets = sync.Pool{New: func() any {
	return &fieldSet{values: make(map[string][]string), parts: map[string]*header{"a": {}, "b": {}}}
}}

func (f *fieldSet) add(name, value string) { f.values[name] = append(f.values[name], value) }

func (f *fieldSet) take(name string) []string {
	v := f.values[name]
	delete(f.values, name)
	return v
}

func (f *fieldSet) swap(name string) *header {
	h := f.parts[name]
	f.parts[name] = new(header)
	return h
}

//want:silence
func TestTakenOutOfAMap(t *testing.T) {
	var all [][]string
	var parts []*header
	for i := range 4 {
		f := fieldSets.Get().(*fieldSet)
		f.add("a", fmt.Sprint(i))
		f.add("a", "x")
		all = append(all, f.take("a"))
		parts = append(parts, f.swap("a"))
		fieldSets.Put(f)
	}
	for i, v := range all {
		v[1] = "y"
		parts[i].names = append(parts[i].names, v...)
		if v[0] != fmt.Sprint(i) || len(parts[i].names) != 2 {
			t.Error(v, parts[i])
		}
	}
}

// Slices of the caller in a map of the object.
type index struct{ by map[int][]byte }

var indexes = sync.Pool{New: func() any { return &index{by: make(map[int][]byte)} }}

func (x *index) set(k int, b []byte) { x.by[k] = b }

func (x *index) scratch(k int) []byte {
	x.by[k] = append(x.by[k][:0], byte(k))
	return x.by[k]
}

//want:silence
func TestCallersSlicesInAMap(t *testing.T) {
	for i := range 3 {
		x := indexes.Get().(*index)
		clear(x.by)
		mine := make([]byte, 16)
		x.set(i, mine)
		if x.scratch(7)[0] != 7 {
			t.Error("scratch")
		}
		indexes.Put(x)
		if mine[3] = 1; mine[3] != 1 || mine[4] != 0 {
			t.Error(mine)
		}
	}
}

// A map whose values are changed by a goroutine that ends before the Put, with many of them.
type counter struct {
	mu    sync.Mutex
	cells map[int]*int64
}

var counters = sync.Pool{New: func() any { return &counter{cells: make(map[int]*int64)} }}

func (c *counter) cell(k int) *int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cells[k] == nil {
		c.cells[k] = new(int64)
	}
	return c.cells[k]
}

//want:silence
func TestCells(t *testing.T) {
	for range 3 {
		c := counters.Get().(*counter)
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for k := range 500 {
					*c.cell(500*g + k)++
				}
			}()
		}
		wg.Wait()
		sum := int64(0)
		for _, n := range c.cells {
			sum += *n
		}
		if sum%2000 != 0 || sum == 0 {
			t.Error(sum)
		}
		counters.Put(c)
	}
}

// Parts that New made are taken off a list for good: the array still has them after its length.
type kit struct {
	tools []*header
	other []any
}

var kits = sync.Pool{New: func() any {
	return &kit{tools: []*header{{}, {}, {}}, other: []any{&header{}, &header{}}}
}}

func (k *kit) take() *header {
	if n := len(k.tools); n > 0 {
		h := k.tools[n-1]
		k.tools = k.tools[:n-1]
		return h
	}
	return new(header)
}

func (k *kit) add(h *header) { k.tools, k.other = append(k.tools[:0], h), append(k.other[:0], h) }

func (k *kit) any() any {
	if n := len(k.other); n > 0 {
		x := k.other[n-1]
		k.other = k.other[:n-1]
		return x
	}
	return new(header)
}

//want:silence
func TestTakenOffAList(t *testing.T) {
	var all []*header
	for i := range 6 {
		k := kits.Get().(*kit)
		h, o := k.take(), k.any().(*header)
		if i > 6 {
			k.add(new(header))
		}
		kits.Put(k)
		h.names = append(h.names, fmt.Sprint(i))
		o.names = append(o.names, fmt.Sprint(i))
		all = append(all, h, o)
	}
	for i, h := range all {
		if h.names[0] != fmt.Sprint(i/2) {
			t.Error(i, h.names)
		}
	}
}
