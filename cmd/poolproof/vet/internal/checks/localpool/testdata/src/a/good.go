package a

import (
	"bytes"
	"io"
	"sync"
)

var global = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func useGlobal() { global.Put(global.Get()) }

// Used many times within the call.
func loop(all []string) {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	for _, v := range all {
		b := p.Get().(*bytes.Buffer)
		io.WriteString(b, v)
		p.Put(b)
	}
}

func goroutines(n int) {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	for range n {
		go func() { p.Put(p.Get()) }()
	}
}

func twice() {
	var p sync.Pool
	p.Put(p.Get())
	p.Put(p.Get())
}

// It outlives the call.
func returned() *sync.Pool {
	p := &sync.Pool{}
	p.Put(p.Get())
	return p
}

type holder struct{ p *sync.Pool }

func kept(h *holder) {
	p := &sync.Pool{}
	p.Put(p.Get())
	h.p = p
}

func passed(f func(*sync.Pool)) {
	var p sync.Pool
	p.Put(p.Get())
	f(&p)
}

func closure() func() any {
	var p sync.Pool
	return func() any { x := p.Get(); p.Put(x); return x }
}

// It came from outside.
func parameter(p *sync.Pool) { p.Put(p.Get()) }

func alias() {
	p := &global
	p.Put(p.Get())
}

// Copies of others are another mistake.
func copied(q sync.Pool) {
	p := global
	p.Put(p.Get())
	q.Put(q.Get())
}

// A function that does more than return a literal may have one that lives longer.
func shared() *sync.Pool {
	if global.New == nil {
		return &sync.Pool{}
	}
	return &global
}

func viaShared() {
	p := shared()
	p.Put(p.Get())
}

func madeInLoop(all []string) {
	p := newPool()
	for range all {
		p.Put(p.Get())
	}
}
