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

// The checked build traces all holders, and package pooltest knows of them. While a value is free it takes its
// contents aside and leaves a zero T in its place: who still reads it finds
// nothing, and who writes it is found.

const checked = true

// hidden is the contents of free values.
type hidden[T any] struct {
	mu     sync.Mutex
	values map[*slots.Slot]*T
}

// memory returns the bytes of x itself.
func memory[T any](x *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))
}

// book lists the tokens of all guards that hold something as objects that are out.
type book struct{ ledger *ledger.Book }

func (b book) out(k *token) {
	b.ledger.Out(unsafe.Pointer(k), int(unsafe.Sizeof(*k)), k.record.stack)
}

func (b book) in(k *token) {
	b.ledger.In(unsafe.Pointer(k), int(unsafe.Sizeof(*k)), callers())
}

// enlist opens the book of p, for as long as p is in use.
func (p *Pool[T]) enlist() {
	p.tracer.book.ledger = ledger.NewBook(fmt.Sprintf("hotswap.Pool[%s]", reflect.TypeFor[T]()))
	runtime.AddCleanup(p, (*ledger.Book).Close, p.tracer.book.ledger)
}

// hide takes the contents of s's value aside, if it has one. The caller owns s.
func (p *Pool[T]) hide(s *slots.Slot) {
	if s.Value == nil {
		return
	}
	x, aside := (*T)(s.Value), new(T)
	copy(typed(aside), typed(x))
	clear(typed(x))
	p.hidden.mu.Lock()
	defer p.hidden.mu.Unlock()
	if p.hidden.values == nil {
		p.hidden.values = make(map[*slots.Slot]*T)
	}
	p.hidden.values[s] = aside
}

// typed returns x as a slice, so that a T with a lock in it can be moved.
func typed[T any](x *T) []T { return unsafe.Slice(x, 1) }

// reveal puts the contents of s's value back. It panics if the value was written
// while it was free. The caller owns s.
func (p *Pool[T]) reveal(s *slots.Slot) {
	p.hidden.mu.Lock()
	aside := p.hidden.values[s]
	delete(p.hidden.values, s)
	p.hidden.mu.Unlock()
	if s.Value == nil || aside == nil {
		return
	}
	x := (*T)(s.Value)
	written := slices.ContainsFunc(memory(x), func(b byte) bool { return b != 0 })
	copy(typed(x), typed(aside))
	if written {
		panic(fmt.Sprintf("hotswap: a free value (%T) was written: somebody used it after Release, Discard or Update", x))
	}
}
