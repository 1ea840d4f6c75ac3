//go:build poolproofexplore

package explore_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/hotswap/internal/atom"
	"github.com/poolproof/poolproof/hotswap/internal/explore"
)

// scenario is explored with up to bound preemptions.
type scenario struct {
	name   string
	bound  int
	create func() explore.Scenario
}

// scenarios run the source of package hotswap and of what is below it.
var scenarios = []scenario{
	{"two readers and two updates", 3, func() explore.Scenario {
		w := newWorld(2, hotswap.Options[value]{})
		return alike(2, w.scenario(w.read, w.read, times(2, w.update)))
	}},
	{"three readers and an update", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{})
		return alike(3, w.scenario(w.read, w.read, w.read, w.update))
	}},
	{"two places in a shard", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{})
		atom.Places = 2
		return alike(2, w.scenario(w.read, w.read, times(2, w.update)))
	}},
	{"one reader twice and three updates", 3, func() explore.Scenario {
		w := newWorld(2, hotswap.Options[value]{})
		return w.scenario(times(2, w.read), times(3, w.update))
	}},
	{"one reader and two updates", 5, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{})
		return w.scenario(w.read, times(2, w.update))
	}},
	{"reset on release", 3, func() explore.Scenario {
		w := newWorld(2, hotswap.Options[value]{Reset: reset, ResetOn: hotswap.OnRelease})
		return alike(2, w.scenario(w.readAny, w.readAny, w.update))
	}},
	{"a clone outlives its original", 3, func() explore.Scenario {
		w := newWorld(2, hotswap.Options[value]{})
		return w.scenario(w.readClone, w.read, w.update)
	}},
	{"a Reader", 4, func() explore.Scenario {
		w := newWorld(2, hotswap.Options[value]{})
		return w.scenario(w.reader(2), times(2, w.update))
	}},
	{"two writers", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{})
		return alike(2, w.scenario(w.update, w.update, w.readAny))
	}},
	{"two writers wait for one free value", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{MaxLive: 2})
		return alike(2, w.scenario(w.update, w.update, w.readAny))
	}},
	{"two writers, twice, wait for one free value", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{MaxLive: 2})
		return alike(2, w.scenario(times(2, w.update), times(2, w.update)))
	}},
	{"a slot moves to another container", 4, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{MaxLive: 3})
		w.other = hotswap.New(w.p)
		w.updateOf(w.other)
		return w.scenario(w.readAny, func() {
			w.update()
			w.updateOf(w.other)
			w.update()
		})
	}},
	{"one draft in two containers", 3, oneDraftTwice},
	{"one hold is released twice", 3, func() explore.Scenario {
		return oneHoldTwice(func(w *world) []func() { return []func(){times(2, w.update)} })
	}},
	{"a second release beside a reader", 2, func() explore.Scenario {
		return oneHoldTwice(func(w *world) []func() {
			// It does not look at the value: its hold may be the one that ends.
			return []func(){func() { r := w.c.Acquire(); r.Release() }, w.update}
		})
	}},
	{"Synchronize", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{})
		return w.scenario(w.readAny, w.update, func() {
			r := w.c.Acquire()
			before, version := r.Value(), r.Value().version
			r.Release()
			w.update()
			must(w.c.Synchronize(context.Background()))
			if before.version == version && before.readers != 0 {
				panic(fmt.Sprintf("version %d has %d readers after Synchronize", version, before.readers))
			}
		})
	}},
	{"Close", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{})
		return w.scenario(w.readAny, func() {
			d := w.p.Get()
			w.write(d.Value())
			if err := w.c.Update(&d); err != nil {
				if !errors.Is(err, hotswap.ErrClosed) {
					panic(err)
				}
				d.Discard()
			}
		}, func() {
			must(w.c.Close(context.Background()))
			if s := w.p.Stats(); s.Live != 0 || s.Retired != 0 {
				panic(fmt.Sprintf("after Close %d values are current and %d retired", s.Live, s.Retired))
			}
			r := w.c.Acquire()
			if r.Ok() {
				panic("a closed container has a value")
			}
			r.Release()
		})
	}},
	{"Close of a Pool", 5, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{})
		w.c.Clear()
		closed := false
		return w.scenario(func() {
			before := closed
			d, err := w.p.TryGet()
			if err != nil {
				return
			}
			if closed || before {
				panic("a draft was got, and Close has returned")
			}
			w.write(d.Value())
			d.Discard()
		}, func() {
			must(w.p.Close(context.Background()))
			closed = true
			if w.dropped != w.made {
				panic(fmt.Sprintf("after Close %d of %d values are dropped", w.dropped, w.made))
			}
		})
	}},
	{"RCU", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{MaxLive: 3})
		rcu := func() { must(w.c.RCU(context.Background(), w.increment)) }
		s := alike(2, w.scenario(rcu, rcu, w.readAny))
		s.End = func() error {
			if n := w.sum(); n != 2 {
				return fmt.Errorf("two increments made %d", n)
			}
			return w.settled()
		}
		return s
	}},
	{"RCU and an update", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{})
		s := w.scenario(func() { must(w.c.RCU(context.Background(), w.increment)) }, func() {
			d := w.p.Get()
			w.write(d.Value())
			d.Value().sum = 100
			must(w.c.Update(&d))
		})
		s.End = func() error {
			if n := w.sum(); n != 100 && n != 101 {
				return fmt.Errorf("the sum is %d; want 100, or 101 if it was incremented after that", n)
			}
			return w.settled()
		}
		return s
	}},
	{"RCU and Close", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{MaxLive: 2})
		d := w.p.Get() // now nobody gets a value
		return w.scenario(func() {
			if err := w.c.RCU(context.Background(), w.increment); err != nil && err != hotswap.ErrClosed {
				panic(err)
			}
		}, w.readAny, func() {
			must(w.c.Close(context.Background()))
			d.Discard()
		})
	}},
	{"Delta and another writer", 3, func() explore.Scenario {
		w := newWorld(1, hotswap.Options[value]{Keep: 2})
		d := hotswap.NewDelta(w.c, func(x *value, d int) {
			used(x)
			x.writer = true
			explore.Point()
			x.sum += d
			x.writer = false
		}, func(dst, src *value) {
			used(dst)
			dst.writer = true
			hold(src)
			dst.sum = src.sum
			dst.writer = false
		})
		must(d.Update(1))
		s := w.scenario(w.readAny, times(2, func() { must(d.Update(1)) }), func() {
			d := w.p.Get()
			w.write(d.Value())
			d.Value().sum = 100
			must(w.c.Update(&d))
		})
		s.End = func() error {
			if n := w.sum(); n < 100 || n > 102 {
				return fmt.Errorf("the sum is %d; want 100 and what was added after that", n)
			}
			return w.settled()
		}
		return s
	}},
	{"releases in any shard", 3, anyShard},
	{"a late claim meets a later generation", 3, generations},
}

