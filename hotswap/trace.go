package hotswap

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/slots"
	"github.com/poolproof/poolproof/internal/ledger"
)

// callers returns the stack of the caller's caller; what is the library's own is
// not shown.
func callers() ledger.Stack {
	var pcs [32]uintptr
	return append(ledger.Stack(nil), pcs[:runtime.Callers(3, pcs[:])]...)
}

func newTracer(t *slots.Table, onLeak func(Holder)) *tracer {
	tr := &tracer{table: t, onLeak: onLeak, held: make(map[*record]struct{})}
	t.Tracer, t.Trace, t.Traced = unsafe.Pointer(tr), trace, leaveTraced
	return tr
}

// hold records a holder and returns its token.
func (tr *tracer) hold(kind string, number uint64) *token {
	r := &record{kind: kind, number: number, since: time.Now(), stack: callers()}
	tr.mu.Lock()
	tr.seq++
	r.seq = tr.seq
	tr.held[r] = struct{}{}
	tr.mu.Unlock()
	k := &token{tracer: tr, record: r}
	k.cleanup = runtime.AddCleanup(k, tr.lost, r)
	tr.book.out(k)
	return k
}

// rename says what holds.
func (k *token) rename(kind string) {
	k.tracer.mu.Lock()
	k.record.kind = kind
	k.tracer.mu.Unlock()
}

// forget ends the record of k.
func (tr *tracer) forget(k *token) {
	k.cleanup.Stop()
	tr.book.in(k)
	tr.mu.Lock()
	delete(tr.held, k.record)
	tr.mu.Unlock()
	runtime.KeepAlive(k)
}

// lost is called when the token of r was collected. The value stays held:
// whoever dropped the guard may still use what it got from it.
func (tr *tracer) lost(r *record) {
	tr.mu.Lock()
	_, held := tr.held[r]
	r.leaked = true
	tr.mu.Unlock()
	if held && tr.onLeak != nil {
		tr.onLeak(r.holder())
	}
}

// draft returns the token of a draft, nil if tr is.
func (tr *tracer) draft(*slots.Slot) *token {
	if tr == nil {
		return nil
	}
	return tr.hold(kindDraft, 0)
}

// end ends the trace of a draft that was used. k may be nil.
func (k *token) end() {
	if k != nil {
		k.tracer.forget(k)
	}
}

// trace turns a hold on s that is counted in n into one that is recorded, and
// returns what its guard has for counter and generation.
func trace(s *slots.Slot, n *slots.Place, gen uint64) (*slots.Place, uint64) {
	if s.Fixed() {
		return n, gen
	}
	k := tracerOf(s).hold(kindRef, s.Number)
	k.count, k.gen = n, gen
	return &k.hook, gen | slots.Traced
}

// tracerOf returns the tracer of the pool of s.
func tracerOf(s *slots.Slot) *tracer { return (*tracer)(s.Table().Tracer) }

// tokenOf returns the token of a traced guard by its counter.
func tokenOf(n *slots.Place) *token { return (*token)(unsafe.Pointer(n)) }

// leaveTraced is Release of a traced guard.
func leaveTraced(s *slots.Slot, n *slots.Place) {
	k := tokenOf(n)
	now := callers()
	k.mu.Lock()
	before := k.released
	if before == nil {
		k.released = now
	}
	k.mu.Unlock()
	if before != nil {
		k.endedBefore("Release", before, now)
	}
	k.tracer.forget(k)
	s.Leave(k.count, k.gen)
}

// mustHold panics if k's hold has ended.
func (k *token) mustHold(op string) {
	k.mu.Lock()
	released := k.released
	k.mu.Unlock()
	if released != nil {
		k.endedBefore(op, released, callers())
	}
}

// endedBefore panics with the three stacks.
func (k *token) endedBefore(op string, released, now ledger.Stack) {
	panic(fmt.Sprintf("hotswap: %s of a %s that was released before\n\nit was acquired at\n%s\nreleased at\n%s\nand now used at\n%s",
		op, k.record.kind, k.record.stack, released, now))
}

func (r *record) holder() Holder {
	return Holder{Kind: r.kind, Generation: r.number, Since: r.since, Leaked: r.leaked, Stack: r.stack.String()}
}

// Outstanding returns the holders of values of the pool, in the order in which they
// got them, with Options.Trace; else nil.
func (p *Pool[T]) Outstanding() []Holder {
	p.check()
	return p.tracer.outstanding()
}

func (tr *tracer) outstanding() []Holder {
	if tr == nil {
		return nil
	}
	tr.mu.Lock()
	defer tr.mu.Unlock()
	var holders []Holder
	for _, r := range slices.SortedFunc(maps.Keys(tr.held), func(a, b *record) int { return cmp.Compare(a.seq, b.seq) }) {
		holders = append(holders, r.holder())
	}
	return holders
}

// waited returns the error of a call that waited in vain.
func (p *Pool[T]) waited(op, what string, err error) error {
	s := p.Stats()
	var b strings.Builder
	fmt.Fprintf(&b, "hotswap: %s waited %s; the pool has %d values: %d current, %d replaced and still read, %d drafts, %d free",
		op, what, s.Live+s.Retired+s.Drafts+s.Spare, s.Live, s.Retired, s.Drafts, s.Spare)
	if limit := p.options.MaxLive; limit > 0 && s.Live >= limit {
		fmt.Fprintf(&b, " (MaxLive is %d and all are current: no Release will help)", limit)
	}
	if p.tracer == nil {
		return fmt.Errorf("%s: %w", b.String(), err)
	}
	fmt.Fprintf(&b, ": %v", err)
	for _, h := range p.Outstanding() {
		fmt.Fprintf(&b, "\n\n%s", strings.TrimSuffix(h.String(), "\n"))
	}
	return &waitError{b.String(), err}
}

// waitError is a text with the error of a context in its middle.
type waitError struct {
	text string
	err  error
}

func (e *waitError) Error() string { return e.text }

// Unwrap returns the error of the context.
func (e *waitError) Unwrap() error { return e.err }
