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
// Values are handed to workers one by one while f takes longer than some tens of
// microseconds, and up to 64 at a time if it is faster. Where f becomes slow all at once,
// workers without work take over the rest of such a handful within two milliseconds. What
// waits is bounded: at most 2·workers handfuls while the sink works, and while it waits for
// a value that takes long at most 256·workers values, or 8,192. A fatal
// error of s, or the end of the context, ends the stream; an error of f does not, until a
// sink's function returns it: then no further value is handed out. It panics if workers is
// not positive, or more than 1<<20.
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
	within(name, "workers", workers, 1)
	need(name, "f", f == nil)
	s.mayCross(name)
	n := newNode(kind, s.node).with("%d goroutines", workers).of(f).across()
	return Stream[O]{node: n, run: func(r *run, down func(*batch[O]) error) error {
		r, cancel := r.cancelable()
		p := &pool[I, O]{
			r: r, cancel: cancel, node: n, f: f, own: s.own, workers: workers, ordered: ordered,
			work:    make(chan *job[I, O], 2*workers),
			results: make(chan *job[I, O], far(workers, ordered)),
			free:    make(chan *job[I, O], far(workers, ordered)+3*workers+2),
			help:    make(chan struct{}, workers),
			seats:   make([]seat[I, O], workers),
			over:    make(chan struct{}),
			in:      hasPointers[I](),
		}
		p.lead.begin(workers, cap(p.results), &p.chunk)
		defer p.lead.timer.Stop()
		p.chunk.Store(1)
		p.busy.Store(1)
		n.queue(r, func() (int, int) { return len(p.work), cap(p.work) })
		defer r.pulse.each(p.callHelp)()
		go p.dispatch(s)
		return p.consume(down)
	}}
}

// pool is one run of a parallel map. The dispatcher runs s and makes jobs of its
// batches; workers do them; the consumer, the goroutine of the stages that follow,
// sends the results. In order, results has the jobs as they were made, and the
// consumer waits for each; otherwise it has them as they are done.
//
// A job is in work, results, free or one hand. At most 2·workers are in work, far in
// results, one in the hand of each worker and each of the two others, so that free, which
// has room for all of these, never blocks. In order a job is in results from the start,
// and work holds no others: then results has more than 2·workers only while the consumer
// waits for a job, see lead.
type pool[I, O any] struct {
	r       *run // its context is canceled by the consumer
	cancel  context.CancelFunc
	node    *node
	f       func(context.Context, I) (O, error)
	own     func([]I)
	workers int
	ordered bool

	work, results, free chan *job[I, O]
	help                chan struct{} // has a token for each worker that should look for values at seats
	seats               []seat[I, O]
	in                  bool // whether I holds pointers

	lead lead // jobs in results; ordered only

	chunk   atomic.Int64  // values in a job
	running atomic.Int64  // workers, and the dispatcher
	busy    atomic.Int64  // jobs that are not done, and the dispatcher
	over    chan struct{} // closed when busy is 0: no worker is left to help
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
		p.done()
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
			if cap(j.in.v) < n {
				j.in.v = make([]I, 0, roomFor(n))
			}
			j.in.v = append(j.in.v, v[:n]...)
			if p.own != nil {
				p.own(j.in.v)
			}
			v = v[n:]
			j.ready()
			if started < p.workers {
				p.running.Add(1)
				go p.worker(&p.seats[started])
				started++
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
		return &job[I, O]{done: make(chan struct{}, 1)}
	}
}

// hand gives j to the consumer, if it waits for it, and to a worker.
func (p *pool[I, O]) hand(j *job[I, O]) error {
	if p.ordered {
		if err := p.lead.grow(p.r); err != nil {
			return err
		}
		p.results <- j // there is room
	}
	p.busy.Add(1)
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
func (p *pool[I, O]) worker(own *seat[I, O]) {
	returned := false
	defer func() {
		if !returned {
			p.fail(errExit) // f has ended the goroutine
			for range p.work {
			}
		}
		p.left()
	}()
	l := newLook(p.r)
	for {
		var j *job[I, O]
		open := true
		select {
		case j, open = <-p.work:
		default:
			select {
			case j, open = <-p.work:
			case <-p.help:
				p.assist(&l)
				continue
			}
		}
		if !open {
			p.assistToTheEnd(&l)
			break
		}
		if err := p.r.ended(); err != nil {
			p.fail(err) // j is left out: the run must not end as if it were complete
			continue
		}
		if len(j.in.v) > 1 {
			p.r.pulse.ask() // for help, should it take long
		}
		own.sit(j, clock())
		p.do(j, j.claim(), &l)
		own.sit(nil, 0)
		p.count(j, 1)
	}
	returned = true
}

// callHelp is called with each beat of the pulse: it calls as many workers as there are
// values that are not claimed, in jobs that take long.
func (p *pool[I, O]) callHelp() {
	now, unclaimed := clock(), 0
	for i := range p.seats {
		unclaimed += p.seats[i].unclaimed(now)
	}
	if unclaimed > 0 {
		p.r.pulse.ask() // and again: all workers may be at work now
	}
	for ; unclaimed > 0; unclaimed-- {
		select {
		case p.help <- struct{}{}:
		default:
			return
		}
	}
}

// assist does what others have not claimed.
func (p *pool[I, O]) assist(l *look) {
	for k := range p.seats {
		if j, i := p.seats[k].claim(); j != nil {
			p.do(j, i, l)
		}
	}
}

// pace sets how many values the next jobs have: as many as take 60 microseconds.
func (p *pool[I, O]) pace(n int, took time.Duration) {
	const target = 60 * time.Microsecond
	p.node.worked(p.r, took)
	if n > 0 {
		each := max(took/time.Duration(n), 1)
		p.chunk.Store(min(max(int64(target/each), 1), mostAtOnce))
	}
}

// assistToTheEnd helps the workers that have the last jobs.
func (p *pool[I, O]) assistToTheEnd(l *look) {
	for {
		select {
		case <-p.help:
			p.assist(l)
		case <-p.over:
			return
		case <-p.r.ctx.Done(): // some job may never be done
			return
		}
	}
}

// done counts a job, or the dispatcher, out.
func (p *pool[I, O]) done() {
	if p.busy.Add(-1) == 0 {
		close(p.over)
	}
}

// do calls f for value i of j, which the caller has claimed, and for others that it
// claims then, and counts them out. At the end of the context it leaves the rest: j is
// never done.
func (p *pool[I, O]) do(j *job[I, O], i int, l *look) {
	begun, n := time.Now(), 0
	defer func() { p.pace(n, time.Since(begun)) }()
	for ; i < len(j.in.v); i = j.claim() {
		p.one(j.in.v[i], &j.out[i])
		n++
		if l.due() {
			if len(j.in.v) > 1 {
				p.r.pulse.ask()
			}
			if err := l.up(); err != nil {
				p.fail(err)
				return
			}
		}
	}
	p.count(j, n)
}

// one calls f.
func (p *pool[I, O]) one(in I, out *result[O]) {
	defer recovered(&out.err)
	out.v, out.err = p.f(p.r.ctx, in)
}

// count counts n values of j, or its owner, out: j may be used again after that.
func (p *pool[I, O]) count(j *job[I, O], n int) {
	if j.left.Add(-int64(n)) > 0 {
		return
	}
	defer p.done()
	if p.ordered {
		j.done <- struct{}{}
		return
	}
	select {
	case p.results <- j:
	case <-p.r.ctx.Done():
		p.fail(p.r.ended())
	}
}
