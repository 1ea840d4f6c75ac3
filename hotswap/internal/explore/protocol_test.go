//go:build poolproofexplore

package explore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/hotswap/internal/explore"
	"github.com/poolproof/poolproof/hotswap/internal/slots"
)

// These tests run the source of hotswap itself, with each atomic operation a
// point. go test -tags poolproofexplore ./hotswap/internal/explore

// value knows its readers. Between two points nothing else runs, so plain fields
// are exact.
type value struct {
	readers int
	version int
	writer  bool
}

// world is a container with a first value, and what its threads do.
type world struct {
	p       *hotswap.Pool[value]
	c       *hotswap.Container[value]
	version int
}

func newWorld(o hotswap.Options[value]) *world {
	o.New = func() *value { return new(value) }
	if o.Shards == 0 {
		o.Shards = 2
	}
	w := &world{p: hotswap.NewPool(o)}
	w.c = hotswap.New(w.p)
	w.update()
	return w
}

// free panics if somebody still reads x.
func free(x *value) bool {
	if x.readers != 0 {
		panic(fmt.Sprintf("version %d has %d readers and is used again", x.version, x.readers))
	}
	return true
}

// write fills a draft.
func (w *world) write(x *value) {
	free(x)
	if x.writer {
		panic("two writers own one value")
	}
	x.writer = true
	explore.Point()
	w.version++
	x.version = w.version
	x.writer = false
}

func (w *world) update() {
	d := w.p.Get()
	w.write(d.Value())
	must(w.c.Update(&d))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// times returns a thread that calls f so often.
func times(n int, f func()) func() {
	return func() {
		for range n {
			f()
		}
	}
}

// hold is what a reader does with a value that it has.
func hold(x *value) {
	version := x.version
	x.readers++
	explore.Point()
	if x.version != version || x.writer {
		panic(fmt.Sprintf("version %d became %d while it was read", version, x.version))
	}
	x.readers--
}

// numbered panics if the Ref's number is not that of its value. With one writer
// the versions are the numbers of the publications.
func numbered(r *hotswap.Ref[value]) {
	if x := r.Value(); uint64(x.version) != r.Generation() {
		panic(fmt.Sprintf("generation %d holds version %d", r.Generation(), x.version))
	}
}

func (w *world) read() {
	r := w.c.Acquire()
	numbered(&r)
	hold(r.Value())
	r.Release()
}

// readAny is read where there may be no value, and several writers.
func (w *world) readAny() {
	r := w.c.Acquire()
	if x := r.Value(); x != nil {
		hold(x)
	}
	r.Release()
}

func (w *world) clone() {
	r := w.c.Acquire()
	clone := r.Clone()
	r.Release()
	hold(clone.Value())
	clone.Release()
}

func (w *world) reader(loads int) func() {
	return func() {
		r := w.c.Reader()
		last := 0
		for range loads {
			x := r.Load()
			if x.version < last {
				panic("an older version came later")
			}
			last = x.version
			hold(x)
		}
		r.Release()
	}
}

// settled is the end of each scenario.
func (w *world) settled() error {
	if s := w.p.Stats(); s.Retired != 0 || s.Outstanding != 0 || s.Drafts != 0 {
		return fmt.Errorf("at the end there are %d retired values, %d holds, %d drafts", s.Retired, s.Outstanding, s.Drafts)
	}
	return nil
}

func (w *world) scenario(threads ...func()) explore.Scenario {
	return explore.Scenario{Threads: threads, End: w.settled}
}

var scenarios = []struct {
	name   string
	bound  int
	create func() explore.Scenario
}{
	{"two readers and two updates", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{})
		return w.scenario(w.read, w.read, times(2, w.update))
	}},
	{"one reader twice and three updates", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{})
		return w.scenario(times(2, w.read), times(3, w.update))
	}},
	{"reset on release", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{Reset: free, ResetOn: hotswap.OnRelease})
		return w.scenario(w.read, w.read, times(1, w.update))
	}},
	{"a clone outlives its original", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{})
		return w.scenario(w.clone, w.read, times(1, w.update))
	}},
	{"a Reader", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{})
		return w.scenario(w.reader(2), times(2, w.update))
	}},
	{"two writers", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{Shards: 1})
		return w.scenario(w.readAny, w.update, w.update)
	}},
	{"two writers and one free value", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{MaxLive: 2, Shards: 1})
		return w.scenario(w.readAny, w.update, w.update)
	}},
	{"Synchronize", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{Shards: 1})
		return w.scenario(w.readAny, w.update, func() {
			var before []*value
			r := w.c.Acquire()
			before = append(before, r.Value())
			version := r.Value().version
			r.Release()
			w.update()
			must(w.c.Synchronize(context.Background()))
			if x := before[0]; x.version == version && x.readers != 0 {
				panic(fmt.Sprintf("version %d has %d readers after Synchronize", version, x.readers))
			}
		})
	}},
	{"Close", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{Shards: 1})
		var closed bool
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
			closed = true
			if s := w.p.Stats(); s.Live != 0 || s.Retired != 0 {
				panic(fmt.Sprintf("after Close %d values are current and %d retired", s.Live, s.Retired))
			}
			r := w.c.Acquire()
			if r.Ok() || !closed {
				panic("a closed container has a value")
			}
			r.Release()
		})
	}},
	{"Close of a Pool", 3, func() explore.Scenario {
		w := newWorld(hotswap.Options[value]{Shards: 1})
		w.c.Clear()
		closed := false
		return w.scenario(func() {
			before := closed
			d, err := w.p.TryGet()
			if err != nil {
				return
			}
			if closed && !before {
				panic("a draft was got, and Close has returned")
			}
			d.Discard()
		}, func() {
			must(w.p.Close(context.Background()))
			closed = true
			if s := w.p.Stats(); s.Spare+s.Drafts != 0 {
				panic(fmt.Sprintf("after Close %d values are free and %d drafts", s.Spare, s.Drafts))
			}
		})
	}},
	{"releases in any shard", 3, anyShard},
	{"a late claim meets a later generation", 3, generations},
}

