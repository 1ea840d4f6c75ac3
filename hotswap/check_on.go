//go:build poolproofdebug

package hotswap

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"unsafe"
	"weak"

	"github.com/poolproof/poolproof/hotswap/internal/slots"
	"github.com/poolproof/poolproof/internal/ledger"
)

// The checked build traces all holders, and package pooltest knows of them. While
// a value is free its contents are taken aside, and a zero T is left in its place:
// a late read finds nothing, and a late write is found.

const checked = true

// delay is how many values must become free after one before it is used again; see
// claim. It is a constant but for tests of what is used again.
var delay = 8

// hidden holds the checked build's notes on the values of a pool.
type hidden[T any] struct {
	mu     sync.Mutex
	values map[*slots.Slot]aside[T]
	gets   map[*slots.Slot]ledger.Stack // where the last writer got the value
	seals  map[*slots.Slot]seal[T]      // of published values
	broken []ledger.Written             // that were found, and not reported yet
}

// aside is the contents of a free value, their sum, and where it became free.
type aside[T any] struct {
	contents *T
	sum      uint64
	freed    ledger.Stack
}

// seal is the sum of a published value, which must not be written.
type seal[T any] struct {
	value     *T
	gen       uint64
	sum       uint64
	published ledger.Stack
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
	name, container := p.options.Name, p.options.Name
	if name == "" {
		name = fmt.Sprintf("hotswap.Pool[%s]", reflect.TypeFor[T]())
		container = reflect.TypeFor[T]().String()
	}
	b.ledger = ledger.NewBook(name)
	b.containers = ledger.NewBook(ledger.Containers + container + "]")
	w := weak.Make(p)
	b.ledger.AlsoVerify(func() []ledger.Written {
		if p := w.Value(); p != nil {
			return p.late()
		}
		return nil
	})
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
	sum := sumOf(contents)
	p.hidden.mu.Lock()
	defer p.hidden.mu.Unlock()
	if p.hidden.values == nil {
		p.hidden.values = make(map[*slots.Slot]aside[T])
	}
	p.hidden.values[s] = aside[T]{contents, sum, ledger.Here()}
}

// seal notes what d's value is, which is about to be published.
func (p *Pool[T]) seal(d *Draft[T]) {
	s := seal[T]{d.value, d.gen.n, sumOf(d.value), ledger.Here()}
	p.hidden.mu.Lock()
	defer p.hidden.mu.Unlock()
	if w := d.slot.Word(); w.State() != slots.Owned || w.Gen() != d.gen.n {
		return // published or given up before
	}
	if p.hidden.seals == nil {
		p.hidden.seals = make(map[*slots.Slot]seal[T])
	}
	p.hidden.seals[d.slot] = s
}

// unseal finds whether the value of s was written since it was published. The caller
// owns s, or is the one that could not publish it.
func (p *Pool[T]) unseal(s *slots.Slot) {
	p.hidden.mu.Lock()
	defer p.hidden.mu.Unlock()
	p.compare(s)
	delete(p.hidden.seals, s)
}

// compare is a look at the seal of s.
func (p *Pool[T]) compare(s *slots.Slot) {
	is, ok := p.hidden.seals[s]
	if !ok || sumOf(is.value) == is.sum {
		return
	}
	p.hidden.broken = append(p.hidden.broken, p.found(s, is.value,
		fmt.Sprintf("hotswap: a published value (%T) was written, while it was current or read\n\nits writer got it at\n%s\npublished it at\n%s\nand the write was found at\n%s",
			is.value, p.hidden.gets[s], is.published, ledger.Here())))
	is.sum = sumOf(is.value) // found once
	p.hidden.seals[s] = is
}

// The memory of slices is for `poolproof test` to see; see kept_on.go.

func (p *Pool[T]) resetFree() {}

func renewKept[T any](*T) {}

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

// late finds the values that were written while they were free or published, and puts
// them right, so that each write is found once. It asks only values that have no
// owner: the owner of one has taken it from p.hidden first.
func (p *Pool[T]) late() (found []ledger.Written) {
	p.hidden.mu.Lock()
	defer p.hidden.mu.Unlock()
	for s, a := range p.hidden.values {
		x := (*T)(s.Value)
		if x == nil || a.contents == nil || !a.changed(x) {
			continue
		}
		clear(typed(x))
		a.sum = sumOf(a.contents)
		p.hidden.values[s] = a
		found = append(found, p.found(s, x, lateWrite(x, p.hidden.gets[s], a.freed)))
	}
	for s, is := range p.hidden.seals {
		// The owner of a later generation has taken it, or the value was dropped
		// because it was released too often.
		if s.Word().Gen() == is.gen {
			p.compare(s)
		}
	}
	found = append(found, p.hidden.broken...)
	p.hidden.broken = nil
	return found
}

// found is a write to x, the value of s.
func (p *Pool[T]) found(s *slots.Slot, x *T, says string) ledger.Written {
	return ledger.Written{Says: says, Entry: ledger.Entry{
		Pool: p.tracer.book.ledger.Name(), Addr: uintptr(unsafe.Pointer(x)), Size: int(unsafe.Sizeof(*x)), Got: p.hidden.gets[s],
	}}
}

// checkFree panics if a free or published value was written.
func (p *Pool[T]) checkFree() {
	for _, w := range p.late() {
		panic(w.Says)
	}
}

// changed reports whether x, which was emptied, is not empty, or what its contents
// refer to has changed.
func (a *aside[T]) changed(x *T) bool { return written(x) || sumOf(a.contents) != a.sum }

// written reports whether a value that was emptied is not empty.
func written[T any](x *T) bool {
	return slices.ContainsFunc(memory(x), func(b byte) bool { return b != 0 })
}

func lateWrite(x any, got, freed ledger.Stack) string {
	return fmt.Sprintf("hotswap: a free value (%T) was written, after the Release, Discard or Update that made it free\n\nits last writer got it at\n%s\nit became free at\n%s\nand the write was found at\n%s",
		x, got, freed, ledger.Here())
}

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
	wrong := aside.changed(x)
	copy(typed(x), typed(aside.contents))
	if wrong {
		panic(lateWrite(x, got, aside.freed))
	}
}
