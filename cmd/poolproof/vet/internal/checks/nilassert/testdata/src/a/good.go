package a

import (
	"bytes"
	"sync"
)

func commaOK() *bytes.Buffer {
	if b, ok := without.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func nilCheck() *bytes.Buffer {
	x := without.Get()
	if x == nil {
		return new(bytes.Buffer)
	}
	return x.(*bytes.Buffer)
}

func typeSwitch() {
	switch without.Get().(type) {
	case *bytes.Buffer:
	}
}

func notAsserted() any { return without.Get() }

var with = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func fromWith() *bytes.Buffer { return with.Get().(*bytes.Buffer) }

// New is set before anybody asks.
var late sync.Pool

func init() { late.New = func() any { return new(bytes.Buffer) } }

func fromLate() *bytes.Buffer { return late.Get().(*bytes.Buffer) }

type sized struct{ pool sync.Pool }

func newSized(n int) *sized {
	s := new(sized)
	s.pool.New = func() any { return bytes.NewBuffer(make([]byte, n)) }
	return s
}

func (s *sized) get() *bytes.Buffer { return s.pool.Get().(*bytes.Buffer) }

// Others may set New.
var Exported sync.Pool

func fromExported() *bytes.Buffer { return Exported.Get().(*bytes.Buffer) }

func parameter(p *sync.Pool) *bytes.Buffer { return p.Get().(*bytes.Buffer) }

type given struct{ pool *sync.Pool }

func newGiven(p *sync.Pool) *given { return &given{p} }

func (g *given) get() *bytes.Buffer { return g.pool.Get().(*bytes.Buffer) }

var passed sync.Pool

func init() { prepare(&passed) }

func prepare(p *sync.Pool) { p.New = func() any { return new(bytes.Buffer) } }

func fromPassed() *bytes.Buffer { return passed.Get().(*bytes.Buffer) }

// New is a function that we cannot look into.
func build(f func() any) *sized { return &sized{pool: sync.Pool{New: f}} }
