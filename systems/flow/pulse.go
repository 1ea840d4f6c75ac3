package flow

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a value waits for others to fill a batch, and how long a stage
// works before it looks whether its context has ended.
const patience = time.Millisecond

// pulse tells the stages of a run to look up from their batch: it beats each
// millisecond while stages work, and when a context of the run ends. A stage compares
// beat with what it saw last after each item, which costs a load. When it differs, the
// stage asks its context and sends what it has.
//
// The timer runs only while stages ask for it, which those do that may keep values of a
// batch while they work on others: not sinks, and not where values come one by one. Each tick after which no stage has asked
// is the last one, so a stream that waits costs nothing. A tick that finds the pulse
// asked for starts the next, so at least one whole patience lies between an ask and
// some later beat.
type pulse struct {
	beat  atomic.Uint32
	state atomic.Uint32
	timer *time.Timer

	mu    sync.Mutex
	hooks []*func() // called with each tick
}

const (
	idle   = iota // the timer is stopped
	armed         // it runs, and no stage has asked since its last tick
	asked         // it runs, and will again
	halted        // the run has ended
)

// newPulse returns the pulse of a run, and the function that ends it.
func newPulse(ctx context.Context) (*pulse, func()) {
	p := &pulse{}
	p.timer = time.AfterFunc(time.Hour, p.tick) // until a stage asks
	p.timer.Stop()
	unwatch := func() bool { return true }
	if ctx.Done() != nil {
		unwatch = context.AfterFunc(ctx, p.wake)
	}
	return p, func() {
		p.state.Store(halted)
		p.timer.Stop()
		unwatch()
	}
}

// wake makes all stages look up.
func (p *pulse) wake() { p.beat.Add(1) }

// ask makes sure that a beat comes.
func (p *pulse) ask() {
	for {
		switch s := p.state.Load(); s {
		case asked, halted:
			return
		default:
			if p.state.CompareAndSwap(s, asked) {
				if s == idle {
					p.timer.Reset(patience)
				}
				return
			}
		}
	}
}

// each has f called with each tick, until remove is called: f is not called after that.
func (p *pulse) each(f func()) (remove func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hooks = append(p.hooks, &f)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.hooks = slices.DeleteFunc(p.hooks, func(g *func()) bool { return g == &f })
	}
}

func (p *pulse) tick() {
	p.wake()
	p.mu.Lock()
	for _, hook := range p.hooks {
		(*hook)()
	}
	p.mu.Unlock()
	for {
		switch p.state.Load() {
		case asked:
			if p.state.CompareAndSwap(asked, armed) {
				p.timer.Reset(patience)
				return
			}
		case armed:
			if p.state.CompareAndSwap(armed, idle) {
				return
			}
		default:
			return
		}
	}
}

// look is the beat of the run's pulse that one stage saw last.
type look struct {
	r    *run
	beat *atomic.Uint32
	seen uint32
}

func newLook(r *run) look {
	return look{r: r, beat: &r.pulse.beat, seen: r.pulse.beat.Load()}
}

// due reports whether the stage should look up.
func (l *look) due() bool { return l.beat.Load() != l.seen }

// up returns why the context ended, nil if it has not.
func (l *look) up() error {
	l.seen = l.beat.Load() // before the context is asked: an end after that beats again
	return l.r.ended()
}
