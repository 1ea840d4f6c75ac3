package hotswap

import "github.com/poolproof/poolproof/hotswap/internal/slots"

// genWord is the generation of the slot that a guard is for. It has the methods
// of a lock so that go vet reports copies of the guard: a blank field of such a
// type would do so too, but would keep the guard out of registers.
type genWord struct{ n uint64 }

// Lock marks genWord for go vet.
func (*genWord) Lock() {}

// Unlock marks genWord for go vet.
func (*genWord) Unlock() {}

// Draft is a value that one writer owns, to fill and to publish. It must not be
// copied, and may be used by one goroutine at a time. The zero Draft is used up.
type Draft[T any] struct {
	value *T
	slot  *slots.Slot
	token *token // nil: not traced
	gen   genWord
}

// draft returns the guard of s, which the caller owns.
func (p *Pool[T]) draft(s *slots.Slot) Draft[T] {
	return Draft[T]{
		value: (*T)(s.Value),
		slot:  s,
		token: p.tracer.draft(s),
		gen:   genWord{s.Word().Gen()},
	}
}

// Value returns the value to fill: nil once d was published or discarded. The
// pointer must not be used after that.
func (d *Draft[T]) Value() *T { return d.value }

// end empties d, which was used.
func (d *Draft[T]) end() {
	d.token.end()
	d.value, d.slot, d.token = nil, nil, nil
}

// Discard gives the value back unpublished. The next writer gets it after Reset.
// A Draft that was used or discarded before is left alone, so it may be deferred.
//
//poolproof:owns d.value
func (d *Draft[T]) Discard() {
	if d.slot == nil {
		return
	}
	s, gen, p := d.slot, d.gen.n, (*Pool[T])(d.slot.Table().Owner)
	d.end()
	if s.Recall(gen) {
		p.discard(s)
	}
}

// discard gives s back, which the caller owns.
func (p *Pool[T]) discard(s *slots.Slot) {
	defer p.shelve(s) // also when Reset panics
	if p.options.Reset != nil && p.options.ResetOn == OnRelease {
		p.resetNow(s)
	}
}

// destroy drops the value of d: what is in it is not known.
func (p *Pool[T]) destroy(d *Draft[T]) {
	if d.slot == nil {
		return
	}
	s, gen := d.slot, d.gen.n
	d.end()
	if s.Recall(gen) {
		defer p.shelve(s)
		p.drop(s)
	}
}
