package flow

import (
	"fmt"
	"time"
)

// Group is values of one key.
type Group[K comparable, T any] struct {
	Key    K
	Values []T
}

// WindowBy is [Window] for each key apart: the values of a key are sent as a [Group] when
// there are n, or when the first of them is as old as wait. It holds the values of all keys
// that came within wait, at most n of each, and forgets a key with its group. Groups come in
// the order in which they are complete; at the end, or before a fatal error, those that are
// left come in the order in which they began. An item error passes on at once. If key
// panics, the [PanicError] takes the place of the value. It panics if n or wait is not
// positive.
//
// For groups of a whole stream use [MapReduce], or a map in [Stream.Each].
func WindowBy[K comparable, T any](s Stream[T], key func(T) K, n int, wait time.Duration) Stream[Group[K, T]] {
	return windowBy("window", "WindowBy", "wait", s, key, n, wait, false)
}

// Sessions is [WindowBy] whose groups end after a pause: the values of a key are sent as a
// [Group] when none has come for the time gap, or when there are n. A value's time is when
// it arrives at this stage. It panics if n or gap is not positive.
func Sessions[K comparable, T any](s Stream[T], key func(T) K, n int, gap time.Duration) Stream[Group[K, T]] {
	return windowBy("sessions", "Sessions", "gap", s, key, n, gap, true)
}

func windowBy[K comparable, T any](kind, name, limit string, s Stream[T], key func(T) K, n int, wait time.Duration, pause bool) Stream[Group[K, T]] {
	s.check()
	need(name, "key", key == nil)
	atLeast(name, "n", n, 1)
	s.mayCross(name)
	if wait <= 0 {
		panic(fmt.Sprintf("flow: %s: %s is %v; it must be positive", name, limit, wait))
	}
	const depth = 2
	node := newNode(kind, s.node).with("of %d or %v by key", n, wait).of(key).across()
	return Stream[Group[K, T]]{node: node, run: func(r *run, down func(*batch[Group[K, T]]) error) error {
		b := newBoundary(r, depth, 1, s.own)
		node.queue(r, func() (int, int) { return len(b.full), depth })
		b.produce(s)
		defer b.close()
		g := &keying[K, T]{o: newOut(r, down), key: key, n: n, pause: pause, open: make(map[K]*keyed[K, T])}
		timer := time.NewTimer(wait)
		timer.Stop()
		defer timer.Stop()
		for {
			select {
			case in, more := <-b.full:
				if !more {
					if err := g.before(time.Time{}); err != nil {
						return err
					}
					return b.fatal()
				}
				g.now = time.Now()
				err := g.before(g.now.Add(-wait)) // whose time is over does not get what comes now
				if err == nil {
					err = g.o.begin(in.items())
				}
				if err == nil {
					err = in.walk(g.values, g.o.fail)
				}
				b.recycle(in)
				if err == nil {
					err = g.o.send()
				}
				if err != nil {
					return err
				}
			case <-timer.C:
				if err := g.before(time.Now().Add(-wait)); err != nil {
					return err
				}
			}
			if g.first != nil {
				timer.Reset(time.Until(g.first.since.Add(wait)))
			} else {
				timer.Stop()
			}
		}
	}}
}

// keying is one run of WindowBy or Sessions. Its groups are a list in the order of the
// times from which they wait, so that the first is the next whose time is over.
type keying[K comparable, T any] struct {
	o           *out[Group[K, T]]
	key         func(T) K
	n           int
	pause       bool // a group waits from its last value on, not from its first
	now         time.Time
	open        map[K]*keyed[K, T]
	first, last *keyed[K, T]
}

// keyed is a group that is not complete.
type keyed[K comparable, T any] struct {
	group      Group[K, T]
	since      time.Time // from which it waits
	prev, next *keyed[K, T]
}

func (g *keying[K, T]) values(in []T) error {
	for i := range in {
		var k K
		if err := protect(func() error { k = g.key(in[i]); return nil }); err != nil {
			if err := g.o.fail(err); err != nil {
				return err
			}
			continue
		}
		at := g.open[k]
		if at == nil {
			if k != k { // NaN: a map could never find it
				if err := g.o.add(Group[K, T]{k, []T{in[i]}}); err != nil {
					return err
				}
				continue
			}
			at = &keyed[K, T]{group: Group[K, T]{Key: k}}
			g.open[k] = at
			g.wait(at)
		} else if g.pause {
			g.unlink(at)
			g.wait(at)
		}
		at.group.Values = append(at.group.Values, in[i])
		if len(at.group.Values) == g.n {
			if err := g.cut(at); err != nil {
				return err
			}
		}
		if err := g.o.attend(); err != nil { // key may be slow
			return err
		}
	}
	return nil
}

// wait makes a group the last one that waits, from now on.
func (g *keying[K, T]) wait(at *keyed[K, T]) {
	at.since, at.prev, at.next = g.now, g.last, nil
	if g.last == nil {
		g.first = at
	} else {
		g.last.next = at
	}
	g.last = at
}

// unlink takes a group out of those that wait.
func (g *keying[K, T]) unlink(at *keyed[K, T]) {
	if at.prev == nil {
		g.first = at.next
	} else {
		at.prev.next = at.next
	}
	if at.next == nil {
		g.last = at.prev
	} else {
		at.next.prev = at.prev
	}
}

// cut ends a group.
func (g *keying[K, T]) cut(at *keyed[K, T]) error {
	delete(g.open, at.group.Key)
	g.unlink(at)
	return g.o.add(at.group)
}

// before ends the groups that wait from t or before; all if t is zero.
func (g *keying[K, T]) before(t time.Time) error {
	for g.first != nil && (t.IsZero() || !g.first.since.After(t)) {
		if err := g.cut(g.first); err != nil {
			return err
		}
	}
	return g.o.send()
}
