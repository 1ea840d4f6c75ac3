package a

import (
	"io"
	"unsafe"
)

type pointer struct{ p *int }

func pointers(p *[]byte, m map[string]int, c chan int, f func(), u unsafe.Pointer, s pointer, a [1]*int, x any, e struct{}, b bool, w io.Writer) {
	pool.Put(p)
	pool.Put(m)
	pool.Put(c)
	pool.Put(f)
	pool.Put(u)
	pool.Put(s) // one pointer in memory
	pool.Put(a)
	pool.Put(x)
	pool.Put(w)
	pool.Put(e) // all of them have one address
	pool.Put(b) // and these have two
	pool.Put(nil)
}

func generic[T any](x T) { pool.Put(x) }

// The pointer that Get gave is kept.
func kept(r io.Reader) {
	p := buffers.Get().(*[]byte)
	b := *p
	r.Read(b)
	*p = b
	buffers.Put(p)
}

// A new slice has to have a header somewhere.
func fresh() {
	b := make([]byte, 10)
	buffers.Put(&b)
}
