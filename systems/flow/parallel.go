package flow

import (
	"context"
	"sync/atomic"
	"time"
)

// MapOrdered is [Map] for a slow function: up to workers goroutines call f at a
// time, and the results come in the order of the values. An error or a panic of f
// takes the place of its item; item errors of s keep theirs. f should return when
// its ctx ends, which it does when the stream is stopped: the sink waits for it.
//
// Values are handed to workers one by one while f takes longer than some
// microseconds, and up to 16 at a time if it is faster. What waits is bounded: a
// value that takes long holds up at most 2·workers such handfuls. It panics if
// workers is not positive.
func MapOrdered[I, O any](s Stream[I], workers int, f func(context.Context, I) (O, error)) Stream[O] {
	return parallel("map in order", "MapOrdered", s, workers, f, true)
}

// MapUnordered is [MapOrdered] whose results come as they are ready. So do the item
// errors of s.
func MapUnordered[I, O any](s Stream[I], workers int, f func(context.Context, I) (O, error)) Stream[O] {
	return parallel("map out of order", "MapUnordered", s, workers, f, false)
}

func parallel[I, O any](kind, name string, s Stream[I], workers int, f func(context.Context, I) (O, error), ordered bool) Stream[O] {
	s.check()
	atLeast(name, "workers", workers, 1)
	need(name, "f", f == nil)
	n := newNode(kind, s.node).with("%d goroutines", workers).of(f).across()
	return Stream[O]{node: n, run: func(r *run, down func(*batch[O]) error) error {
		ctx, cancel := context.WithCancel(r.ctx)
		p := &pool[I, O]{
			r: r.with(ctx), cancel: cancel, node: n, f: f, own: s.own, workers: workers, ordered: ordered,
			work:    make(chan *job[I, O], 2*workers),
			results: make(chan *job[I, O], 2*workers),
			free:    make(chan *job[I, O], 5*workers+2),
			in:      hasPointers[I](), out: hasPointers[O](),
		}
		p.chunk.Store(1)
		n.queue(r, func() (int, int) { return len(p.work), cap(p.work) })
		go p.dispatch(s)
		return p.consume(down)
	}}
}

// mostAtOnce is how many values a job has at most.
const mostAtOnce = 16

// job is a handful of items for one worker.
type job[I, O any] struct {
	in   batch[I]
	out  batch[O]
	done chan struct{} // has room for the one signal of a use; ordered only
}

// pool is one run of a parallel map. The dispatcher runs s and makes jobs of its
// batches; workers do them; the consumer, the goroutine of the stages that follow,
// sends the results. In order, results has the jobs as they were made, and the
// consumer waits for each; otherwise it has them as they are done.
//
// A job is in work, results, free or one hand. At most 2·workers are in work, as
// many in results, one in the hand of each worker and each of the two others, so
// that free, which has room for all of these, never blocks. In order a job is in
// results from the start, and work holds no others.
type pool[I, O any] struct {
	r       *run // its context is canceled by the consumer
	cancel  context.CancelFunc
	node    *node
	f       func(context.Context, I) (O, error)
	own     func([]I)
	workers int
	ordered bool

	work, results, free chan *job[I, O]
	in, out             bool // whether I and O hold pointers

	chunk   atomic.Int64 // values in a job
	running atomic.Int64 // workers, and the dispatcher
	fatal   atomic.Pointer[error]
}

