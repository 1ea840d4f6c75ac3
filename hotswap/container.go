package hotswap

import (
	"context"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
	"github.com/poolproof/poolproof/hotswap/internal/slots"
)

// Container holds the current value, for any number of readers and writers. It
// must be made by [New], is safe for concurrent use, and must not be copied: a zero
// or copied Container panics and says so. It should be closed: one that is dropped
// keeps its current value from the pool. Options.Trace reports that.
type Container[T any] struct {
	cell     slots.Cell
	pool     *Pool[T]
	building atom.Bool // an RCU is between its draft and its publication
}

// New returns an empty container for values of p. It panics if p was not made by
// NewPool.
func New[T any](p *Pool[T]) *Container[T] {
	p.check()
	c := &Container[T]{pool: p}
	c.cell.Init(p.table)
	c.cell.Traced = p.tracer != nil
	c.watch()
	return c
}

// Acquire returns a hold on the current value. It is not Ok, and need not be
// released, if the container is empty or closed. Acquire takes no lock.
//
//poolproof:gives
func (c *Container[T]) Acquire() (r Ref[T]) {
	// Written so that it is inlined, and the guard stays in registers.
	var value unsafe.Pointer
	value, r.slot, r.count, r.gen.n = c.cell.Enter()
	r.value = (*T)(value)
	return
}

// Do calls f with the current value, which f must not keep or write, and reports
// true; or false, without a call, if there is none. The hold ends with f, also by
// a panic or runtime.Goexit.
//
//poolproof:lends f
//poolproof:readonly f
func (c *Container[T]) Do(f func(*T)) bool {
	value, slot, place, gen := c.cell.Enter()
	defer slot.Leave(place, gen) // and no Ref, which would be in memory
	if value == nil {
		return false
	}
	f((*T)(value))
	return true
}

// Update publishes d: a later Acquire returns its value, and holds on the old one
// stay valid. d is used up. Update waits for other publications only.
//
// The error is ErrUsed if d was published or discarded before, ErrForeign if it
// is of another pool, ErrClosed if the container is closed; with the last two d
// still is the caller's.
//
//poolproof:owns d.value on success
func (c *Container[T]) Update(d *Draft[T]) error {
	_, err := c.publish(d, nil)
	return err
}

// UpdateIf is Update if cur holds the value that is current still, and otherwise
// returns false and leaves d the caller's. A cur that holds no value, or is nil,
// asks that the container be empty. cur stays the caller's to release.
//
//poolproof:owns d.value on success
func (c *Container[T]) UpdateIf(cur *Ref[T], d *Draft[T]) (bool, error) {
	c.cell.Check()
	only := c.pool.table.Nothing()
	if cur != nil && cur.Ok() {
		only = cur.slot // held, so it has not been published again
	}
	return c.publish(d, only)
}

// publish publishes d if only is nil or current.
func (c *Container[T]) publish(d *Draft[T], only *slots.Slot) (bool, error) {
	c.cell.Check()
	if d == nil || d.slot == nil {
		return false, ErrUsed
	}
	if d.slot.Table() != c.pool.table {
		return false, ErrForeign
	}
	c.pool.seal(d)
	switch c.cell.Publish(d.slot, d.gen.n, only) {
	case slots.Changed:
		c.pool.unseal(d.slot)
		return false, nil
	case slots.NotOwned:
		d.end()
		return false, ErrUsed
	case slots.Closed:
		c.pool.unseal(d.slot)
		return false, ErrClosed
	}
	d.end()
	c.pool.tidy(c.pool.keep, 1)
	c.pool.checkFree()
	return true, nil
}

// Clear empties the container. After Close it does nothing.
func (c *Container[T]) Clear() {
	c.cell.Clear()
	c.pool.tidy(c.pool.keep, 0)
	c.pool.checkFree()
}

// Synchronize waits until all values that were replaced before the call have no
// reader any more. A caller that holds one waits for itself. If ctx ends before,
// it returns an error that wraps that of ctx and names the holders, with Trace.
func (c *Container[T]) Synchronize(ctx context.Context) error {
	return c.drain(ctx, "Synchronize")
}

// Close empties the container for ever, at once: Acquire returns a Ref that is
// not Ok, Update returns ErrClosed. Then it waits until no value of the container
// has a reader. An idle Reader leaves with its next Load, which returns nil, or
// its Release. If ctx ends before, Close returns an error that wraps that of ctx
// and names the holders, with Trace; it may be called again.
func (c *Container[T]) Close(ctx context.Context) error {
	c.cell.Close()
	err := c.drain(ctx, "Close")
	c.pool.tidy(c.pool.keep, 0)
	c.pool.checkFree()
	return err
}

// drain waits for the readers of what was replaced so far.
func (c *Container[T]) drain(ctx context.Context, op string) error {
	pending := c.cell.Pending()
	if pending.Left() == 0 {
		return nil
	}
	err := c.pool.table.Gate.Await(ctx, nil, func() bool { return pending.Left() == 0 })
	if err != nil {
		return c.pool.waited(op, "for readers", err)
	}
	return nil
}
