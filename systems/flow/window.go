package flow

import (
	"cmp"
	"fmt"
	"time"
)

// Batch returns the values of s in groups of n; the last group may have fewer. Each
// group is a new slice, the caller's to keep. An item error passes on at once, so
// before the group that its neighbours are in: of 1, 2, an error, 3, 4 in groups of three
// come the error, [1 2 3] and [4]. An error does not make a group shorter. The values
// before a fatal error of a source come as a last group. It panics if n is not positive.
func Batch[T any](s Stream[T], n int) Stream[[]T] {
	s.check()
	atLeast("Batch", "n", n, 1)
	s.mayCross("Batch")
	return Stream[[]T]{node: newNode("batch", s.node).with("of %d", n), run: func(r *run, down func(*batch[[]T]) error) error {
		g := &grouping[T]{o: newOut(r, down), n: n, own: s.own}
		err := through(s, r, g.o, g.values, g.o.fail)
		if g.o.broken || r.ended() != nil {
			return err
		}
		return cmp.Or(g.end(), err) // what came before a fatal error is not lost
	}}
}

// grouping is one run of Batch or Window.
type grouping[T any] struct {
	o     *out[[]T]
	n     int
	own   func([]T)
	group []T  // nil if empty
	began bool // set with the first value of a group
}

// values appends values to groups.
func (g *grouping[T]) values(in []T) error {
	for len(in) > 0 {
		if g.group == nil {
			g.group = make([]T, 0, min(g.n, max(len(in), 16)))
			g.began = true
		}
		n := min(len(in), g.n-len(g.group))
		from := len(g.group)
		g.group = append(g.group, in[:n]...)
		if g.own != nil {
			g.own(g.group[from:])
		}
		in = in[n:]
		if len(g.group) == g.n {
			if err := g.cut(); err != nil {
				return err
			}
		}
	}
	return nil
}

// cut ends the group.
func (g *grouping[T]) cut() error {
	group := g.group
	g.group = nil
	return g.o.add(group)
}

// end sends the last group.
func (g *grouping[T]) end() error {
	if len(g.group) > 0 {
		if err := g.cut(); err != nil {
			return err
		}
	}
	return g.o.send()
}

// Window is [Batch] with a limit to how long a group may wait: it is sent when it
// has n values, or when its first one is as old as wait. So it has a goroutine for
// the stages before it, and holds no memory while nothing comes. It panics if n or
// wait is not positive.
func Window[T any](s Stream[T], n int, wait time.Duration) Stream[[]T] {
	s.check()
	atLeast("Window", "n", n, 1)
	s.mayCross("Window")
	if wait <= 0 {
		panic(fmt.Sprintf("flow: Window: wait is %v; it must be positive", wait))
	}
	const depth = 2
	node := newNode("window", s.node).with("of %d or %v", n, wait).across()
	return Stream[[]T]{node: node, run: func(r *run, down func(*batch[[]T]) error) error {
		b := newBoundary(r, depth, 1, s.own)
		node.queue(r, func() (int, int) { return len(b.full), depth })
		b.produce(s)
		defer b.close()
		g := &grouping[T]{o: newOut(r, down), n: n}
		timer := time.NewTimer(wait)
		timer.Stop()
		defer timer.Stop()
		for {
			select {
			case in, open := <-b.full:
				if !open {
					if err := g.end(); err != nil {
						return err
					}
					return b.fatal()
				}
				err := in.walk(g.values, g.o.fail)
				b.recycle(in)
				if err == nil {
					err = g.o.send()
				}
				if err != nil {
					return err
				}
				switch {
				case g.group == nil:
					timer.Stop()
				case g.began: // with this batch
					timer.Reset(wait)
				}
				g.began = false
			case <-timer.C:
				if err := g.end(); err != nil {
					return err
				}
			}
		}
	}}
}
