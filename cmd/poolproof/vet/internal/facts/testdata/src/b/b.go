// Package b wraps package a: facts cross packages.
package b

import (
	"bytes"

	"a"
)

func Get() *bytes.Buffer { // want Get:`Getter\{0\}`
	b := a.Get()
	b.Reset()
	return b
}

func Put(b *bytes.Buffer) { // want Put:`MustPut\{0\} Release\{0\} MayPut\{0\} Works\{0\} Detach\{Param:0 Fields:\[1 2\]\}`
	b.Reset()
	a.Put(b)
}

var pool a.Pool[bytes.Buffer]

func Generic() *bytes.Buffer { // want Generic:`Getter\{0\}`
	return pool.Get()
}
