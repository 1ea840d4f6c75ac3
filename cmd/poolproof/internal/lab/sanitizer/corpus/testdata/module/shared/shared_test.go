// Package shared has legal programs whose pooled objects share memory with others: tables that a first New
// builds, arenas that hand memory out for good, registries, windows of one slab.
package shared

import (
	"bytes"
	"hash/crc32"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

type hasher struct {
	tab []uint32
	sum uint32
}

func makeTab(seed uint32) []uint32 {
	t := make([]uint32, 256)
	for i := range t {
		t[i] = seed * uint32(i)
	}
	return t
}

func sums(t *testing.T, pool *sync.Pool) {
	t.Helper()
	for i := range 3 {
		h := pool.Get().(*hasher)
		if got, want := h.tab[7], uint32(21); got != want {
			t.Errorf("round %d: %d, want %d", i, got, want)
		}
		h.sum += h.tab[7]
		pool.Put(h)
	}
}

// 1
var (
	once sync.Once
	tab1 []uint32
)

//want:silence
func TestOnce(t *testing.T) {
	sums(t, &sync.Pool{New: func() any {
		once.Do(func() { tab1 = makeTab(3) })
		return &hasher{tab: tab1}
	}})
}

// 2
var tab2 = sync.OnceValue(func() []uint32 { return makeTab(3) })

//want:silence
func TestOnceValue(t *testing.T) {
	sums(t, &sync.Pool{New: func() any { return &hasher{tab: tab2()} }})
}

// 3
var tab3 []uint32

func lazy() []uint32 {
	if tab3 == nil {
		tab3 = makeTab(3)
	}
	return tab3
}

//want:silence
func TestLazyTable(t *testing.T) {
	sums(t, &sync.Pool{New: func() any { return &hasher{tab: lazy()} }})
}

// 4
func newHasher(tab []uint32) *hasher { return &hasher{tab: tab} }

var tab4 []uint32

//want:silence
func TestLazyTableAsAnArgument(t *testing.T) {
	sums(t, &sync.Pool{New: func() any {
		if tab4 == nil {
			tab4 = makeTab(3)
		}
		return newHasher(tab4)
	}})
}

// 5
type tables struct {
	mu sync.Mutex
	by map[uint32][]uint32
}

func (t *tables) get(seed uint32) []uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.by[seed]; !ok {
		t.by[seed] = makeTab(seed)
	}
	return t.by[seed]
}

//want:silence
func TestTableOfAMap(t *testing.T) {
	all := &tables{by: map[uint32][]uint32{}}
	sums(t, &sync.Pool{New: func() any { return &hasher{tab: all.get(3)} }})
}

// 6
var tab6 atomic.Pointer[[]uint32]

//want:silence
func TestTableOfAnAtomicPointer(t *testing.T) {
	sums(t, &sync.Pool{New: func() any {
		if tab6.Load() == nil {
			n := makeTab(3)
			tab6.CompareAndSwap(nil, &n)
		}
		return &hasher{tab: *tab6.Load()}
	}})
}

// 7
func cached(mk func() []uint32) func() []uint32 {
	var v []uint32
	return func() []uint32 {
		if v == nil {
			v = mk()
		}
		return v
	}
}

//want:silence
func TestTableOfAClosure(t *testing.T) {
	get := cached(func() []uint32 { return makeTab(3) })
	sums(t, &sync.Pool{New: func() any { return &hasher{tab: get()} }})
}

// 8
type crc struct {
	tab *crc32.Table
	n   uint32
}

//want:silence
func TestTableOfTheLibrary(t *testing.T) {
	pool := sync.Pool{New: func() any { return &crc{tab: crc32.MakeTable(crc32.Castagnoli)} }}
	for range 3 {
		c := pool.Get().(*crc)
		c.n = crc32.Checksum([]byte("abc"), c.tab)
		pool.Put(c)
	}
	if got := crc32.Checksum([]byte("abc"), crc32.MakeTable(crc32.Castagnoli)); got != 0x364b3fb7 {
		t.Errorf("%#x", got)
	}
}

// 9
type lexer struct {
	words map[string]int
	at    int
}

var keywords map[string]int

