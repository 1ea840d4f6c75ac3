// Package watched has misuses of objects whose constructors give them away for a moment only: to options,
// hooks, interfaces and helpers that keep nothing. Nothing of this is a registry.
package watched

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math/big"
	"sort"
	"strings"
	"sync"
	"testing"
)

type enc struct {
	buf    []byte
	indent int
	name   string
	w      io.Writer
	owner  *holder
	next   *enc
}

// reuse is the misuse of all these programs: a view is returned, and read after the Put.
func reuse(pool *sync.Pool) byte {
	e := pool.Get().(*enc)
	e.buf = append(e.buf[:0], "hello"...)
	out := e.buf
	pool.Put(e)
	return out[0]
}

type option func(*enc)

func withIndent(n int) option { return func(e *enc) { e.indent = n } }

func newEnc(opts ...option) *enc {
	e := &enc{buf: make([]byte, 0, 64)}
	for _, o := range opts {
		o(e)
	}
	return e
}

// Functional options.
//
//want:exact read-after-put
func TestOptions(t *testing.T) {
	pool := &sync.Pool{New: func() any { return newEnc(withIndent(2)) }}
	_ = reuse(pool)
}

type applier interface{ apply(*dec) }

type dec struct {
	buf  []byte
	size int
}

type sizeOption int

func (s sizeOption) apply(d *dec) { d.size = int(s); d.buf = make([]byte, 0, int(s)) }

func newDec(opts ...applier) *dec {
	d := new(dec)
	for _, o := range opts {
		o.apply(d)
	}
	return d
}

// Options with a method.
//
//want:exact read-after-put
func TestOptionsOfAnInterface(t *testing.T) {
	pool := sync.Pool{New: func() any { return newDec(sizeOption(64)) }}
	d := pool.Get().(*dec)
	d.buf = append(d.buf[:0], 1)
	out := d.buf
	pool.Put(d)
	_ = out[0]
}

type source struct {
	r   io.Reader
	buf []byte
	pos int
}

type byteReader interface{ ReadByte() (byte, error) }

func newSource(r io.Reader) any {
	s := &source{buf: make([]byte, 16)}
	switch v := r.(type) {
	case byteReader:
		_, _ = v.ReadByte()
	case io.Closer:
		_ = v.Close()
	}
	s.r = r
	return s
}

// A type switch in the constructor.
//
//want:exact write-after-put
func TestTypeSwitchInAConstructor(t *testing.T) {
	pool := sync.Pool{New: func() any { return newSource(strings.NewReader("abc")) }}
	s := pool.Get().(*source)
	pool.Put(s)
	s.pos = 3
}

type visitor struct {
	seen map[string]bool
	path []string
}

func describe(v any) string {
	switch x := v.(type) {
	case *visitor:
		return fmt.Sprint(len(x.path))
	case fmt.Stringer:
		return x.String()
	}
	return ""
}

// The object itself goes through a type switch.
//
//want:exact read-after-put write-after-put
//want:fast write-after-put?
func TestTypeSwitchOfTheObject(t *testing.T) {
	pool := sync.Pool{New: func() any {
		v := &visitor{seen: map[string]bool{}}
		_ = describe(v)
		return v
	}}
	v := pool.Get().(*visitor)
	pool.Put(v)
	v.path = append(v.path, "x")
}

type resetter interface{ Reset(io.Reader, []byte) error }

type inflater struct {
	src  io.Reader
	dict []byte
	out  []byte
}

func (i *inflater) Reset(r io.Reader, dict []byte) error {
	i.src, i.dict = r, dict
	return nil
}

var inflaters sync.Pool

func inflate(in string) *inflater {
	r, ok := inflaters.Get().(*inflater)
	if !ok {
		r = &inflater{out: make([]byte, 32)}
	}
	var rs resetter = r
	_ = rs.Reset(bytes.NewReader([]byte(in)), nil)
	return r
}

// The source, not the object, is given to an interface's method.
//
//want:exact read-after-put
func TestSourceGivenByAnInterface(t *testing.T) {
	r := inflate("abc")
	inflaters.Put(r)
	_ = r.out[0]
}

type result struct{ code int }
type reply struct {
	id     int
	result *result
	raw    []byte
}

var replies = sync.Pool{New: func() any { return &reply{} }}

func acquire(r *result) *reply {
	x := replies.Get().(*reply)
	x.result = r
	return x
}

// A literal without parameters that is no New gives a part to an object.
//
//want:exact read-after-put
func TestLiteralThatIsNoNew(t *testing.T) {
	mk := func() *reply { return acquire(&result{code: 3}) }
	r := mk()
	replies.Put(r)
	_ = r.id
}

type holder struct {
	last *enc
	n    int
}

func newHolder() *holder { return &holder{n: 1} }

// The object and a part that a constructor makes refer to each other.
//
//want:exact read-after-put
func TestPartRefersBack(t *testing.T) {
	pool := &sync.Pool{New: func() any {
		h := newHolder()
		e := &enc{owner: h, buf: make([]byte, 0, 8)}
		h.last = e
		return e
	}}
	_ = reuse(pool)
}

func (h *holder) attach(e *enc) { h.last = e; e.owner = h }

// As before, by a method of the part.
//
//want:exact read-after-put
func TestPartAttached(t *testing.T) {
	pool := &sync.Pool{New: func() any {
		e := &enc{buf: make([]byte, 0, 8)}
		newHolder().attach(e)
		return e
	}}
	_ = reuse(pool)
}

// A hook looks at each new object.
type hooks struct{ onNew []func(*enc) }

