package flowpeers

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	conc "github.com/sourcegraph/conc/stream"
	"golang.org/x/sync/errgroup"

	"github.com/poolproof/poolproof/systems/flow"
)

// Workers is the number of goroutines that call the slow function.
const Workers = 8

// Load is a slow function on a number of values, whose results are wanted in order.
type Load struct {
	Name   string
	Values int
	do     func(i int)
}

// Loads are the loads of slow functions: waits, small work, and both.
var Loads = []Load{
	{"2ms", 200, func(int) { time.Sleep(2 * time.Millisecond) }},
	{"1us", 50_000, func(int) { burn() }},
	{"mixed", 20_000, func(i int) {
		if i%100 == 99 {
			time.Sleep(2 * time.Millisecond)
		} else {
			burn()
		}
	}},
}

var burned atomic.Uint64

// burn takes about a microsecond of processor time.
func burn() {
	x := uint64(88172645463325252)
	for range 450 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		burned.Add(1)
	}
}

// Slow is one way of calling a slow function for many values. It calls done with each
// value in order, when its function and those of the values before it have returned.
type Slow struct {
	Name, What string
	Run        func(ctx context.Context, l Load, call func(i int), done func(i int)) error
}

// Slows are all ways.
var Slows = []Slow{
	{"loop", "one goroutine", func(ctx context.Context, l Load, call, done func(int)) error {
		for i := range l.Values {
			if err := ctx.Err(); err != nil {
				return err
			}
			call(i)
			done(i)
		}
		return nil
	}},
	{"errgroup", "an errgroup with a limit, results by index", runByIndex},
	{"channels", "goroutines by hand, a channel of values and one of results for each", runByHand},
	{"conc", "conc's stream: a task a value", func(ctx context.Context, l Load, call, done func(int)) error {
		s := conc.New().WithMaxGoroutines(Workers)
		for i := range l.Values {
			if ctx.Err() != nil {
				break
			}
			s.Go(func() conc.Callback {
				call(i)
				return func() { done(i) }
			})
		}
		s.Wait()
		return ctx.Err()
	}},
	{"flow", "MapOrdered", func(ctx context.Context, l Load, call, done func(int)) error {
		in := flow.FromSlice(inputs50k[:l.Values])
		return flow.MapOrdered(in, Workers, func(_ context.Context, i int) (int, error) {
			call(i)
			return i, nil
		}).Each(ctx, func(i int, err error) error {
			done(i)
			return err
		})
	}},
}

var inputs50k = func() []int {
	in := make([]int, 50_000)
	for i := range in {
		in[i] = i
	}
	return in
}()

// runByIndex has all results before it hands over the first.
func runByIndex(ctx context.Context, l Load, call, done func(int)) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(Workers)
	results := make([]int, l.Values)
	for i := range l.Values {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			call(i)
			results[i] = i
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, i := range results {
		done(i)
	}
	return nil
}

// runByHand is the ordered parallel map that is written again and again: workers take
// tasks from a channel, and the results are waited for in the order of the tasks.
func runByHand(ctx context.Context, l Load, call, done func(int)) error {
	type task struct {
		i      int
		result chan int
	}
	work, order := make(chan task, 2*Workers), make(chan task, 2*Workers)
	var wait sync.WaitGroup
	for range Workers {
		wait.Go(func() {
			for t := range work {
				call(t.i)
				t.result <- t.i
			}
		})
	}
	wait.Go(func() {
		defer close(order)
		defer close(work)
		for i := range l.Values {
			t := task{i, make(chan int, 1)}
			select {
			case order <- t:
			case <-ctx.Done():
				return
			}
			work <- t
		}
	})
	for t := range order {
		done(<-t.result)
	}
	wait.Wait()
	return ctx.Err()
}
