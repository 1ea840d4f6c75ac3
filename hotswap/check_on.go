//go:build poolproofdebug

package hotswap

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/slots"
	"github.com/poolproof/poolproof/internal/ledger"
)

// The checked build traces all holders, and package pooltest knows of them. While
// a value is free its contents are taken aside, and a zero T is left in its place:
// a late read finds nothing, and a late write is found.

const checked = true

// hidden is what the checked build knows of the values of a pool.
type hidden[T any] struct {
	mu     sync.Mutex
	values map[*slots.Slot]aside[T]
	gets   map[*slots.Slot]ledger.Stack // where the last writer got the value
}

// aside is the contents of a free value, and where it became free.
type aside[T any] struct {
	contents *T
	freed    ledger.Stack
}

// memory returns the bytes of x itself.
func memory[T any](x *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))
}

// book lists the tokens of all guards that hold something as objects that are out,
// and the containers that were dropped with a value.
type book struct{ ledger, containers *ledger.Book }

func (b book) out(k *token) {
	b.ledger.Out(unsafe.Pointer(k), int(unsafe.Sizeof(*k)), k.record.stack)
}

func (b book) in(k *token) {
	b.ledger.In(unsafe.Pointer(k), int(unsafe.Sizeof(*k)), callers())
}

// dropped lists r, the record of a container.
func (b book) dropped(r *record) {
	if b.containers != nil {
		b.containers.Out(unsafe.Pointer(r), int(unsafe.Sizeof(*r)), r.stack)
	}
}

// enlist opens the book of p, for as long as p is in use.
func (p *Pool[T]) enlist() {
	b := &p.tracer.book
	b.ledger = ledger.NewBook(fmt.Sprintf("hotswap.Pool[%s]", reflect.TypeFor[T]()))
	b.containers = ledger.NewBook(fmt.Sprintf("%s%s]", ledger.Containers, reflect.TypeFor[T]()))
	runtime.AddCleanup(p, (*ledger.Book).Close, b.ledger)
	runtime.AddCleanup(p, (*ledger.Book).Close, b.containers)
}

// hide takes the contents of s's value aside, if it has one. The caller owns s.
func (p *Pool[T]) hide(s *slots.Slot) {
	if s.Value == nil {
		return
	}
	x, contents := (*T)(s.Value), new(T)
	copy(typed(contents), typed(x))
	clear(typed(x))
	p.hidden.mu.Lock()
	defer p.hidden.mu.Unlock()
	if p.hidden.values == nil {
		p.hidden.values = make(map[*slots.Slot]aside[T])
	}
	p.hidden.values[s] = aside[T]{contents, ledger.Here()}
}

// noteGet notes where the caller, a writer, got s.
func (p *Pool[T]) noteGet(s *slots.Slot) {
	p.hidden.mu.Lock()
	defer p.hidden.mu.Unlock()
	if p.hidden.gets == nil {
		p.hidden.gets = make(map[*slots.Slot]ledger.Stack)
	}
	p.hidden.gets[s] = ledger.Here()
}

// typed returns x as a slice, so that a T with a lock in it can be moved.
func typed[T any](x *T) []T { return unsafe.Slice(x, 1) }

// reveal puts the contents of s's value back. It panics if the value was written
// while it was free. The caller owns s.
func (p *Pool[T]) reveal(s *slots.Slot) {
	p.hidden.mu.Lock()
	aside, got := p.hidden.values[s], p.hidden.gets[s]
	delete(p.hidden.values, s)
	p.hidden.mu.Unlock()
	if s.Value == nil || aside.contents == nil {
		return
	}
	x := (*T)(s.Value)
	written := slices.ContainsFunc(memory(x), func(b byte) bool { return b != 0 })
	copy(typed(x), typed(aside.contents))
	if written {
		panic(fmt.Sprintf("hotswap: a free value (%T) was written, after the Release, Discard or Update that made it free\n\nits last writer got it at\n%s\nit became free at\n%s\nand the write was found at\n%s",
			x, got, aside.freed, ledger.Here()))
	}
}
