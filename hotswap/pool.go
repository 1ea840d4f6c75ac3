package hotswap

import (
	"context"
	"errors"
	"time"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
	"github.com/poolproof/poolproof/hotswap/internal/slots"
	"github.com/poolproof/poolproof/internal/registry"
)

var (
	// ErrUsed is returned for a Draft that was published or discarded before, by
	// this variable or a copy of it, and for a zero Draft.
	ErrUsed = errors.New("hotswap: the draft was used or discarded before")
	// ErrForeign is returned for a Draft of another Pool than the Container's.
	ErrForeign = errors.New("hotswap: the draft is of another pool than the container")
	// ErrClosed is returned by a Container or Pool that was closed.
	ErrClosed = errors.New("hotswap: the container or its pool was closed")
	// ErrOvertaken is returned by [Container.RCU] and by the Updates of a [Delta]
	// whose work was in vain many times running, because another Update or Clear
	// came between each time. Whether to try again is the caller's choice.
	ErrOvertaken = errors.New("hotswap: the container was updated during each of 32 builds")
	// ErrLimit is returned by TryGet when Options.MaxLive values exist and none
	// is free.
	ErrLimit = errors.New("hotswap: Options.MaxLive values exist and none is free")
)

// Pool makes the values of one or more Containers and uses them again. It must
// be made by NewPool, is safe for concurrent use, and must not be copied: a nil,
// zero or copied Pool panics and says so.
type Pool[T any] struct {
	options Options[T]
	keep    int
	table   *slots.Table
	tracer  *tracer // nil: off
	tidying atom.Bool
	closed  atom.Bool
	start   time.Time
	hidden  hidden[T]
}

// What must be done with a free value before it is used: Slot.Todo.
const (
	clean  uint8 = iota // nothing: it has been reset
	fresh               // Reset; its writer got it from New
	used                // Reset; its writer got it used
	doomed              // it must be dropped
)

// check panics if p is nil, zero or a copy, which would be closed, and tidied, on
// its own.
func (p *Pool[T]) check() {
	switch {
	case p == nil || p.table == nil:
		panic("hotswap: use of a Pool that was not made by NewPool")
	case p.table.Owner != unsafe.Pointer(p):
		panic("hotswap: use of a copied Pool; use a pointer to it")
	}
}

// NewPool returns a pool without values. It panics if o contradicts itself, with
// a text that names the field.
func NewPool[T any](o Options[T]) *Pool[T] {
	o.check()
	p := &Pool[T]{options: o, keep: min(o.Keep, maxKeep), start: time.Now()}
	switch o.Keep {
	case 0:
		p.keep = 1
	case -1:
		p.keep = 0
	}
	if p.keep > 0 {
		p.keep += delay
	}
	p.table = slots.NewTable(slots.Shards(o.Shards), o.MaxLive)
	p.table.Owner = unsafe.Pointer(p)
	p.table.Now = func() int64 { return int64(time.Since(p.start)) }
	if o.Reset != nil && o.ResetOn == OnRelease || checked || marked {
		p.table.Reclaimed = p.reclaimed
	}
	if o.Trace || checked {
		p.tracer = newTracer(p.table, o.OnLeak)
		p.enlist()
	}
	if o.Name != "" {
		registry.Add(&named, p, (*Pool[T]).Stats)
	}
	return p
}

// Get returns a draft: a free value after Reset, or a new one. It waits while
// MaxLive values are in use. The caller owns the draft until Update or Discard.
// A caller that holds the last value that could become free waits for itself;
// GetContext names the holders. Get panics if the pool is closed.
//
//poolproof:gives
func (p *Pool[T]) Get() Draft[T] {
	p.check()
	s, err := p.take(context.Background(), nil, "Get")
	if err != nil {
		panic("hotswap: Get of a closed Pool; GetContext and TryGet return ErrClosed instead")
	}
	return p.draft(s)
}

// GetContext is Get that returns an error when ctx ends before there is a free
// value, which wraps that of ctx and says what the values are used for, and when
// the pool is closed (ErrClosed).
//
//poolproof:gives
func (p *Pool[T]) GetContext(ctx context.Context) (Draft[T], error) {
	p.check()
	s, err := p.take(ctx, nil, "GetContext")
	if err != nil {
		return Draft[T]{}, err
	}
	return p.draft(s), nil
}

