package nonpointer

import (
	"io"
	"strconv"
	"sync"
)

var (
	maps  = sync.Pool{New: func() any { return map[string]int{} }}
	chans = sync.Pool{New: func() any { return make(chan int, 1) }}
	funcs = sync.Pool{New: func() any { return func() {} }}
)

func pointer(w io.Writer, n int) error {
	p := pointed.Get().(*[]byte)
	*p = strconv.AppendInt((*p)[:0], int64(n), 10)
	_, err := w.Write(*p)
	pointed.Put(p) // fine "PV008" the pointer that was got
	return err
}

func pooledMap(words []string) int {
	m := maps.Get().(map[string]int)
	clear(m)
	for _, w := range words {
		m[w]++
	}
	n := len(m)
	maps.Put(m) // fine "PV008" a map is a pointer
	return n
}

func pooledChannel() int {
	c := chans.Get().(chan int)
	c <- 1
	n := <-c
	chans.Put(c) // fine "PV008" so is a channel
	return n
}

func pooledFunc() {
	f := funcs.Get().(func())
	f()
	funcs.Put(f) // fine "PV008" and a function
}

func newPointer(n int) {
	b := make([]byte, 0, n)
	pointed.Put(&b) // fine "PV008" a new one, put for the first time
}

func storedBack(w io.Writer, n int) error {
	p := pointed.Get().(*[]byte)
	b := strconv.AppendInt((*p)[:0], int64(n), 10)
	_, err := w.Write(b)
	*p = b
	pointed.Put(p) // fine "PV008 PV013" the pointer that was got
	return err
}

func ofInterface(p *sync.Pool, x any) {
	p.Put(x) // fine "PV008" whatever it is, it is boxed already
}
