package hotswap

import (
	"context"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
	"github.com/poolproof/poolproof/hotswap/internal/slots"
)

// Delta updates a large value by small changes, in time that grows with the
// change and not with the value. It keeps the last changes, and brings a free
// value, which is a few publications old, up to date by those that it has
// missed. Readers are not disturbed.
//
// It must be made by NewDelta, is safe for concurrent use, and must not be copied:
// a zero or copied Delta panics and says so.
type Delta[T, D any] struct {
	self      *Delta[T, D] // this one, which neither a zero nor a copied Delta has
	container *Container[T]
	apply     func(*T, D)
	clone     func(dst, src *T)

	updating atom.Bool // an Update is at work; what follows is its own
	// now is the version that was published last: the number of changes so far.
	// log is the last changes; log[len(log)-1] leads to now.
	now uint64
	log []D
	// known are the values that this Delta has published and that no other writer has
	// owned since, with their versions, in that order.
	known []version
	last  *slots.Slot // where now is
	gen   uint64      // of last
}

// version is a value that holds version n. It is in the slot in generation gen
// as long as it is current or read, and in the one after that when it is free.
type version struct {
	slot *slots.Slot
	gen  uint64
	n    uint64
}

// maxLog bounds the log of a Delta. A value that lacks more changes is cloned.
const maxLog = 1024

// NewDelta returns a Delta that updates c.
//
// apply makes the change d in x. It is called once for each value, so several
// times for one d: it must depend on nothing but its arguments (no clock, random
// number, or order of a map), must not change d, and must not store a part of d
// in x that is later changed there. If it panics, so does Update; the value is
// dropped and nothing is published.
//
// clone makes dst equal to src, whatever dst holds: a new value or any used one,
// which Options.Reset has seen or not. It is called when there is no free value of a known version: at
// first, after another update of the container, or when readers held the values
// for long. The two must share nothing that apply changes.
//
// It panics if apply or clone is nil, if c was not made by New, and if its Pool
// resets values OnRelease: an Update would then clone the whole value each time.
//
//poolproof:lends apply.x, clone
//poolproof:readonly clone.src
func NewDelta[T, D any](c *Container[T], apply func(x *T, d D), clone func(dst, src *T)) *Delta[T, D] {
	switch {
	case c == nil:
		panic("hotswap: NewDelta of a nil Container")
	case apply == nil:
		panic("hotswap: NewDelta without apply")
	case clone == nil:
		panic("hotswap: NewDelta without clone")
	}
	c.cell.Check()
	if o := &c.pool.options; o.Reset != nil && o.ResetOn == OnRelease {
		panic("hotswap: NewDelta of a Container whose Pool has a Reset and ResetOn: OnRelease: no free value would hold a known version, so that each Update cloned the whole value; use OnGet, or no Reset, for a Delta")
	}
	x := &Delta[T, D]{container: c, apply: apply, clone: clone}
	x.self = x
	return x
}

// check panics if x is nil, zero or a copy, whose log would be that of its
// original.
func (x *Delta[T, D]) check() {
	switch {
	case x == nil || x.self == nil:
		panic("hotswap: use of a Delta that was not made by NewDelta")
	case x.self != x:
		panic("hotswap: use of a copied Delta; use a pointer to it")
	}
}

// Update publishes the current value changed by d. It keeps d until no free or
// held value lacks it, so d must not be changed by the caller. In an empty
// container the change is made in a new value. Update waits for other Updates of
// x, and for a free value as [Pool.Get] does. It returns [ErrClosed] if container
// or pool are closed, and [ErrOvertaken] if others have updated the container,
// not by x, during each of 32 attempts; then d is not kept.
//
// Options.Reset is not called for values that are brought up to date.
func (x *Delta[T, D]) Update(d D) error { return x.UpdateContext(context.Background(), d) }