// TryGet is Get that returns ErrLimit instead of waiting, and ErrClosed if the
// pool is closed.
//
//poolproof:gives
func (p *Pool[T]) TryGet() (Draft[T], error) {
	p.check()
	s, err := p.try()
	if err != nil {
		return Draft[T]{}, err
	}
	return p.draft(s), nil
}

// take returns an Owned slot whose value is ready. It waits for one until ctx
// ends or closing happens; nil means never.
func (p *Pool[T]) take(ctx context.Context, closing atom.Event, op string) (*slots.Slot, error) {
	s, err := p.try()
	if err != ErrLimit {
		return s, err
	}
	ended := p.table.Gate.Await(ctx, closing, func() bool {
		s, err = p.try()
		return err != ErrLimit
	})
	switch {
	case ended != nil:
		return nil, p.waited(op, "for a free value", ended)
	case err == ErrLimit:
		return nil, ErrClosed // the container's: closing has happened
	}
	return s, err
}

// try returns an Owned slot whose value is ready, or an error.
func (p *Pool[T]) try() (*slots.Slot, error) {
	if p.closed.Load() {
		return nil, ErrClosed
	}
	p.tidy(p.keep+1, 0) // one will be taken; and before: OnDrop may panic
	s := p.claim()
	if s == nil {
		return nil, ErrLimit
	}
	if p.closed.Load() { // Close may have looked before the claim
		s.Give(s.Idle())
		return nil, ErrClosed
	}
	p.prepare(s)
	return s, nil
}

// claim returns a slot that the caller owns from now on, nil if MaxLive is reached.
// In the checked build and under `poolproof test` a free value waits until as many
// others as delay says have become free after it, if MaxLive leaves room for them:
// a value that had a new writer at once would hide a late reader or writer.
func (p *Pool[T]) claim() *slots.Slot {
	if delay == 0 {
		return p.table.Claim()
	}
	p.resetFree()
	p.checkFree() // what waits may not be looked at for long: the sooner a write is found the better
	var oldest *slots.Slot
	var gen uint64
	free := 0
	for s := range p.table.All {
		w := s.Word()
		if w.State() != slots.Spare {
			continue
		}
		free++
		if oldest == nil || s.Since() < oldest.Since() {
			oldest, gen = s, w.Gen()
		}
	}
	if free > delay && oldest.ClaimAt(gen) {
		return oldest
	}
	if s := p.table.ClaimEmpty(); s != nil {
		return s
	}
	return p.table.Claim()
}

// prepare makes the value of s, which the caller owns, ready for a writer.
func (p *Pool[T]) prepare(s *slots.Slot) {
	done := false
	defer p.giveUp(s, &done)
	p.reveal(s)
	p.noteGet(s)
	if s.Value != nil && (s.Todo == doomed || s.Todo != clean && !p.reset(s)) {
		p.drop(s)
	}
	if s.Value == nil {
		p.make(s)
	} else {
		s.Todo = used
		s.Reused.Store(s.Reused.Load() + 1)
	}
	done = true
}

// reuse makes the value of s ready for a writer as it was published. It reports
// false, and does nothing, if it is not as it was.
func (p *Pool[T]) reuse(s *slots.Slot) bool {
	if s.Todo != fresh && s.Todo != used {
		return false
	}
	done := false
	defer p.giveUp(s, &done)
	p.reveal(s)
	p.noteGet(s)
	s.Todo = used
	s.Reused.Store(s.Reused.Load() + 1)
	done = true
	return true
}

// giveUp is deferred by who makes s ready. If that did not get done, because of a
// panic, s has no owner then, and the next writer will drop its value.
func (p *Pool[T]) giveUp(s *slots.Slot, done *bool) {
	if !*done {
		s.Todo = doomed
		p.shelve(s)
	}
}

// renew replaces the value of s by a new one, unless it is new.
func (p *Pool[T]) renew(s *slots.Slot) {
	if s.Todo != fresh {
		p.drop(s)
		p.make(s)
	}
}

