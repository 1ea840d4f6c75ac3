package flow

import (
	"sync"
	"sync/atomic"
	"time"
)

// Watch counts what passes the stages of the streams that it watches, in all their
// runs: see [Stream.Watch]. It must be made by [NewWatch], and is safe for
// concurrent use.
type Watch struct {
	name string

	mu     sync.Mutex
	stages []*counter // in the order in which runs began them
	byKey  map[*byte]*counter
}

// NewWatch returns a Watch that has counted nothing. The name is what the pipeline
// is called in statistics.
func NewWatch(name string) *Watch {
	return &Watch{name: name, byKey: make(map[*byte]*counter)}
}

// Watch returns s with all stages before this place counted by w. Two readings of
// the clock for each batch and stage are its cost.
func (s Stream[T]) Watch(w *Watch) Stream[T] {
	s.check()
	need("Watch", "w", w == nil)
	return Stream[T]{node: s.node, lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		seen := *r
		seen.watch = w
		return s.start(&seen, down)
	}}
}

// StageStats holds the counts of a [Watch] at one stage. While a stream runs the
// numbers are each exact as of some batch, but read one after the other.
//
// Package metrics exports them; its type Stage has the same fields.
type StageStats struct {
	Pipeline string // the name of the Watch
	Stage    string // the stage as Describe shows it, or its Name

	Runs    uint64
	Batches uint64 // sent by the stage
	Values  uint64 // in them
	Errors  uint64 // item errors in them

	// Busy is the time that the stage itself has taken: not that of the stages
	// after it. Of a source it includes waiting. Of stages that work on several
	// goroutines it is the sum over these.
	Busy time.Duration
	// Blocked is how long the stages before this one have waited until it took
	// their batch, and Starved how long it has waited for one. Both are 0 but for
	// stages that begin a goroutine. A high Blocked says that what comes after is
	// the bottleneck, a high Starved that it is what comes before.
	Blocked time.Duration
	Starved time.Duration

	Queued int // batches that wait at the stage now
	Room   int // how many can
}

// PerValue returns the time that the stage has taken for each value that it sent,
// 0 if there was none.
func (s StageStats) PerValue() time.Duration {
	if s.Values == 0 {
		return 0
	}
	return s.Busy / time.Duration(s.Values)
}

// Stats returns what w has counted, stage by stage in the order of the pipeline:
// sources first. It may be called while streams run.
func (w *Watch) Stats() []StageStats {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]StageStats, 0, len(w.stages))
	for i := len(w.stages) - 1; i >= 0; i-- { // a run begins at the sink
		all = append(all, w.stages[i].stats(w))
	}
	return all
}

// counter is one stage of a Watch.
type counter struct {
	node *node
	// queue tells the batches that wait and how many can, in the last run. Under
	// Watch.mu.
	queue func() (queued, room int)

	runs, batches, values, errors atomic.Uint64

	inside atomic.Int64 // nanoseconds between the calls of start and its return
	down   atomic.Int64 // nanoseconds of these in later stages on the same goroutine
	begun  atomic.Int64 // sum of the times at which runs in progress began
	active atomic.Int64 // how many these are
	works  atomic.Int64 // nanoseconds of work on goroutines of the stage's own

	took [latencyBuckets]atomic.Uint64 // batches, by the time that later stages took
}

// counter returns the counter of n, which is new if n was not seen before.
func (w *Watch) counter(n *node) *counter {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.byKey[n.key]
	if c == nil {
		c = &counter{node: n}
		w.byKey[n.key] = c
		w.stages = append(w.stages, c)
	}
	return c
}

// queue tells a run's Watch how to read the queue of the stage.
func (n *node) queue(r *run, read func() (queued, room int)) {
	if r.watch == nil {
		return
	}
	c := r.watch.counter(n)
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	c.queue = read
}

// worked adds time that the stage's own goroutines have worked.
func (n *node) worked(r *run, d time.Duration) {
	if r.watch != nil {
		r.watch.counter(n).works.Add(int64(d))
	}
}

var epoch = time.Now()

// clock returns nanoseconds since some time.
func clock() int64 { return int64(time.Since(epoch)) }

// watched runs s, and counts it.
func watched[T any](s Stream[T], r *run, down func(*batch[T]) error) error {
	c := r.watch.counter(s.node)
	begun := clock()
	c.runs.Add(1)
	c.begun.Add(begun)
	c.active.Add(1)
	defer func() {
		c.active.Add(-1)
		c.begun.Add(-begun)
		c.inside.Add(clock() - begun)
	}()
	return s.run(r, func(b *batch[T]) error {
		c.batches.Add(1)
		c.values.Add(uint64(len(b.v)))
		c.errors.Add(uint64(len(b.errs)))
		from := clock()
		defer func() {
			took := clock() - from
			c.down.Add(took)
			c.took[latencyBucket(took)].Add(1)
		}()
		return down(b)
	})
}

// total returns the time that the stage and those before it on its goroutine have
// taken, or waited.
func (c *counter) total() int64 {
	return c.inside.Load() + c.active.Load()*clock() - c.begun.Load() - c.down.Load()
}

func (c *counter) stats(w *Watch) StageStats {
	s := StageStats{
		Pipeline: w.name,
		Stage:    c.node.title(),
		Runs:     c.runs.Load(),
		Batches:  c.batches.Load(),
		Values:   c.values.Load(),
		Errors:   c.errors.Load(),
	}
	var handed int64 // time that the stages before have spent in handing over
	for _, up := range c.node.ups {
		if u := w.byKey[up.key]; u != nil {
			handed += u.down.Load()
		}
	}
	positive := func(ns int64) time.Duration { return time.Duration(max(ns, 0)) }
	switch {
	case c.node.crosses:
		s.Busy, s.Blocked, s.Starved = positive(c.works.Load()), positive(handed), positive(c.total())
	case len(c.node.ups) == 0:
		s.Busy = positive(c.total())
	default:
		s.Busy = positive(handed - c.down.Load() + c.works.Load())
	}
	if c.queue != nil {
		s.Queued, s.Room = c.queue()
	}
	return s
}
