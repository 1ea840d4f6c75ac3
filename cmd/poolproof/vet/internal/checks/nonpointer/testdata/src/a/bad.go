package a

import (
	"io"
	"sync"
)

var pool sync.Pool

type header struct{ a, b int }

func slice(b []byte) {
	pool.Put(b) // want `PV008 nonpointer \(warning\): a slice is put`
}

func named() {
	type buf []byte
	pool.Put(buf(nil)) // want `a slice is put`
}

func values(h header, a [4]int, s string, n int, f float64) {
	pool.Put(h)       // want `a struct is put: .* 16 bytes`
	pool.Put(a)       // want `an array is put: .* 32 bytes`
	pool.Put(s)       // want `a string is put`
	pool.Put(n)       // want `an int is put`
	pool.Put(f)       // want `a float64 is put`
	pool.Put((h))     // want `a struct is put`
	defer pool.Put(h) // want `a struct is put`
}

func viaAny(b []byte) {
	var x any = b
	pool.Put(x) // want `a slice is put`
}

type struct2 struct{ p, q *int }

func twoPointers(s struct2) {
	pool.Put(s) // want `a struct is put`
}

// The address of a local copy passes other checkers, and allocates all the same.
var buffers = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func localCopy(r io.Reader) {
	b := *buffers.Get().(*[]byte)
	r.Read(b)
	buffers.Put(&b) // want `the address of the local copy b is put`
}

func parameter(b []byte) {
	b = b[:0]
	buffers.Put(&b) // want `the address of the parameter b is put`
}
