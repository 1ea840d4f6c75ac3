package hotswap_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poolproof/poolproof/hotswap"
)

var stressed = flag.Int("stress", 1, "how many times as long the stress tests run")

// page is a value whose words are equal, unless a writer is in it: then a reader
// sees a difference, and the race detector a race.
type page struct{ words [32]uint64 }

func (x *page) fill(n uint64) {
	for i := range x.words {
		x.words[i] = n
		if i == 16 {
			runtime.Gosched()
		}
	}
}

// whole returns the number that fills the page.
func (x *page) whole(t *testing.T) uint64 {
	n := x.words[0]
	for _, w := range x.words {
		if w != n {
			t.Errorf("a reader sees %d and %d: a writer is in the value", n, w)
		}
	}
	return n
}

// TestReadersAndWritersAtOnce does all that a container can, in several
// configurations. Run with the race detector too.
func TestReadersAndWritersAtOnce(t *testing.T) {
	for _, shards := range []int{1, 2, 8} {
		for _, limit := range []int{0, 3} {
			for _, when := range []hotswap.ResetTime{hotswap.OnGet, hotswap.OnRelease} {
				for _, trace := range []bool{false, true} {
					name := fmt.Sprintf("shards=%d,MaxLive=%d,ResetOn=%d,Trace=%t", shards, limit, when, trace)
					t.Run(name, func(t *testing.T) {
						stress(t, hotswap.Options[page]{Shards: shards, MaxLive: limit, ResetOn: when, Trace: trace})
					})
				}
			}
		}
	}
}

func stress(t *testing.T, o hotswap.Options[page]) {
	const readers, writers = 6, 3
	updates := 600
	if testing.Short() || o.Trace {
		updates = 100
	}
	updates *= *stressed
	var resets atomic.Uint64
	o.New = func() *page { return new(page) }
	o.Reset = func(x *page) bool {
		x.fill(0)
		return resets.Add(1)%17 != 0
	}
	p := hotswap.NewPool(o)
	c := hotswap.New(p)
	ctx := context.Background()
	var number atomic.Uint64
	var done atomic.Bool
	var readersLeft, writersLeft sync.WaitGroup

	for i := range readers {
		readersLeft.Go(func() {
			handed := make(chan *hotswap.Ref[page], 1)
			reader := c.Reader()
			defer reader.Release()
			last := uint64(0) // a generation
			for n := 0; !done.Load(); n++ {
				switch (n + i) % 6 {
				case 0:
					ref := c.Acquire()
					if g := ref.Generation(); ref.Ok() && g < last {
						t.Errorf("generation %d after %d", g, last)
					} else if ref.Ok() {
						last = g
						ref.Value().whole(t)
					}
					ref.Release()
				case 1: // a clone, released by another goroutine
					ref := c.Acquire()
					if !ref.Ok() {
						continue
					}
					clone := new(hotswap.Ref[page])
					*clone = ref.Clone()
					handed <- clone
					readersLeft.Go(func() {
						clone := <-handed
						clone.Value().whole(t)
						clone.Release()
					})
					ref.Value().whole(t)
					ref.Release()
				case 2, 3:
					if x := reader.Load(); x != nil {
						x.whole(t)
					}
					if n%7 == 0 {
						reader.Release()
					}
				case 4:
					c.Do(func(x *page) { x.whole(t) })
				case 5:
					ref := c.Acquire()
					moved := ref.Move()
					part := hotswap.Map(&moved, func(x *page) *[32]uint64 { return &x.words })
					if words := part.Value(); words != nil && words[0] != words[31] {
						t.Errorf("a part of a value has %d and %d: a writer is in it", words[0], words[31])
					}
					part.Release()
				}
				runtime.Gosched()
			}
		})
	}
	for i := range writers {
		writersLeft.Go(func() {
			for n := range updates {
				switch (n + i) % 5 {
				case 0, 1:
					short, cancel := context.WithTimeout(ctx, time.Duration(n%3)*time.Millisecond)
					d, err := p.GetContext(short)
					cancel()
					if err != nil {
						if !errors.Is(err, context.DeadlineExceeded) {
							t.Error(err)
						}
						continue
					}
					if d.Value().whole(t) != 0 {
						t.Error("a writer gets a value that was not reset")
					}
					d.Value().fill(number.Add(1))
					if n%9 == 0 {
						d.Discard()
					} else if err := c.Update(&d); err != nil {
						t.Error(err)
					}
				case 2:
					err := c.RCU(ctx, func(next, cur *page) error {
						if cur != nil {
							cur.whole(t)
						}
						next.fill(number.Add(1))
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				case 3:
					cur := c.Acquire()
					d, err := p.TryGet()
					if err == nil {
						d.Value().fill(number.Add(1))
						_, err = c.UpdateIf(&cur, &d)
						d.Discard()
					}
					if err != nil && err != hotswap.ErrLimit {
						t.Error(err)
					}
					cur.Release()
				case 4:
					switch {
					case n%8 == 3:
						c.Clear()
					case n%8 == 7 && n%16 == 7:
						p.Trim()
						p.Stats()
						p.Outstanding()
					default:
						if err := c.Synchronize(ctx); err != nil {
							t.Error(err)
						}
					}
				}
				runtime.Gosched()
			}
		})
	}
	writersLeft.Wait()
	done.Store(true)
	readersLeft.Wait()
	if err := c.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
	s := p.Stats()
	if s.Outstanding != 0 || s.Live+s.Retired+s.Spare+s.Drafts != 0 || s.News != s.Drops {
		t.Errorf("after Close: %+v, want no values and as many dropped as made", s)
	}
	if o.MaxLive > 0 && s.Slots > o.MaxLive {
		t.Errorf("%d slots with MaxLive %d", s.Slots, o.MaxLive)
	}
	if got := p.Outstanding(); got != nil {
		t.Errorf("holders are left: %v", got)
	}
}

// TestCloseDuringEverything closes a container and its pool while they are in
// use.
func TestCloseDuringEverything(t *testing.T) {
	runs := 60
	if testing.Short() {
		runs = 15
	}
	runs *= *stressed
	for run := range runs {
		p := hotswap.NewPool(hotswap.Options[page]{New: func() *page { return new(page) }, MaxLive: 3, Shards: 2})
		c := hotswap.New(p)
		ctx := context.Background()
		var wg sync.WaitGroup
		var ready sync.WaitGroup
		ready.Add(6)
		for range 3 {
			wg.Go(func() {
				ready.Done()
				for {
					d, err := p.GetContext(ctx)
					if err == nil {
						d.Value().fill(1)
						if err = c.Update(&d); err != nil {
							d.Discard()
						}
					}
					if err != nil {
						if err != hotswap.ErrClosed {
							t.Error(err)
						}
						return
					}
				}
			})
			wg.Go(func() {
				ready.Done()
				r := c.Reader()
				defer r.Release()
				for range 50 + run {
					if x := r.Load(); x != nil {
						x.whole(t)
					}
					runtime.Gosched()
				}
			})
		}
		ready.Wait()
		if err := c.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := p.Close(ctx); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if s := p.Stats(); s.Live+s.Retired+s.Spare+s.Drafts != 0 {
			t.Errorf("after Close: %+v, want no values", s)
		}
	}
}