// anyShard is the protocol of package poolswap.
func anyShard() explore.Scenario {
	t := slots.NewAnyShard(2, 0)
	readers := make(map[*slots.Slot]int)
	t.Reclaimed = func(s *slots.Slot) {
		if readers[s] != 0 {
			panic("a slot with a reader was reclaimed")
		}
	}
	var c slots.Cell
	c.Init(t)
	update := func() {
		s := t.Claim()
		if readers[s] != 0 {
			panic("a slot with a reader was claimed")
		}
		if c.Publish(s, s.Word().Gen(), nil) != slots.Published {
			panic("not published")
		}
	}
	update()
	read := func() {
		s, _, _ := c.Enter()
		readers[s]++
		explore.Point()
		readers[s]--
		s.LeaveAny()
	}
	return explore.Scenario{
		Threads: []func(){read, read, times(2, update)},
		End: func() error {
			for s := range t.All {
				if w := s.Word(); w.State() == slots.Retired || s.Holds() != 0 {
					return fmt.Errorf("at the end a slot is in state %d with %d holds", w.State(), s.Holds())
				}
			}
			return nil
		},
	}
}

// generations has one reader anywhere, while another one holds the slot in the
// generation that follows: a claim of the first generation that comes late finds
// the slot retired again. Some of the order is arranged, by threads that wait for
// each other: without that, five preemptions are needed.
func generations() explore.Scenario {
	t := slots.NewTable(1, 2)
	readers := make(map[*slots.Slot]int)
	t.Reclaimed = func(s *slots.Slot) {
		if readers[s] != 0 {
			panic("a slot with a reader was reclaimed")
		}
	}
	var c slots.Cell
	c.Init(t)
	updates := 0
	update := func() {
		s := t.Claim()
		if s == nil {
			return // both are in use
		}
		if readers[s] != 0 {
			panic("a slot with a reader was claimed")
		}
		if c.Publish(s, s.Word().Gen(), nil) != slots.Published {
			panic("not published")
		}
		updates++
	}
	update()
	read := func(hold func()) {
		s, n, gen := c.Enter()
		readers[s]++
		hold()
		readers[s]--
		s.Leave(n, gen)
	}
	var held, written bool
	return explore.Scenario{
		Threads: []func(){
			func() { read(explore.Point) },
			func() {
				explore.Block(func() bool { return updates == 3 || written })
				read(func() {
					held = true
					explore.Block(func() bool { return written })
				})
			},
			func() {
				update()
				update()
				if updates == 3 {
					explore.Block(func() bool { return held })
				}
				update()
				written = true
			},
		},
		End: func() error {
			for s := range t.All {
				if w := s.Word(); w.State() == slots.Retired || s.Holds() != 0 {
					return fmt.Errorf("at the end a slot is in state %d with %d holds", w.State(), s.Holds())
				}
			}
			return nil
		},
	}
}

// TestEverySchedule runs each scenario through all schedules within its bound.
// With -short one preemption fewer is allowed.
func TestEverySchedule(t *testing.T) {
	for _, s := range scenarios {
		bound := s.bound
		if testing.Short() {
			bound--
		}
		passed := t.Run(s.name, func(t *testing.T) {
			r := explore.Run(bound, 0, s.create)
			t.Logf("%d executions of up to %d points with at most %d preemptions", r.Executions, r.Steps, bound)
			if r.Failure != nil {
				t.Errorf("%v\nthe schedule is %v", r.Failure, r.Schedule)
			}
		})
		if !passed {
			return // what follows would take its time to fail too
		}
	}
}
