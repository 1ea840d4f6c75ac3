package a

import (
	"bufs"
	"bytes"
	"sync/atomic"
)

var latest atomic.Pointer[[]byte]

func addressOfMemory() {
	b := bufs.Get()
	defer bufs.Put(b)
	data := b.Bytes()
	latest.Store(&data) // want `is kept by the function that it is passed to`
}

func addressOfACopy() {
	b := bufs.Get()
	defer bufs.Put(b)
	data := bytes.Clone(b.Bytes())
	latest.Store(&data)
}

func addressOfWhatIsReplaced() {
	b := bufs.Get()
	defer bufs.Put(b)
	data := b.Bytes()
	latest.Store(&data)
	data = bytes.Clone(data)
}

func addressOfOneOrTheOther(short bool) {
	b := bufs.Get()
	defer bufs.Put(b)
	data := b.Bytes()
	if short {
		data = nil
	}
	latest.Store(&data)
}
