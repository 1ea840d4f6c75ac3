package nilassert

import (
	"bytes"
	"sync"
)

func commaOk() int {
	n, ok := byValue.Get().(*node)
	if !ok {
		n = new(node) // fine "PV018" made where there is none
	}
	defer byValue.Put(n)
	return n.n
}

func nilFirst() (count int) {
	x := byValue.Get()
	if x == nil {
		return 0
	}
	n := x.(*node) // fine "PV018" not nil here
	count = n.n
	byValue.Put(n)
	return count
}

func notNil() *bytes.Buffer {
	if x := noNew.Get(); x != nil {
		return x.(*bytes.Buffer) // fine "PV018" not nil here
	}
	return new(bytes.Buffer)
}

func typeSwitch() int {
	switch n := byValue.Get().(type) { // fine "PV018" nil has its case
	case *node:
		byValue.Put(n)
		return 1
	default:
		return 0
	}
}

var withNew = sync.Pool{New: func() any { return new(node) }}

func hasNew() int {
	n := withNew.Get().(*node) // fine "PV018" it has a New
	defer withNew.Put(n)
	return n.n
}

// New is set by init.
var setLater sync.Pool

func init() {
	setLater.New = func() any { return new(node) }
}

func hasNewLater() int {
	n := setLater.Get().(*node) // fine "PV018" set in init
	defer setLater.Put(n)
	return n.n
}

// New is set by the constructor.
type lexer struct{ tokens sync.Pool }

func newLexer() *lexer {
	l := new(lexer)
	l.tokens.New = func() any { return new(node) }
	return l
}

func (l *lexer) token() *node {
	return l.tokens.Get().(*node) // fine "PV018" set in newLexer
}

type table struct{ rows sync.Pool }

func newTable() *table {
	return &table{rows: sync.Pool{New: newNode}}
}

func newNode() any { return new(node) }

func (t *table) row() *node {
	return t.rows.Get().(*node) // fine "PV018" set in the literal
}

// An exported pool may be given its New by anybody.
var Shared sync.Pool

func exported() *node {
	return Shared.Get().(*node) // fine "PV018" others may set New
}

// Options holds a pool for its user.
type Options struct{ Pool *sync.Pool }

func (o *Options) node() *node {
	return o.Pool.Get().(*node) // fine "PV018" the user's pool
}

func parameter(p *sync.Pool) *node {
	return p.Get().(*node) // fine "PV018" the caller's pool
}
