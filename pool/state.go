package pool

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/poolproof/poolproof/internal/drain"
	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/internal/reserve"
	"github.com/poolproof/poolproof/mark"
)

// state is all of a Pool that its hot path does not touch. It does not refer to
// the Pool, which would otherwise never be collected where a state is held.
type state[T any] struct {
	rules   Options[T]
	reserve *reserve.Stack[T] // nil without Options.Reserve
	strikes *strikes          // nil without Options.DropUnderused
	uses    *useCounts        // nil below the level Uses
	book    *ledger.Book      // nil below the level Leaks, except in the checked build

	// inner holds the objects of a pool that must see each Get. Its New is nil.
	inner sync.Pool

	misses      atomic.Uint64
	fromReserve atomic.Uint64
	foreign     atomic.Uint64
	dropped     dropCounts
}

func newState[T any](r Options[T]) *state[T] {
	s := &state[T]{rules: r}
	if r.New == nil {
		s.rules.New = func() *T { return new(T) }
	}
	if r.Reserve > 0 {
		s.reserve = reserve.New[T](reserve.Limits{Items: r.Reserve})
	}
	if r.Stats >= Uses {
		s.uses = new(useCounts)
	}
	// Objects without size share one address: nothing can be known of each.
	if unsafe.Sizeof(*new(T)) > 0 {
		if r.DropUnderused {
			s.strikes = newStrikes()
		}
		if r.Stats >= Leaks || ledger.Checked {
			s.book = ledger.NewBook(s.name())
		}
	}
	return s
}

// name returns how reports call the pool.
func (s *state[T]) name() string {
	if s.rules.Name != "" {
		return s.rules.Name
	}
	return "pool.Pool[" + reflect.TypeFor[T]().String() + "]"
}

// choose sets the two doors of p, once: what a pool does not ask for is on
// neither path.
func (p *Pool[T]) choose() {
	s := p.more
	r := s.rules
	p.keep, p.reset = r.Keep, r.Reset
	p.objects.New = func() any {
		if drain.Asked() {
			return nil
		}
		return s.miss()
	}
	switch {
	case s.uses != nil:
		p.objects.New, p.put = s.seenGet, s.seenPut
	case s.strikes != nil:
		p.put = func(objects *sync.Pool, x any) {
			if v := word[T](x); s.accept(v) {
				s.store(objects, v)
			}
		}
	case r.MaxSize > 0 || s.reserve != nil:
		// What accept and store do, in one function: each call costs a tenth of
		// what the pool does.
		maxSize, size, reserve := r.MaxSize, r.Size, s.reserve
		p.put = func(objects *sync.Pool, x any) {
			v := word[T](x)
			if maxSize > 0 && size(v) > maxSize {
				s.dropped.maxSize.Add(1)
				return
			}
			if r.Keep != nil && !r.Keep(v) {
				s.dropped.keep.Add(1)
				return
			}
			if r.Reset != nil {
				r.Reset(v)
			}
			if reserve != nil && reserve.Wanted() {
				s.store(objects, v)
				return
			}
			objects.Put(x)
		}
	case r.Keep != nil:
		p.put = func(objects *sync.Pool, x any) {
			p, v := owner[T](objects), word[T](x)
			if !p.keep(v) {
				p.more.dropped.keep.Add(1)
				return
			}
			if p.reset != nil {
				p.reset(v)
			}
			objects.Put(x)
		}
	case r.Reset != nil:
		p.put = func(objects *sync.Pool, x any) {
			owner[T](objects).reset(word[T](x))
			objects.Put(x)
		}
	default:
		p.put = (*sync.Pool).Put
	}
	p.chooseChecked()
}

// owner returns the pool whose field objects is. A put that finds its rules by way
// of what it is given captures nothing, and is faster than one that looks for them
// in what it has captured.
func owner[T any](objects *sync.Pool) *Pool[T] {
	return (*Pool[T])(unsafe.Pointer(objects))
}

