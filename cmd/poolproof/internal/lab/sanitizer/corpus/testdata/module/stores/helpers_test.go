package stores

import (
	"bytes"
	"iter"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

type filled struct{ arr []byte }

func fill(to *[]byte, in []byte) { *to = in }

func (x *filled) load(in []byte) { fill(&x.arr, in) }
func (x *filled) reset()         { x.arr = x.arr[:0] }
func (x *filled) set(s string)   { x.arr = append(x.arr[:0], s...) }

var filleds = sync.Pool{New: func() any { return new(filled) }}

//want:silence
func TestAddressOfTheField(t *testing.T) {
	mem := fresh(text)
	x := filleds.Get().(*filled)
	x.load(mem)
	x.reset()
	filleds.Put(x)
	stillOurs(t, mem, text)
}

type pointed struct{ b []byte }

func (x *pointed) reset()       { x.b = x.b[:0] }
func (x *pointed) set(s string) { x.b = append(x.b[:0], s...) }

var pointeds = sync.Pool{New: func() any { return new(pointed) }}

//want:silence
func TestPointerToTheField(t *testing.T) {
	p := &packet{fresh(text)}
	x := pointeds.Get().(*pointed)
	at := &x.b
	*at = p.data
	x.reset()
	pointeds.Put(x)
	stillOurs(t, p.data, text)
}

type placed struct{ b []byte }

func (x *placed) place() *[]byte { return &x.b }
func (x *placed) reset()         { x.b = x.b[:0] }
func (x *placed) set(s string)   { x.b = append(x.b[:0], s...) }

var placeds = sync.Pool{New: func() any { return new(placed) }}

//want:silence
func TestPointerFromAMethod(t *testing.T) {
	p := &packet{fresh(text)}
	x := placeds.Get().(*placed)
	*x.place() = p.data
	x.reset()
	placeds.Put(x)
	stillOurs(t, p.data, text)
}

// list is a slice with methods.
type list []byte

func (l *list) set(b []byte) { *l = b }
func (l *list) add(s string) { *l = append(*l, s...) }

type withList struct{ l list }

func (x *withList) reset() { x.l = x.l[:0] }

var withLists = sync.Pool{New: func() any { return new(withList) }}

//want:silence
func TestMethodOfTheField(t *testing.T) {
	mem := fresh(text)
	x := withLists.Get().(*withList)
	x.l.set(mem)
	x.reset()
	withLists.Put(x)
	stillOurs(t, mem, text)
	x = withLists.Get().(*withList)
	x.l.add(text)
	withLists.Put(x)
}

type setter struct{ b []byte }

func (x *setter) set(b []byte)  { x.b = b }
func (x *setter) reset()        { x.b = x.b[:0] }
func (x *setter) text(s string) { x.b = append(x.b[:0], s...) }

var setters = sync.Pool{New: func() any { return new(setter) }}

//want:silence
func TestMethodValue(t *testing.T) {
	mem := fresh(text)
	x := setters.Get().(*setter)
	set := x.set
	set(mem)
	x.reset()
	setters.Put(x)
	stillOurs(t, mem, text)
}

//want:silence
func TestMethodExpression(t *testing.T) {
	mem := fresh(text)
	x := setters.Get().(*setter)
	(*setter).set(x, mem)
	x.reset()
	setters.Put(x)
	stillOurs(t, mem, text)
}

type closed struct{ b []byte }

func (x *closed) reset()       { x.b = x.b[:0] }
func (x *closed) set(s string) { x.b = append(x.b[:0], s...) }

var closeds = sync.Pool{New: func() any { return new(closed) }}

//want:silence
func TestClosureStores(t *testing.T) {
	mem := fresh(text)
	x := closeds.Get().(*closed)
	store := func() { x.b = mem }
	store()
	x.reset()
	closeds.Put(x)
	stillOurs(t, mem, text)
}

type closed2 struct{ b []byte }

func (x *closed2) reset()       { x.b = x.b[:0] }
func (x *closed2) set(s string) { x.b = append(x.b[:0], s...) }

var closeds2 = sync.Pool{New: func() any { return new(closed2) }}

//want:silence
func TestResultOfAClosure(t *testing.T) {
	mem := fresh(text)
	give := func() []byte { return mem }
	x := closeds2.Get().(*closed2)
	x.b = give()
	x.reset()
	closeds2.Put(x)
	stillOurs(t, mem, text)
}

type closed3 struct{ b []byte }

func (x *closed3) reset()       { x.b = x.b[:0] }
func (x *closed3) set(s string) { x.b = append(x.b[:0], s...) }

var closeds3 = sync.Pool{New: func() any { return new(closed3) }}

//want:silence
func TestVariableThatAClosureSets(t *testing.T) {
	mem := fresh(text)
	x := closeds3.Get().(*closed3)
	b := x.b[:0]
	func() { b = mem }()
	x.b = b
	x.reset()
	closeds3.Put(x)
	stillOurs(t, mem, text)
}

type called struct{ b []byte }

func (x *called) reset()       { x.b = x.b[:0] }
func (x *called) set(s string) { x.b = append(x.b[:0], s...) }

var calleds = sync.Pool{New: func() any { return new(called) }}

func each(rows [][]byte, do func(row []byte)) {
	for _, r := range rows {
		do(r)
	}
}

//want:silence
func TestCallbackStores(t *testing.T) {
	rows := [][]byte{fresh(text)}
	x := calleds.Get().(*called)
	each(rows, func(row []byte) { x.b = row })
	x.reset()
	calleds.Put(x)
	stillOurs(t, rows[0], text)
}

type iterated struct{ b []byte }

func (x *iterated) reset()       { x.b = x.b[:0] }
func (x *iterated) set(s string) { x.b = append(x.b[:0], s...) }

var iterateds = sync.Pool{New: func() any { return new(iterated) }}

//want:silence
func TestYieldedRow(t *testing.T) {
	rows := [][]byte{fresh(text)}
	var seq iter.Seq[[]byte] = slices.Values(rows)
	x := iterateds.Get().(*iterated)
	for row := range seq {
		x.b = row
	}
	x.reset()
	iterateds.Put(x)
	stillOurs(t, rows[0], text)
}

type deferred struct{ b []byte }

func (x *deferred) reset()       { x.b = x.b[:0] }
func (x *deferred) set(s string) { x.b = append(x.b[:0], s...) }

var deferreds = sync.Pool{New: func() any { return new(deferred) }}

//want:silence
func TestDeferredStore(t *testing.T) {
	mem := fresh(text)
	func() {
		x := deferreds.Get().(*deferred)
		defer deferreds.Put(x)
		defer x.reset()
		defer func() { x.b = mem }()
	}()
	stillOurs(t, mem, text)
}

// unescaped returns its input where there is nothing to do, and else what it appends.
func appendUnescaped(dst, in []byte) []byte {
	if bytes.IndexByte(in, '\\') < 0 {
		return in
	}
	for _, c := range in {
		if c != '\\' {
			dst = append(dst, c)
		}
	}
	return dst
}

type unescaper struct{ b []byte }

func (x *unescaper) token(in []byte) []byte {
	x.b = appendUnescaped(x.b[:0], in)
	return x.b
}

var unescapers = sync.Pool{New: func() any { return new(unescaper) }}

//want:silence
func TestHelperThatMayReturnItsInput(t *testing.T) {
	mem := fresh(text)
	x := unescapers.Get().(*unescaper)
	if n := len(x.token(mem)); n != len(text) {
		t.Error(n)
	}
	x.b = x.b[:0]
	unescapers.Put(x)
	stillOurs(t, mem, text)
}

// appender is an interface whose implementation may do as it likes.
type appender interface{ AppendTo(dst, in []byte) []byte }

type lazy struct{}

func (lazy) AppendTo(dst, in []byte) []byte {
	if len(dst) == 0 {
		return in
	}
	return append(dst, in...)
}

type composer struct{ b []byte }

func (x *composer) add(a appender, in []byte) { x.b = a.AppendTo(x.b[:0], in) }

var composers = sync.Pool{New: func() any { return new(composer) }}

//want:silence
func TestInterfaceThatMayReturnItsInput(t *testing.T) {
	mem := fresh(text)
	x := composers.Get().(*composer)
	x.add(lazy{}, mem)
	x.b = x.b[:0]
	composers.Put(x)
	stillOurs(t, mem, text)
}

type viewer struct{ b []byte }

func view(in []byte) (b []byte) {
	b = in
	return
}

func (x *viewer) of(p *packet) { x.b = view(p.data) }
func (x *viewer) reset()       { x.b = x.b[:0] }
func (x *viewer) set(s string) { x.b = append(x.b[:0], s...) }

var viewers = sync.Pool{New: func() any { return new(viewer) }}

//want:silence
func TestNamedResult(t *testing.T) {
	p := &packet{fresh(text)}
	x := viewers.Get().(*viewer)
	x.of(p)
	x.reset()
	viewers.Put(x)
	stillOurs(t, p.data, text)
}

type swapper struct{ b []byte }

func (x *swapper) swap(y *swapper) { x.b, y.b = y.b, x.b }
func (x *swapper) reset()          { x.b = x.b[:0] }
func (x *swapper) set(s string)    { x.b = append(x.b[:0], s...) }

var swappers = sync.Pool{New: func() any { return new(swapper) }}

//want:silence
func TestSwapWithAnother(t *testing.T) {
	mem := fresh(text)
	mine := &swapper{mem}
	x := swappers.Get().(*swapper)
	x.swap(mine)
	x.reset()
	swappers.Put(x)
	stillOurs(t, mem, text)
}

type choosing struct{ b []byte }

func (x *choosing) choose(p *packet, lend bool) {
	b := x.b[:0]
	if lend {
		b = p.data
	}
	x.b = b
}
func (x *choosing) reset()       { x.b = x.b[:0] }
func (x *choosing) set(s string) { x.b = append(x.b[:0], s...) }

var choosers = sync.Pool{New: func() any { return new(choosing) }}

//want:silence
func TestVariableWithTwoSources(t *testing.T) {
	p := &packet{fresh(text)}
	x := choosers.Get().(*choosing)
	x.choose(p, true)
	x.reset()
	choosers.Put(x)
	stillOurs(t, p.data, text)
}

type extending struct{ b []byte }

func (x *extending) behind(p *packet, s string) { x.b = append(p.data, s...) }
func (x *extending) reset()                     { x.b = x.b[:0] }
func (x *extending) set(s string)               { x.b = append(x.b[:0], s...) }

var extenders = sync.Pool{New: func() any { return new(extending) }}

//want:silence
func TestArrayOfAnotherIsExtended(t *testing.T) {
	p := &packet{fresh(text)}
	x := extenders.Get().(*extending)
	x.behind(p, "...")
	x.reset()
	extenders.Put(x)
	stillOurs(t, p.data, text)
}

type sourced struct {
	b    []byte
	from *packet
}

func (p *packet) next() []byte { return p.data }

func (x *sourced) step()        { x.b = x.from.next() }
func (x *sourced) reset()       { x.b, x.from = x.b[:0], nil }
func (x *sourced) set(s string) { x.b = append(x.b[:0], s...) }

var sourceds = sync.Pool{New: func() any { return new(sourced) }}

//want:silence
func TestMethodOfASource(t *testing.T) {
	p := &packet{fresh(text)}
	x := sourceds.Get().(*sourced)
	x.from = p
	x.step()
	x.reset()
	sourceds.Put(x)
	stillOurs(t, p.data, text)
}

// Reflected is set by reflection.
type Reflected struct{ B []byte }

func (x *Reflected) reset()       { x.B = x.B[:0] }
func (x *Reflected) set(s string) { x.B = append(x.B[:0], s...) }

var reflecteds = sync.Pool{New: func() any { return new(Reflected) }}

//want:silence
func TestReflectionStores(t *testing.T) {
	mem := fresh(text)
	x := reflecteds.Get().(*Reflected)
	reflect.ValueOf(x).Elem().Field(0).SetBytes(mem)
	x.reset()
	reflecteds.Put(x)
	stillOurs(t, mem, text)
}

// counters of shards are summed from outside, also while a shard is in the pool.
type shard struct{ counts []int64 }

var (
	registered [][]int64
	shards     = sync.Pool{New: func() any {
		c := make([]int64, 16)
		registered = append(registered, c)
		return &shard{counts: c}
	}}
)

//want:silence
func TestArrayThatNewRegisters(t *testing.T) {
	for range 5 {
		s := shards.Get().(*shard)
		atomic.AddInt64(&s.counts[3], 2)
		shards.Put(s)
	}
	sum := int64(0)
	for _, c := range registered {
		sum += atomic.LoadInt64(&c[3])
	}
	if sum != 10 {
		t.Error(sum)
	}
}

// meter has the same, and registers itself.
type meter struct{ counts []int64 }

var (
	meters   []*meter
	allocate = func() any {
		m := &meter{counts: make([]int64, 16)}
		meters = append(meters, m)
		return m
	}
	meterPool = sync.Pool{New: allocate}
)

func (m *meter) add(i int, n int64) { atomic.AddInt64(&m.counts[i], n) }

//want:silence
func TestObjectThatNewRegisters(t *testing.T) {
	for range 5 {
		m := meterPool.Get().(*meter)
		m.add(3, 2)
		meterPool.Put(m)
	}
	sum := int64(0)
	counts := make([][]int64, 0, len(meters))
	for range 5 {
		m := meterPool.Get().(*meter)
		counts = append(counts, m.counts)
		m.add(3, 2)
		defer meterPool.Put(m)
	}
	for _, c := range counts {
		sum += atomic.LoadInt64(&c[3])
	}
	if sum < 10 {
		t.Error(sum)
	}
}