//want:exact read-after-put
func TestHookThatOnlyLooks(t *testing.T) {
	n := 0
	h := &hooks{onNew: []func(*enc){func(e *enc) { n += cap(e.buf) }}}
	pool := &sync.Pool{New: func() any {
		e := &enc{buf: make([]byte, 0, 8)}
		for _, f := range h.onNew {
			f(e)
		}
		return e
	}}
	_ = reuse(pool)
}

func check(vs ...any) error {
	for _, v := range vs {
		if v == nil {
			return errors.New("nil")
		}
	}
	return nil
}

// The object is one of a variadic function's arguments.
//
//want:exact read-after-put
func TestVariadic(t *testing.T) {
	pool := &sync.Pool{New: func() any {
		e := &enc{buf: make([]byte, 0, 8)}
		if err := check(e, e.buf); err != nil {
			panic(err)
		}
		return e
	}}
	_ = reuse(pool)
}

type initer interface{ init() }

func (e *enc) init() { e.buf = make([]byte, 0, 16) }

// The constructor calls a method of the object through an interface.
//
//want:exact read-after-put
func TestInitThroughAnInterface(t *testing.T) {
	pool := &sync.Pool{New: func() any {
		e := new(enc)
		var i initer = e
		i.init()
		return e
	}}
	_ = reuse(pool)
}

type config struct{ decorate func(*enc) *enc }

// A function value returns the object itself.
//
//want:exact read-after-put
func TestDecorated(t *testing.T) {
	c := config{decorate: func(e *enc) *enc { e.name = "x"; return e }}
	pool := &sync.Pool{New: func() any { return c.decorate(&enc{buf: make([]byte, 0, 8)}) }}
	_ = reuse(pool)
}

type summed struct {
	h   hash.Hash32
	out []byte
}

// A part comes from the standard library, through an interface.
//
//want:exact read-after-put
func TestPartOfTheLibrary(t *testing.T) {
	pool := &sync.Pool{New: func() any {
		s := &summed{h: crc32.NewIEEE(), out: make([]byte, 0, 8)}
		s.h.Reset()
		return s
	}}
	s := pool.Get().(*summed)
	s.out = s.h.Sum(s.out[:0])
	out := s.out
	pool.Put(s)
	_ = out[0]
}

// A channel that does not outlive the constructor.
//
//want:exact read-after-put
func TestLocalChannel(t *testing.T) {
	pool := &sync.Pool{New: func() any {
		c := make(chan *enc, 1)
		c <- &enc{buf: make([]byte, 0, 8)}
		return <-c
	}}
	_ = reuse(pool)
}

// The constructor sorts a few candidates in a slice of its own, and returns one.
//
//want:exact read-after-put
func TestCandidates(t *testing.T) {
	pool := &sync.Pool{New: func() any {
		all := []*enc{{buf: make([]byte, 0, 8)}, {buf: make([]byte, 0, 16)}}
		sort.Slice(all, func(i, j int) bool { return cap(all[i].buf) > cap(all[j].buf) })
		return all[0]
	}}
	_ = reuse(pool)
}

type builder struct{ made *enc }

func (b *builder) with(o option) *builder { o(b.made); return b }
func (b *builder) build() *enc            { return b.made }

// A builder.
//
//want:exact read-after-put
func TestBuilder(t *testing.T) {
	pool := &sync.Pool{New: func() any {
		b := &builder{made: &enc{buf: make([]byte, 0, 8)}}
		return b.with(withIndent(1)).build()
	}}
	_ = reuse(pool)
}

type typed[T any] struct{ p sync.Pool }

func newTyped[T any](mk func() T, opts ...func(T)) *typed[T] {
	return &typed[T]{sync.Pool{New: func() any {
		x := mk()
		for _, o := range opts {
			o(x)
		}
		return x
	}}}
}

// A generic wrapper with options.
//
//want:exact read-after-put
func TestGenericOptions(t *testing.T) {
	p := newTyped(func() *enc { return &enc{buf: make([]byte, 0, 8)} }, func(e *enc) { e.indent = 1 })
	_ = reuse(&p.p)
}

// A pool without New, whose constructor takes options.
//
//want:exact write-after-put
func TestOptionsAfterANilGet(t *testing.T) {
	var pool sync.Pool
	get := func(opts ...option) *enc {
		e, _ := pool.Get().(*enc)
		if e == nil {
			e = newEnc(opts...)
		}
		return e
	}
	e := get(withIndent(3))
	pool.Put(e)
	e.indent = 4
}

// The constructor starts no goroutine with the object: only with a number of it.
//
//want:exact read-after-put
func TestGoroutineWithANumber(t *testing.T) {
	done := make(chan int, 10)
	pool := &sync.Pool{New: func() any {
		e := &enc{buf: make([]byte, 0, 8)}
		go func(n int) { done <- n }(cap(e.buf))
		return e
	}}
	_ = reuse(pool)
	<-done
}

// The constructor returns an error too, and the object is in a struct meanwhile.
type made struct {
	e   *enc
	err error
}

//want:exact read-after-put
func TestObjectInAResult(t *testing.T) {
	mk := func(n int) made { return made{e: &enc{buf: make([]byte, 0, n)}} }
	pool := &sync.Pool{New: func() any {
		m := mk(8)
		if m.err != nil {
			return nil
		}
		return m.e
	}}
	_ = reuse(pool)
}

type calc struct{ sum big.Int }

// A copy of the whole number is returned, which says that its array is lent.
//
//want:exact unseen
func TestCopyOfABigInt(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(calc) }}
	add := func(n int64) big.Int {
		c := pool.Get().(*calc)
		defer pool.Put(c)
		c.sum.SetInt64(n)
		c.sum.Lsh(&c.sum, 100)
		return c.sum
	}
	a := add(3)
	if a.Sign() == 0 || a.Bit(100) == 7 {
		t.Error(a.Bit(100))
	}
}