func keywordsOnce() map[string]int {
	if keywords == nil {
		keywords = map[string]int{"if": 1, "for": 2}
	}
	return keywords
}

//want:silence
func TestMapOfThePackage(t *testing.T) {
	pool := sync.Pool{New: func() any { return &lexer{words: keywordsOnce()} }}
	for range 3 {
		l := pool.Get().(*lexer)
		pool.Put(l)
		if keywords["for"] != 2 {
			t.Error("for")
		}
	}
}

// 10: a bump allocator by its length.
type arena struct{ buf []byte }

func (a *arena) take(n int) []byte {
	if len(a.buf)+n > cap(a.buf) {
		a.buf = make([]byte, 0, 256)
	}
	i := len(a.buf)
	a.buf = a.buf[:i+n]
	return a.buf[i : i+n : i+n]
}

//want:silence
func TestBumpByLength(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(arena) }}
	var out [][]byte
	for i := range 5 {
		a := pool.Get().(*arena)
		b := a.take(3)
		copy(b, strconv.Itoa(100+i))
		out = append(out, b)
		pool.Put(a)
	}
	for i, b := range out {
		if string(b) != strconv.Itoa(100+i) {
			t.Errorf("%q", b)
		}
	}
}

// 11: a bump allocator by an offset.
type offsets struct {
	buf []byte
	off int
}

func (a *offsets) take(n int) []byte {
	if a.off+n > len(a.buf) {
		a.buf, a.off = make([]byte, 256), 0
	}
	b := a.buf[a.off : a.off+n : a.off+n]
	a.off += n
	return b
}

//want:silence
func TestBumpByOffset(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(offsets) }}
	var out [][]byte
	for i := range 5 {
		a := pool.Get().(*offsets)
		b := a.take(3)
		copy(b, strconv.Itoa(100+i))
		out = append(out, b)
		pool.Put(a)
	}
	for i, b := range out {
		if string(b) != strconv.Itoa(100+i) {
			t.Errorf("%q", b)
		}
	}
}

// 12: a bump allocator that gives away the front.
type front struct{ free []int }

func (f *front) take(n int) []int {
	if len(f.free) < n {
		f.free = make([]int, 64)
	}
	out := f.free[:n:n]
	f.free = f.free[n:]
	return out
}

//want:silence
func TestBumpFromTheFront(t *testing.T) {
	pool := sync.Pool{New: func() any { return &front{free: make([]int, 64)} }}
	var out [][]int
	for i := range 5 {
		f := pool.Get().(*front)
		s := f.take(2)
		s[0] = i
		out = append(out, s)
		pool.Put(f)
	}
	for i, s := range out {
		if s[0] != i {
			t.Error(s)
		}
	}
}

// 13: an arena of structs.
type node struct{ v int }
type nodes struct{ slab []node }

func (n *nodes) node() *node {
	if len(n.slab) == cap(n.slab) {
		n.slab = make([]node, 0, 32)
	}
	n.slab = n.slab[:len(n.slab)+1]
	return &n.slab[len(n.slab)-1]
}

//want:silence
func TestBumpOfStructs(t *testing.T) {
	pool := sync.Pool{New: func() any { return &nodes{slab: make([]node, 0, 32)} }}
	var out []*node
	for i := range 5 {
		n := pool.Get().(*nodes)
		x := n.node()
		x.v = i
		out = append(out, x)
		pool.Put(n)
	}
	for i, x := range out {
		if x.v != i {
			t.Error(x.v)
		}
	}
}

// 14: objects that register themselves at first use.
type counter struct {
	mu    sync.Mutex
	n     int
	known bool
}

type counters struct {
	mu   sync.Mutex
	all  []*counter
	pool sync.Pool
}

func (c *counters) add(n int) {
	s := c.pool.Get().(*counter)
	if !s.known {
		s.known = true
		c.mu.Lock()
		c.all = append(c.all, s)
		c.mu.Unlock()
	}
	s.mu.Lock()
	s.n += n
	s.mu.Unlock()
	c.pool.Put(s)
}

func (c *counters) sum() (n int) {
	for _, s := range c.all {
		s.mu.Lock()
		n += s.n
		s.mu.Unlock()
	}
	return n
}

