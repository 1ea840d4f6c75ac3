package hotswap

import "github.com/poolproof/poolproof/hotswap/internal/slots"

// Ref is a hold on a published value. The value does not change, and its memory
// is not used again, until Release. A Ref is a value of four words that is
// neither allocated nor shared: one goroutine at a time may use it, and it must
// not be copied (go vet reports most copies). Clone makes another one for
// another goroutine, Move hands it on.
//
// The zero Ref holds nothing.
type Ref[T any] struct {
	// Four fields of a word each: the compiler keeps such a struct in registers,
	// and a larger one not.
	value *T
	slot  *slots.Slot
	count *slots.Place // where the hold is counted; traced: in its token
	gen   genWord      // of slot; the highest bit: traced
}

// Value returns the value, which must not be written: nil if r holds none,
// because its container was empty or closed, or after Release and Move. What it
// points to must not be used after Release.
//
//poolproof:readonly
func (r *Ref[T]) Value() *T { return r.value }

// Ok reports whether r holds a value.
func (r *Ref[T]) Ok() bool { return r.slot != nil && !r.slot.Fixed() }

// Generation returns which publication of its container the value is: it rises
// by at least one from each to the next. It is 0 if r holds no value.
func (r *Ref[T]) Generation() uint64 {
	if r.slot == nil {
		return 0
	}
	return r.slot.Number
}

// Release ends the hold. The second Release of one variable does nothing, so it
// may be deferred and called early. A second Release of a hold by way of a copy
// panics, if others do not happen to hold the same value in the same shard; then
// the Release of one of these panics. With Options.Trace it is the guilty one.
//
// The last Release of a value that was replaced hands its memory to the next
// writer. It does not clean it (but see OnRelease).
//
//poolproof:owns r.value
func (r *Ref[T]) Release() {
	// Written so that it is inlined. Leave does nothing without a slot; what count
	// and gen are then does not matter.
	s := r.slot
	r.value, r.slot = nil, nil
	s.Leave(r.count, r.gen.n)
}

// Clone returns another hold on the same value, to be released on its own. If r
// holds nothing, so does the clone.
//
//poolproof:gives
func (r *Ref[T]) Clone() Ref[T] {
	if r.slot == nil {
		return Ref[T]{}
	}
	if traced(r.gen.n) {
		return tracedClone(r)
	}
	r.slot.Again(r.count, r.gen.n)
	return Ref[T]{value: r.value, slot: r.slot, count: r.count, gen: genWord{r.gen.n}}
}

// Move returns the hold, which is r's no more: to put it into a struct, or to
// hand it to another goroutine in one that is sent by pointer.
//
//poolproof:gives
func (r *Ref[T]) Move() Ref[T] {
	value, slot, count, gen := r.value, r.slot, r.count, r.gen.n
	r.value, r.slot, r.count = nil, nil, nil
	return Ref[T]{value: value, slot: slot, count: count, gen: genWord{gen}}
}

// Map turns a hold on a value into a hold on a part of it, or on anything that
// is reached from it: f returns that. The hold moves, so r holds nothing after
// that, but if f panics it is unchanged. Without a value f is not called, and the
// result has none either; f may return nil.
//
//poolproof:gives
func Map[T, U any](r *Ref[T], f func(*T) *U) Ref[U] {
	var part *U
	if r.value != nil {
		part = f(r.value)
	}
	slot, count, gen := r.slot, r.count, r.gen.n
	r.value, r.slot, r.count = nil, nil, nil
	return Ref[U]{value: part, slot: slot, count: count, gen: genWord{gen}}
}

// tracedClone is Clone of a traced Ref.
func tracedClone[T any](r *Ref[T]) Ref[T] {
	k := tokenOf(r.count)
	k.mustHold("Clone")
	r.slot.Again(k.count, k.gen)
	clone := k.tracer.hold(kindRef, r.slot.Number)
	clone.count, clone.gen = k.count, k.gen
	return Ref[T]{value: r.value, slot: r.slot, count: &clone.hook, gen: genWord{r.gen.n}}
}