// dispatch is the goroutine that runs s.
func (p *pool[I, O]) dispatch(s Stream[I]) {
	p.running.Add(1)
	err := errExit
	defer func() {
		if v := recover(); v != nil {
			err = newPanicError(v)
		}
		if err != nil {
			p.fatal.CompareAndSwap(nil, &err) // for the end: what was sent before is done
		}
		close(p.work)
		p.left()
	}()
	started := 0
	err = s.start(p.r, func(b *batch[I]) error {
		for v, errs := b.v, b.errs; len(v) > 0 || len(errs) > 0; {
			j := p.take()
			n := min(len(v), int(p.chunk.Load()))
			base := len(b.v) - len(v)
			for len(errs) > 0 && (errs[0].pos <= base+n && n == len(v) || errs[0].pos < base+n) {
				j.in.errs = append(j.in.errs, itemError{errs[0].pos - base, errs[0].err})
				errs = errs[1:]
			}
			j.in.v = append(j.in.v, v[:n]...)
			if p.own != nil {
				p.own(j.in.v)
			}
			v = v[n:]
			if started < p.workers {
				started++
				p.running.Add(1)
				go p.worker()
			}
			if err := p.hand(j); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *pool[I, O]) take() *job[I, O] {
	select {
	case j := <-p.free:
		return j
	default:
		return &job[I, O]{in: batch[I]{v: make([]I, 0, mostAtOnce)}, out: batch[O]{v: make([]O, 0, mostAtOnce)}, done: make(chan struct{}, 1)}
	}
}

// hand gives j to the consumer, if it waits for it, and to a worker.
func (p *pool[I, O]) hand(j *job[I, O]) error {
	if p.ordered {
		select {
		case p.results <- j:
		case <-p.r.ctx.Done():
			return p.r.ended()
		}
	}
	select {
	case p.work <- j:
		return nil
	case <-p.r.ctx.Done():
		return p.r.ended()
	}
}

// left is called by the dispatcher and each worker when it ends. The last one
// closes results.
func (p *pool[I, O]) left() {
	if p.running.Add(-1) == 0 {
		close(p.results)
	}
}

// fail ends the run before its time.
func (p *pool[I, O]) fail(err error) {
	p.fatal.CompareAndSwap(nil, &err)
	p.cancel()
}

// worker is a goroutine that does jobs.
func (p *pool[I, O]) worker() {
	returned := false
	defer func() {
		if !returned {
			p.fail(errExit) // f has ended the goroutine
			for range p.work {
			}
		}
		p.left()
	}()
	for j := range p.work {
		if err := p.r.ended(); err != nil {
			p.fail(err) // j is left out: the run must not end as if it were complete
			continue
		}
		begun := time.Now()
		p.do(j)
		p.pace(len(j.in.v), time.Since(begun))
		if p.ordered {
			j.done <- struct{}{}
			continue
		}
		select {
		case p.results <- j:
		case <-p.r.ctx.Done():
			p.fail(p.r.ended())
		}
	}
	returned = true
}

// pace sets how many values the next jobs have: as many as take 20 microseconds, but
// not so many that a sudden slow stretch would be left to one worker.
func (p *pool[I, O]) pace(n int, took time.Duration) {
	const target = 20 * time.Microsecond
	p.node.worked(p.r, took)
	if n > 0 {
		each := max(took/time.Duration(n), 1)
		p.chunk.Store(min(max(int64(target/each), 1), mostAtOnce))
	}
}

// do calls f for the values of j.
func (p *pool[I, O]) do(j *job[I, O]) {
	j.in.walk(func(in []I) error {
		for len(in) > 0 {
			done, err := p.doUntil(in, &j.out)
			in = in[done:]
			if err != nil {
				in = in[1:]
				if err != Drop {
					j.out.errs = append(j.out.errs, itemError{len(j.out.v), err})
				}
			}
		}
		return nil
	}, func(err error) error {
		j.out.errs = append(j.out.errs, itemError{len(j.out.v), err})
		return nil
	})
}

// doUntil appends f's results to out, up to the first failure: then done is the
// index of the value that failed.
func (p *pool[I, O]) doUntil(in []I, out *batch[O]) (done int, err error) {
	defer recovered(&err)
	for done = range in {
		v, err := p.f(p.r.ctx, in[done])
		if err != nil {
			return done, err
		}
		out.v = append(out.v, v)
	}
	return len(in), nil
}

// consume sends the results, gathered to a batch for as long as they are ready.
func (p *pool[I, O]) consume(down func(*batch[O]) error) error {
	defer func() {
		p.cancel()
		for range p.results {
		}
	}()
	o := newOut(p.r, down)
	for {
		var j *job[I, O]
		var open bool
		select {
		case j, open = <-p.results:
		default:
			if err := o.send(); err != nil {
				return err
			}
			j, open = <-p.results
		}
		if !open {
			break
		}
		if err := p.wait(j, o); err != nil {
			return err
		}
		if err := j.out.walk(func(v []O) error {
			for i := range v {
				if err := o.add(v[i]); err != nil {
					return err
				}
			}
			return nil
		}, o.fail); err != nil {
			return err
		}
		p.recycle(j)
	}
	if err := o.send(); err != nil {
		return err
	}
	if err := p.fatal.Load(); err != nil {
		return *err
	}
	return nil
}

// wait waits until j is done, and sends what is there before it does.
func (p *pool[I, O]) wait(j *job[I, O], o *out[O]) error {
	if !p.ordered {
		return nil
	}
	select {
	case <-j.done:
		return nil
	default:
	}
	if err := o.send(); err != nil {
		return err
	}
	select {
	case <-j.done:
		return nil
	case <-p.r.ctx.Done(): // nobody may do it
		select {
		case <-j.done:
			return nil
		default:
			return p.ended()
		}
	}
}

// ended returns why the run ends before its time.
func (p *pool[I, O]) ended() error {
	if err := p.fatal.Load(); err != nil {
		return *err
	}
	return p.r.ended()
}

func (p *pool[I, O]) recycle(j *job[I, O]) {
	j.in.empty(p.in)
	j.out.empty(p.out)
	if !checked {
		p.free <- j
	}
}