//want:silence
func TestRegisteredAtFirstUse(t *testing.T) {
	c := &counters{pool: sync.Pool{New: func() any { return new(counter) }}}
	for range 5 {
		c.add(2)
	}
	if c.sum() != 10 {
		t.Error(c.sum())
	}
}

// 15: as before, by an own Once and in a map.
type lazyShard struct {
	mu   sync.Mutex
	n    int
	once sync.Once
}

var (
	shardsMu sync.Mutex
	shards   = map[*lazyShard]bool{}
)

func (s *lazyShard) enroll() {
	s.once.Do(func() {
		shardsMu.Lock()
		shards[s] = true
		shardsMu.Unlock()
	})
}

//want:silence
func TestRegisteredByAnOnce(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(lazyShard) }}
	for range 5 {
		s := pool.Get().(*lazyShard)
		s.enroll()
		s.mu.Lock()
		s.n++
		s.mu.Unlock()
		pool.Put(s)
	}
	sum := 0
	for s := range shards {
		s.mu.Lock()
		sum += s.n
		s.mu.Unlock()
	}
	if sum != 5 {
		t.Error(sum)
	}
}

// 16: in a list that goes through the objects.
type linked struct {
	mu     sync.Mutex
	n      int
	next   *linked
	inList bool
}

type list struct {
	mu   sync.Mutex
	head *linked
}

func (l *list) enroll(x *linked) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if x.inList {
		return
	}
	x.inList = true
	x.next = l.head
	l.head = x
}

//want:silence
func TestRegisteredInAList(t *testing.T) {
	var l list
	pool := sync.Pool{New: func() any { return new(linked) }}
	for range 5 {
		x := pool.Get().(*linked)
		l.enroll(x)
		x.mu.Lock()
		x.n++
		x.mu.Unlock()
		pool.Put(x)
	}
	sum := 0
	for x := l.head; x != nil; x = x.next {
		x.mu.Lock()
		sum += x.n
		x.mu.Unlock()
	}
	if sum != 5 {
		t.Error(sum)
	}
}

// 17: windows of one slab, put by value, whose capacity is not cut.
//
//want:silence
func TestWindowsByValue(t *testing.T) {
	mem := make([]byte, 8*64)
	var pool sync.Pool
	var all [][]byte
	for i := range 8 {
		w := mem[i*64 : i*64+64]
		w[0] = byte(i)
		all = append(all, w)
	}
	for i := range 4 {
		pool.Put(all[2*i])
		for k := 2*i + 1; k < 8; k++ {
			if all[k][0] != byte(k) {
				t.Errorf("window %d: %d", k, all[k][0])
			}
		}
	}
}

// 18: New cuts them.
//
//want:silence
func TestWindowsOfNew(t *testing.T) {
	var mem []byte
	pool := sync.Pool{New: func() any {
		if len(mem) < 64 {
			mem = make([]byte, 8*64)
		}
		w := mem[:64]
		mem = mem[64:]
		return w
	}}
	a, b := pool.Get().([]byte), pool.Get().([]byte)
	b[0] = 7
	pool.Put(a)
	if b[0] != 7 {
		t.Error(b[0])
	}
	c := pool.Get().([]byte)
	if c[0] != 0 {
		t.Error(c[0])
	}
	pool.Put(b)
	if c[0] != 0 {
		t.Error(c[0])
	}
}

// 19: windows by address.
//
//want:silence
func TestWindowsByAddress(t *testing.T) {
	mem := make([]int, 64)
	var pool sync.Pool
	a, b := mem[0:8], mem[8:16]
	b[0] = 3
	pool.Put(&a)
	if b[0] != 3 {
		t.Error(b[0])
	}
	pool.Put(&b)
	if mem[20] != 0 {
		t.Error(mem[20])
	}
}

// 20: a field set by reflection.
type record struct {
	Name []byte
	tmp  []byte
}

func set(v any, field string, to []byte) {
	reflect.ValueOf(v).Elem().FieldByName(field).Set(reflect.ValueOf(to))
}

//want:silence
func TestSetByReflection(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(record) }}
	for range 3 {
		r := pool.Get().(*record)
		r.Name = append(r.Name[:0], "x"...)
		mine := bytes.Repeat([]byte("m"), 32)
		set(r, "Name", mine)
		pool.Put(r)
		if mine[3] != 'm' {
			t.Error(mine)
		}
	}
}

