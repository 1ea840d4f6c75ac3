package flow

import (
	"fmt"
	"time"
)

// Throttle lets at most n values pass in any time of the length per; the others wait.
// Item errors wait only for the values before them. It waits on the goroutine of the
// stages around it, and remembers n times. It panics if n or per is not positive.
func (s Stream[T]) Throttle(n int, per time.Duration) Stream[T] {
	s.check()
	atLeast("Throttle", "n", n, 1)
	if per <= 0 {
		panic(fmt.Sprintf("flow: Throttle: per is %v; it must be positive", per))
	}
	return Stream[T]{node: newNode("throttle", s.node).with("%d in %v", n, per), lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		o := newOut(r, down)
		g := newGate(n, per)
		values := func(in []T) error {
			for len(in) > 0 {
				now, wait := g.pass(len(in), time.Now())
				for _, v := range in[:now] {
					if err := o.add(v); err != nil {
						return err
					}
				}
				if in = in[now:]; len(in) == 0 {
					break
				}
				if err := o.send(); err != nil {
					return err
				}
				if !sleep(r.ctx, wait) {
					return r.ended()
				}
			}
			return nil
		}
		return through(s, r, o, values, o.fail)
	}}
}

// gate counts what may pass: the last n times at which something passed are kept,
// and a value may pass when the oldest of them is as old as per. So no time of that
// length sees more than n.
type gate struct {
	per  time.Duration
	last []time.Time // a ring
	next int         // the oldest
}

func newGate(n int, per time.Duration) *gate {
	return &gate{per: per, last: make([]time.Time, n)}
}

// pass returns how many of want may pass now, and marks them as passed. If these
// are not all, wait is the time after which the next one may.
func (g *gate) pass(want int, now time.Time) (passed int, wait time.Duration) {
	for passed < want {
		oldest := g.last[g.next]
		if !oldest.IsZero() && now.Sub(oldest) < g.per {
			return passed, g.per - now.Sub(oldest)
		}
		g.last[g.next] = now
		g.next = (g.next + 1) % len(g.last)
		passed++
	}
	return passed, 0
}
