package a

import (
	"bufs"
	"bytes"
	"io"
	"sync"
)

func joined(w io.Writer) {
	b := bufs.Get()
	defer bufs.Put(b)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		w.Write(b.Bytes())
	}()
	wg.Wait()
}

type writer struct{ b *bytes.Buffer }

func lent(x *writer, use func()) {
	b := bufs.Get()
	x.b = b
	use()
	x.b = nil
	bufs.Put(b)
}

func sentOrPut(out chan<- *bytes.Buffer, send bool) {
	b := bufs.Get()
	if send {
		out <- b
		return
	}
	bufs.Put(b)
}

func value(m map[string]string) {
	b := bufs.Get()
	defer bufs.Put(b)
	m["x"] = b.String()
}

func answered(out chan<- *bytes.Buffer, done <-chan bool) {
	b := bufs.Get()
	out <- b
	<-done
	bufs.Put(b)
}
