package fit

import (
	"errors"
	"log"
	"sync"
)

type box struct{ b []byte }

var pool = sync.Pool{New: func() any { return new(box) }}

func get() *box  { return pool.Get().(*box) }
func put(x *box) { x.b = x.b[:0]; pool.Put(x) }

type row struct{ s string }

func (r *row) append(b []byte) []byte { return append(b, r.s...) }

var sink struct {
	sync.Mutex
	all []byte
}

func add(r *row) {
	x := get()
	b := r.append(x.b)
	if len(b) > 100 {
		log.Printf("too long: %s", b)
		return // want `loses x`
	}
	sink.Lock()
	sink.all = append(sink.all, b...)
	sink.Unlock()
	x.b = b
	put(x)
}

var errLong = errors.New("long")

func add2(r *row) error {
	x := get()
	x.b = r.append(x.b)
	if len(x.b) > 100 {
		return errLong // want `loses x`
	}
	sink.all = append(sink.all, x.b...)
	put(x)
	return nil
}

func good(r *row) {
	x := get()
	x.b = r.append(x.b)
	sink.all = append(sink.all, x.b...)
	if len(x.b) > 100 {
		return
	}
	put(x)
}

func good2(r *row) {
	x := get()
	x.b = r.append(x.b)
	sink.all = append(sink.all, x.b...)
	if cap(x.b) > 100 {
		return
	}
	clear(x.b)
	x.b = x.b[:0]
	put(x)
}

type conn struct {
	buf    []byte
	broken bool
}

var conns = sync.Pool{New: func() any { return new(conn) }}

func good3(p []byte) {
	c := conns.Get().(*conn)
	if c.broken {
		return
	}
	c.buf = append(c.buf[:0], p...)
	conns.Put(c)
}

// the one that was got is too small
func good4(n int) {
	x := get()
	if len(x.b) < n {
		x = &box{make([]byte, n)}
	}
	x.b[0] = 1
	put(x)
}

// the box would keep a slice that is too large
func good5(a interface{ Append([]byte) []byte }) []byte {
	x := get()
	b := a.Append(x.b[:0])
	out := make([]byte, len(b))
	copy(out, b)
	if cap(b) <= 100 {
		x.b = b
		pool.Put(x)
	}
	return out
}

// what is asked for is not what the box would keep
func add3(a interface{ Append([]byte) []byte }) []byte {
	x := get()
	b := a.Append(x.b[:0])
	out := make([]byte, len(b))
	copy(out, b)
	if cap(out) <= 100 {
		x.b = b
		pool.Put(x)
	}
	return out // want `loses x`
}

// another box would keep it
func add4(a interface{ Append([]byte) []byte }, y *box) int {
	x := get()
	b := a.Append(x.b[:0])
	if cap(b) <= 100 {
		y.b = b
		pool.Put(x)
	}
	return len(b) // want `loses x`
}