// oneDraftTwice has a draft and two copies of it used at once: one of the uses
// counts, the others get ErrUsed or do nothing.
func oneDraftTwice() explore.Scenario {
	w := newWorld(1, hotswap.Options[value]{})
	w.other = hotswap.New(w.p)
	d := w.p.Get()
	w.write(d.Value())
	copied, third := copyOf(&d), copyOf(&d)
	published := 0
	publish := func(c *hotswap.Container[value], d *hotswap.Draft[value]) func() {
		return func() {
			switch err := c.Update(d); err {
			case nil:
				published++
			case hotswap.ErrUsed:
			default:
				panic(err)
			}
		}
	}
	s := w.scenario(publish(w.c, &d), publish(w.other, copied), third.Discard, w.readAny)
	s.End = func() error {
		stats := w.p.Stats()
		if published > 1 || stats.Live+stats.Spare != 2 || stats.Live < 1 {
			return fmt.Errorf("one draft was published %d times: %+v", published, stats)
		}
		return w.settled()
	}
	return s
}

// oneHoldTwice has one hold released by two copies of its Ref at once, beside what
// others do: one of all the calls panics, whatever the order.
func oneHoldTwice(others func(w *world) []func()) explore.Scenario {
	w := newWorld(1, hotswap.Options[value]{})
	r := w.c.Acquire()
	panics := 0
	mayPanic := func(f func()) func() {
		return func() {
			defer func() {
				switch p := recover().(type) {
				case nil:
				case string:
					panics++
				default:
					panic(p)
				}
			}()
			f()
		}
	}
	threads := []func(){mayPanic(copyOf(&r).Release), mayPanic(copyOf(&r).Release)}
	for _, f := range others(w) {
		threads = append(threads, mayPanic(f))
	}
	s := w.scenario(threads...)
	s.End = func() error {
		if panics != 1 {
			return fmt.Errorf("one hold was released twice, and %d calls have panicked", panics)
		}
		return w.settled()
	}
	return s
}