// UpdateContext is [Delta.Update] that returns an error when ctx ends while it
// waits, or after it was overtaken by another update. The error wraps that of ctx
// and says what the values are used for.
func (x *Delta[T, D]) UpdateContext(ctx context.Context, d D) error {
	x.check()
	const op = "Update of a Delta"
	if err := x.container.enter(ctx, &x.updating, op, "for another one"); err != nil {
		return err
	}
	defer x.container.leave(&x.updating)
	for range maxBuilds {
		published, err := x.try(ctx, op, d)
		if published || err != nil {
			return err
		}
		if err := overtaken(ctx, op); err != nil {
			return err
		}
	}
	return ErrOvertaken
}

// try reports false if the container was updated by another writer meanwhile.
func (x *Delta[T, D]) try(ctx context.Context, op string, d D) (bool, error) {
	c := x.container
	next, known, err := x.draft(ctx, op)
	if err != nil {
		return false, err
	}
	whole := false
	defer func() {
		if whole {
			next.Discard()
		} else {
			c.pool.destroy(&next) // apply or clone has panicked in the middle
		}
	}()

	cur := c.Acquire()
	defer cur.Release()
	switch {
	case cur.slot == c.pool.table.Never():
		whole = true
		return false, ErrClosed
	case !cur.Ok():
		x.restart()
		c.pool.renew(next.slot)
		next.value = (*T)(next.slot.Value)
	case !x.isLast(&cur):
		x.restart()
		x.clone(next.value, cur.value)
	case known == unknown:
		x.clone(next.value, cur.value)
	default:
		for _, missed := range x.log[len(x.log)-int(x.now-known):] {
			x.apply(next.value, missed)
		}
	}
	x.apply(next.value, d)
	whole = true

	slot, gen := next.slot, next.gen.n
	if published, err := c.UpdateIf(&cur, &next); !published {
		return false, err
	}
	x.record(slot, gen, d)
	return true, nil
}

// isLast reports whether x published cur last.
func (x *Delta[T, D]) isLast(cur *Ref[T]) bool {
	return cur.slot == x.last && cur.slot.Word().Gen() == x.gen
}

// restart forgets all versions: what is current is not of this lineage.
func (x *Delta[T, D]) restart() {
	clear(x.log)
	x.log, x.known = x.log[:0], x.known[:0]
}

// unknown is no version.
const unknown = ^uint64(0)

// draft returns a free value and its version: the newest one that is known, or
// any other.
func (x *Delta[T, D]) draft(ctx context.Context, op string) (next Draft[T], n uint64, err error) {
	p := x.container.pool
	if p.closed.Load() {
		return Draft[T]{}, 0, ErrClosed
	}
	for i := len(x.known) - 1; i >= 0; i-- {
		if delay > 0 {
			break // it would be used again at once
		}
		v := x.known[i]
		if x.now-v.n > uint64(len(x.log)) || !v.slot.ClaimAt(v.gen+1) {
			continue
		}
		if !p.reuse(v.slot) { // Reset has run on release
			p.prepare(v.slot)
			return p.draft(v.slot), unknown, nil
		}
		return p.draft(v.slot), v.n, nil
	}
	s, err := p.take(ctx, x.container.cell.Closing(), op)
	if err != nil {
		return Draft[T]{}, 0, err
	}
	return p.draft(s), unknown, nil
}

// record notes that d was published in that slot, and forgets what is not needed
// any more.
func (x *Delta[T, D]) record(slot *slots.Slot, gen uint64, d D) {
	x.now++
	x.log = append(x.log, d)
	x.last, x.gen = slot, gen
	oldest := x.now
	kept := x.known[:0]
	for _, v := range x.known {
		// Still current or read, or free or about to be, and not used since.
		if x.now-v.n > maxLog {
			continue // it would be cloned: the log, of maxLog changes at most, need not reach so far
		}
		w := v.slot.Word()
		if w.Gen() == v.gen || w.Gen() == v.gen+1 && w.State() != slots.Empty {
			kept = append(kept, v)
			oldest = min(oldest, v.n)
		}
	}
	x.known = append(kept, version{slot, gen, x.now})
	need := int(x.now - oldest)
	if excess := len(x.log) - need; excess > 0 {
		copy(x.log, x.log[excess:])
		clear(x.log[need:])
		x.log = x.log[:need]
	}
}
