package hotswap

import (
	"context"
	"fmt"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
)

// maxBuilds is how often an update that builds on the current value tries, while
// others publish in between.
const maxBuilds = 32

// RCU reads, copies and updates: build makes the next value of the current one,
// which no other update replaces in between. cur is nil if the container is empty; it
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
// ctx if this ends before a second or later build, or while RCU waits for another
// builder or a free value; [ErrOvertaken] if others have updated the container
// during each of 32 builds, since RCU has no turn before them; and [ErrClosed] if
// container or pool are closed.
//
//poolproof:lends build
//poolproof:readonly build.cur
func (c *Container[T]) RCU(ctx context.Context, build func(next, cur *T) error) error {
	c.cell.Check()
	if err := c.enter(ctx, &c.building, "RCU", "for another build"); err != nil {
		return err
	}
	defer c.leave(&c.building)
	for range maxBuilds {
		published, err := c.buildOnce(ctx, build)
		if published || err != nil {
			return err
		}
		if err := overtaken(ctx, "RCU"); err != nil {
			return err
		}
	}
	return ErrOvertaken
}

// overtaken returns an error if ctx has ended: op has built in vain, and need not
// build again.
func overtaken(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("hotswap: %s was overtaken by another update: %w", op, err)
	}
	return nil
}

// buildOnce builds once. It reports false if the current value was replaced meanwhile.
// The draft comes first: a caller that waits for a free value should hold none.
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

// enter waits until no other call is in busy, and sets it. It returns ErrClosed when
// the container is closed meanwhile.
func (c *Container[T]) enter(ctx context.Context, busy *atom.Bool, op, what string) error {
	if busy.CompareAndSwap(false, true) {
		return nil
	}
	entered := false
	err := c.pool.table.Gate.Await(ctx, c.cell.Closing(), func() bool {
		entered = busy.CompareAndSwap(false, true)
		return entered
	})
	switch {
	case err != nil:
		return c.pool.waited(op, what, err)
	case !entered:
		return ErrClosed
	}
	return nil
}

// leave lets another one into busy.
func (c *Container[T]) leave(busy *atom.Bool) {
	busy.Store(false)
	c.pool.table.Gate.Pass()
}
