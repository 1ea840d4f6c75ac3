//go:build poolproofdebug

package pool

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/poolproof/poolproof/internal/ledger"
)

// The checked build uses nothing again, so that each address has one Get and
// one Put until its object is collected.

// chooseChecked replaces the doors of p. Objects without size share one address:
// of these nothing can be checked.
func (p *Pool[T]) chooseChecked() {
	s := p.more
	if s.book == nil {
		return
	}
	p.objects.New, p.put = s.checkedGet, s.checkedPut
	runtime.AddCleanup(p, (*ledger.Book).Close, s.book)
}

// seesAll reports whether the pool must see each Get and Put for its checks.
func (s *state[T]) seesAll() bool { return s.book != nil }

// trimChecked ends the watch over objects that were put, and returns how many
// there were. It panics if one was written.
func (s *state[T]) trimChecked() int {
	if s.book == nil {
		return 0
	}
	n := s.book.Watched()
	complain(s.book.Drain())
	return n
}

// checkedGet is objects.New of a checked pool.
func (s *state[T]) checkedGet() any {
	x := s.create()
	s.book.Out(unsafe.Pointer(x), int(unsafe.Sizeof(*x)), ledger.Here())
	if s.uses != nil {
		s.uses.get(address(x))
	}
	return x
}

// checkedPut is Put of a checked pool. It drops every object, after the rules
// were applied as ever, and watches it.
func (s *state[T]) checkedPut(_ *sync.Pool, v any) {
	x := v.(*T)
	if s.uses != nil {
		s.uses.put(address(x))
	}
	here := ledger.Here()
	origin, entry := s.book.In(unsafe.Pointer(x), int(unsafe.Sizeof(*x)), here)
	switch origin {
	case ledger.Twice:
		panic(fmt.Sprintf("pool: %s: the object at %p was put twice\n\nit was got at\n%s\nput first at\n%s\nand put again at\n%s",
			entry.Pool, x, entry.Got, entry.Put, here))
	case ledger.Foreign:
		s.foreign.Add(1)
	}
	s.accept(x)
	complain(s.book.Watch(unsafe.Pointer(x), int(unsafe.Sizeof(*x)), entry))
}

// complain panics if an object was written after it was put.
func complain(found []ledger.Written) {
	if len(found) > 0 {
		panic("pool: " + found[0].String())
	}
}