// 21: a struct of exported fields is set as a whole by reflection.
//
//want:silence
func TestStructSetByReflection(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(record) }}
	for range 3 {
		r := pool.Get().(*record)
		r.Name = append(r.Name[:0], "x"...)
		mine := record{Name: bytes.Repeat([]byte("m"), 32)}
		reflect.ValueOf(r).Elem().Set(reflect.ValueOf(mine))
		pool.Put(r)
		if mine.Name[3] != 'm' {
			t.Error(mine.Name)
		}
	}
}

// 22: a child that is registered by the object's constructor.
type gauge struct {
	mu sync.Mutex
	n  int
}
type worker struct {
	g   *gauge
	buf []byte
}

var gauges []*gauge

//want:silence
func TestChildIsRegistered(t *testing.T) {
	pool := sync.Pool{New: func() any {
		g := new(gauge)
		gauges = append(gauges, g)
		return &worker{g: g, buf: make([]byte, 8)}
	}}
	for range 3 {
		w := pool.Get().(*worker)
		w.g.mu.Lock()
		w.g.n++
		w.g.mu.Unlock()
		pool.Put(w)
	}
	sum := 0
	for _, g := range gauges {
		g.mu.Lock()
		sum += g.n
		g.mu.Unlock()
	}
	if sum != 3 {
		t.Error(sum)
	}
}

// 23: a hook registers each new object.
type metered struct {
	mu sync.Mutex
	n  int
}

//want:silence
func TestHookRegisters(t *testing.T) {
	var all []*metered
	var onNew []func(*metered)
	onNew = append(onNew, func(m *metered) { all = append(all, m) })
	pool := sync.Pool{New: func() any {
		m := new(metered)
		for _, f := range onNew {
			f(m)
		}
		return m
	}}
	for range 3 {
		m := pool.Get().(*metered)
		m.mu.Lock()
		m.n++
		m.mu.Unlock()
		pool.Put(m)
	}
	sum := 0
	for _, m := range all {
		m.mu.Lock()
		sum += m.n
		m.mu.Unlock()
	}
	if sum != 3 {
		t.Error(sum)
	}
}

// 24: a plugin of an interface registers it.
type observer interface{ observe(*session) }
type session struct {
	mu sync.Mutex
	n  int
}
type observed struct{ byID map[int]*session }

func (o *observed) observe(s *session) { o.byID[len(o.byID)] = s }

//want:silence
func TestObserverRegisters(t *testing.T) {
	o := &observed{byID: map[int]*session{}}
	var obs observer = o
	pool := sync.Pool{New: func() any {
		s := new(session)
		obs.observe(s)
		return s
	}}
	for range 3 {
		s := pool.Get().(*session)
		s.n++
		pool.Put(s)
	}
	sum := 0
	for _, s := range o.byID {
		sum += s.n
	}
	if sum != 3 {
		t.Error(sum)
	}
}

// 25: a result that each user makes anew is returned.
type answer struct{ text string }
type query struct {
	res  *answer
	list []int
}

//want:silence
func TestResultMadeAnew(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(query) }}
	run := func(s string) *answer {
		q := pool.Get().(*query)
		defer pool.Put(q)
		q.res = &answer{}
		q.res.text = s
		return q.res
	}
	a := run("a")
	b := run("b")
	if a.text != "a" || b.text != "b" {
		t.Error(a, b)
	}
}

// 26: the constructor's child is handed over and replaced.
type page struct{ words []string }
type reader struct{ page *page }

func newReader() *reader { return &reader{page: &page{}} }

//want:silence
func TestChildHandedOver(t *testing.T) {
	pool := sync.Pool{New: func() any { return newReader() }}
	run := func(s string) *page {
		r := pool.Get().(*reader)
		r.page.words = append(r.page.words, s)
		p := r.page
		r.page = &page{}
		pool.Put(r)
		return p
	}
	a, b := run("a"), run("b")
	if len(a.words) != 1 || a.words[0] != "a" || b.words[0] != "b" {
		t.Error(a, b)
	}
}
