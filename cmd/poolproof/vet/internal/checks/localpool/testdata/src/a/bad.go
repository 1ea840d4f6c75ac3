package a

import (
	"bytes"
	"io"
	"sync"
)

func render(v string) string {
	pool := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `PV010 local-pool \(error\): the pool pool is made in each call and used once`
	b := pool.Get().(*bytes.Buffer)
	defer pool.Put(b)
	io.WriteString(b, v)
	return b.String()
}

func pointer() int {
	p := &sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `the pool p is made in each call`
	b := p.Get().(*bytes.Buffer)
	n := b.Len()
	p.Put(b)
	return n
}

func variable() {
	var p sync.Pool // want `the pool p is made in each call`
	p.New = func() any { return new(bytes.Buffer) }
	b := p.Get().(*bytes.Buffer)
	defer func() { p.Put(b) }()
}

func everyRound(all []any) {
	for range all {
		p := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `the pool p is made in each call`
		p.Put(p.Get())
	}
}

func viaNew() {
	p := new(sync.Pool) // want `the pool p is made in each call`
	b, ok := p.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	p.Put(b)
}

func newPool() *sync.Pool { return &sync.Pool{New: func() any { return new(bytes.Buffer) }} }

func viaMaker() {
	p := newPool() // want `the pool p is made in each call`
	p.Put(p.Get())
}