// make fills s, which has no value.
func (p *Pool[T]) make(s *slots.Slot) {
	x := p.options.New()
	if x == nil {
		panic("hotswap: Options.New returned nil")
	}
	s.Value, s.Todo = unsafe.Pointer(x), fresh
	s.Made.Store(s.Made.Load() + 1)
}

// reset resets the value of s and reports whether it is fit for use.
func (p *Pool[T]) reset(s *slots.Slot) bool {
	x := (*T)(s.Value)
	if p.options.Reset == nil {
		return true
	}
	fit := p.options.Reset(x)
	if fit {
		renewKept(x)
	}
	return fit
}

// drop gives the value of s up, which the caller owns.
func (p *Pool[T]) drop(s *slots.Slot) {
	x := (*T)(s.Value)
	s.Value, s.Todo = nil, clean
	s.Dropped.Store(s.Dropped.Load() + 1)
	if p.options.OnDrop != nil {
		p.options.OnDrop(x)
	}
}

// shelve ends the ownership of s.
func (p *Pool[T]) shelve(s *slots.Slot) {
	p.hide(s)
	s.Give(s.Idle())
}

// reclaimed is called by the last reader of a value, or by the writer who found
// none.
func (p *Pool[T]) reclaimed(s *slots.Slot) {
	p.unseal(s)
	defer p.hide(s)
	if p.options.Reset != nil && p.options.ResetOn == OnRelease {
		p.resetNow(s)
	}
}

// resetNow resets the value of s and notes whether it must be dropped.
func (p *Pool[T]) resetNow(s *slots.Slot) {
	s.Todo = doomed
	if p.reset(s) {
		s.Todo = clean
	}
}

// tidy drops the free values beyond keep. Nothing is looked at while there cannot
// be so many, of which used are known to be in use. If another call tidies, this
// one leaves it at that.
func (p *Pool[T]) tidy(keep, used int) {
	if p.table.Len() <= keep+used || !p.tidying.CompareAndSwap(false, true) {
		return
	}
	defer p.tidying.Store(false)
	p.table.Tidy(keep, p.discardFree)
}

// Trim drops all free values, those that Keep keeps among them, and returns how
// many.
func (p *Pool[T]) Trim() (dropped int) {
	p.check()
	p.table.Tidy(0, func(s *slots.Slot) {
		dropped++
		p.discardFree(s)
	})
	return dropped
}

// discardFree drops the value of s, which was free and is the caller's now.
func (p *Pool[T]) discardFree(s *slots.Slot) {
	defer p.shelve(s) // also when OnDrop panics
	p.reveal(s)
	p.drop(s)
}

// Close ends the pool: from now on Get panics, and GetContext, TryGet and RCU
// return ErrClosed, those that wait among them. It drops the free values, then
// waits until the others are free too, and drops them: until drafts are discarded
// or published, containers closed or cleared, and readers gone. If ctx ends
// before, Close returns an error that wraps that of ctx and says what is left;
// it may be called again.
func (p *Pool[T]) Close(ctx context.Context) error {
	p.check()
	p.closed.Store(true)
	p.table.Gate.Pass()
	err := p.table.Gate.Await(ctx, nil, func() bool {
		p.Trim()
		for s := range p.table.All {
			if s.Word().State() != slots.Empty {
				return false
			}
		}
		return true
	})
	if err != nil {
		return p.waited("Close of a Pool", "for its values", err)
	}
	return nil
}

// Stats returns the statistics of p. It is safe for concurrent use.
func (p *Pool[T]) Stats() Stats {
	p.check()
	s := Stats{Name: p.options.Name, Outstanding: p.table.Holds()}
	now := p.table.Now()
	for slot := range p.table.All {
		s.Slots++
		switch slot.Word().State() {
		case slots.Spare:
			s.Spare++
		case slots.Owned:
			s.Drafts++
		case slots.Live:
			s.Live++
		case slots.Retired:
			s.Retired++
			s.OldestRetired = max(s.OldestRetired, time.Duration(now-slot.Since()))
		}
		s.News += slot.Made.Load()
		s.Reuses += slot.Reused.Load()
		s.Drops += slot.Dropped.Load()
	}
	return s
}
