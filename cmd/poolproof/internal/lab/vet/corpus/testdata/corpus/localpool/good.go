package localpool

import (
	"bytes"
	"io"
	"sync"
)

// Many iterations share the pool of the call.
func loop(w io.Writer, names []string) {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV010" used in a loop
	for _, n := range names {
		b := p.Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString(n)
		b.WriteTo(w)
		p.Put(b)
	}
}

func workers(w io.Writer, names []string) {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV010" shared by goroutines
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Go(func() {
			b := p.Get().(*bytes.Buffer)
			defer p.Put(b)
			b.Reset()
			b.WriteString(n)
			w.Write(b.Bytes())
		})
	}
	wg.Wait()
}

func closure(w io.Writer) func(string) {
	p := &sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV010" lives with the closure
	return func(name string) {
		b := p.Get().(*bytes.Buffer)
		defer p.Put(b)
		b.Reset()
		b.WriteString(name)
		b.WriteTo(w)
	}
}

func returned() *sync.Pool {
	p := &sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV010" returned
	p.Put(new(bytes.Buffer))
	return p
}

type owner struct{ pool *sync.Pool }

func newOwner() *owner {
	p := new(sync.Pool) // fine "PV010" the owner's
	p.New = func() any { return new(bytes.Buffer) }
	return &owner{pool: p}
}

func passed(work func(*sync.Pool)) {
	p := &sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV010" passed on
	work(p)
}
