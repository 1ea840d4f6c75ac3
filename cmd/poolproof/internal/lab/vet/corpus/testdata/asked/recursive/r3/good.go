// Right: two literals that call each other; copy returned
package r3

import (
	"bytes"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

type value struct {
	list []value
	leaf string
}

func Encode(v value) []byte {
	b := getBuf()
	defer putBuf(b)
	var enc func(v value)
	var list func(vs []value)
	list = func(vs []value) {
		b.WriteByte('[')
		for _, x := range vs {
			enc(x)
		}
		b.WriteByte(']')
	}
	enc = func(v value) {
		if v.list != nil {
			list(v.list)
			return
		}
		b.WriteString(v.leaf)
	}
	enc(v)
	return bytes.Clone(b.Bytes())
}
