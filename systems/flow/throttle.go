package flow

import (
	"fmt"
	"slices"
	"time"
)

// Throttle lets at most n values pass in any time of the length per; the others wait.
// Item errors wait only for the values before them. It waits on the goroutine of the
// stages around it. It panics if n or per is not positive.
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

// gate counts what may pass: it keeps what has passed within the time per, as bursts that
// passed at one time. So no time of that length sees more than n, and what it keeps is no
// more than what came.
type gate struct {
	n    int
	per  time.Duration
	last []burst // those before first are as old as per
	// first is the oldest burst that counts, and held what has passed with it and after.
	first, held int
}

type burst struct {
	at time.Time
	n  int
}

func newGate(n int, per time.Duration) *gate { return &gate{n: n, per: per} }

// pass returns how many of want may pass now, and marks them as passed. If these
// are not all, wait is the time after which the next one may.
func (g *gate) pass(want int, now time.Time) (passed int, wait time.Duration) {
	for ; g.first < len(g.last) && now.Sub(g.last[g.first].at) >= g.per; g.first++ {
		g.held -= g.last[g.first].n
	}
	if g.first > len(g.last)/2 {
		g.last = slices.Delete(g.last, 0, g.first)
		g.first = 0
	}
	if passed = min(want, g.n-g.held); passed > 0 {
		g.last = append(g.last, burst{now, passed})
		g.held += passed
	}
	if passed < want {
		wait = g.per - now.Sub(g.last[g.first].at)
	}
	return passed, wait
}