// objects is the first field: this does not compile otherwise.
const _ = -unsafe.Offsetof(Pool[int]{}.objects)

// word returns x, which [Pool.Put] has made of a *T, without asking whether it is
// one: an assertion to a type parameter looks the type up.
func word[T any](x any) *T {
	return (*T)((*[2]unsafe.Pointer)(unsafe.Pointer(&x))[1])
}

// miss returns an object when the sync.Pool has none.
func (s *state[T]) miss() any {
	if s.reserve != nil {
		if x, _ := s.reserve.Pop(); x != nil {
			if marked {
				mark.Get(unsafe.Pointer(x), unsafe.Sizeof(*x))
			}
			s.fromReserve.Add(1)
			return x
		}
	}
	return s.create()
}

// create makes an object.
func (s *state[T]) create() *T {
	x := s.rules.New()
	if x == nil {
		panic("pool: Options.New returned nil")
	}
	s.misses.Add(1)
	if s.strikes != nil {
		// What was known at this address was known of an object that is gone.
		s.strikes.clear(address(x))
	}
	return x
}

// accept asks the rules whether to keep x, and cleans it if so.
func (s *state[T]) accept(x *T) bool {
	r := &s.rules
	if r.MaxSize > 0 || s.strikes != nil {
		size := r.Size(x)
		if r.MaxSize > 0 && size > r.MaxSize {
			s.dropped.maxSize.Add(1)
			return false
		}
		if s.strikes != nil && !s.usedWell(x, size) {
			s.dropped.underused.Add(1)
			return false
		}
	}
	if r.Keep != nil && !r.Keep(x) {
		s.dropped.keep.Add(1)
		return false
	}
	if r.Reset != nil {
		r.Reset(x)
	}
	return true
}

// store keeps x, which was accepted: in the reserve if that wants one.
func (s *state[T]) store(objects *sync.Pool, x *T) {
	if s.reserve != nil && s.reserve.Wanted() {
		size := 0
		if s.rules.Size != nil {
			size = s.rules.Size(x)
		}
		if marked { // before it waits, where others may take it
			mark.Put(unsafe.Pointer(x), unsafe.Sizeof(*x))
		}
		if s.reserve.Push(x, size) {
			return
		}
		if marked {
			mark.Get(unsafe.Pointer(x), unsafe.Sizeof(*x))
		}
	}
	objects.Put(x)
}

// seenGet is objects.New of a pool that must see each Get.
func (s *state[T]) seenGet() any {
	v := s.inner.Get()
	if v == nil {
		v = s.miss()
	}
	x := v.(*T)
	if s.book != nil {
		s.book.Out(unsafe.Pointer(x), int(unsafe.Sizeof(*x)), nil)
	}
	s.uses.get(address(x))
	return v
}

// seenPut is Put of such a pool.
func (s *state[T]) seenPut(_ *sync.Pool, v any) {
	x := v.(*T)
	s.uses.put(address(x))
	if s.book != nil {
		switch origin, _ := s.book.In(unsafe.Pointer(x), int(unsafe.Sizeof(*x)), nil); origin {
		case ledger.Foreign:
			s.foreign.Add(1)
		case ledger.Twice:
			s.dropped.twice.Add(1)
			return
		}
	}
	if s.accept(x) {
		s.store(&s.inner, x)
	}
}

// abandon drops x, whose owner did not come to put it.
func (s *state[T]) abandon(x *T) {
	s.dropped.abandoned.Add(1)
	if s.book != nil {
		s.book.In(unsafe.Pointer(x), int(unsafe.Sizeof(*x)), ledger.Here())
	}
}

// usedWell applies Options.DropUnderused to x, which is size bytes large.
func (s *state[T]) usedWell(x *T, size int) bool {
	if size <= alwaysKept || s.rules.Used(x) >= size/4 {
		s.strikes.clear(address(x))
		return true
	}
	return !s.strikes.add(address(x))
}
