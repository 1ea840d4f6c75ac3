package hotswap

import (
	"context"
)

// RCU reads, copies and updates: build makes the next value of the current one,
// which nobody else replaces in between. cur is nil if the container is empty; it
// must not be written, and neither next nor cur kept. Only one build runs at a
// time in a container; the others wait. With Options.Reset nil, next holds an
// older value, else it is reset.
//
// build must not call RCU of the same container: it would wait for itself.
//
// If an Update or Clear comes between, build is called again, with the new
// current value, and with a draft that was reset, or as it is without a Reset.
//
// An error of build is returned as it is, and nothing is published; so too after
// a panic of build or runtime.Goexit. RCU returns an error that wraps that of
// ctx if this ends while RCU waits for another build or a free value, and
// ErrClosed if container or pool are closed.
func (c *Container[T]) RCU(ctx context.Context, build func(next, cur *T) error) error {
	c.cell.Check()
	if err := c.enterBuild(ctx); err != nil {
		return err
	}
	defer c.leaveBuild()
	for {
		published, err := c.buildOnce(ctx, build)
		if published || err != nil {
			return err
		}
	}
}

// buildOnce builds once. It reports false if the current value was replaced meanwhile.
// The draft comes first: who waits for a free value should not hold one.
func (c *Container[T]) buildOnce(ctx context.Context, build func(next, cur *T) error) (published bool, err error) {
	s, err := c.pool.take(ctx, c.cell.Closing(), "RCU")
	if err != nil {
		return false, err
	}
	next := c.pool.draft(s)
	defer next.Discard()
	cur := c.Acquire()
	defer cur.Release()
	if cur.slot == c.pool.table.Never() {
		return false, ErrClosed
	}
	if err := build(next.Value(), cur.Value()); err != nil {
		return false, err
	}
	return c.UpdateIf(&cur, &next)
}

// enterBuild waits for its turn among the builders.
func (c *Container[T]) enterBuild(ctx context.Context) error {
	if c.building.CompareAndSwap(false, true) {
		return nil
	}
	entered := false
	err := c.pool.table.Gate.Await(ctx, c.cell.Closing(), func() bool {
		entered = c.building.CompareAndSwap(false, true)
		return entered
	})
	switch {
	case err != nil:
		return c.pool.waited("RCU", "for another build", err)
	case !entered:
		return ErrClosed
	}
	return nil
}

// leaveBuild lets another builder in.
func (c *Container[T]) leaveBuild() {
	c.building.Store(false)
	c.pool.table.Gate.Pass()
}
