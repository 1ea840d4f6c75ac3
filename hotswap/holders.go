package hotswap

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/poolproof/poolproof/hotswap/internal/slots"
	"github.com/poolproof/poolproof/internal/ledger"
)

// The kinds of holders.
const (
	kindRef    = "Ref"
	kindReader = "Reader"
	kindDraft  = "Draft"
	// A Container is listed only after it was dropped.
	kindContainer = "Container"
)

// Holder is a Ref, Reader or Draft that holds a value, as Options.Trace has recorded
// it, or a Container that was dropped with a current value.
type Holder struct {
	Kind       string    // "Ref", "Reader", "Draft" or "Container"
	Generation uint64    // of a Ref or Reader, as Ref.Generation; 0 for others
	Since      time.Time // of Acquire, Clone, Get, New of the Container, or the Load that got the value
	Leaked     bool      // it was dropped without a Release, Discard or Close
	Stack      string    // where it was acquired or made, two lines a frame
}

// String returns the kind of holder, its age and its stack.
func (h Holder) String() string {
	what := h.Kind
	if h.Generation != 0 {
		what += fmt.Sprintf(" to generation %d", h.Generation)
	}
	switch {
	case h.Kind == kindContainer:
		return fmt.Sprintf("%s, dropped without Close, made %s ago at\n%s", what, time.Since(h.Since).Round(time.Millisecond), h.Stack)
	case h.Leaked:
		what += ", dropped without Release,"
	}
	return fmt.Sprintf("%s acquired %s ago at\n%s", what, time.Since(h.Since).Round(time.Millisecond), h.Stack)
}

// tracer knows all holders of a pool. It refers to their records, not to their
// tokens: a token that only the tracer knew would never be collected.
type tracer struct {
	table  *slots.Table
	onLeak func(Holder)

	mu   sync.Mutex
	held map[*record]struct{}
	seq  uint64

	book book
}

// record describes a holder.
type record struct {
	kind   string
	number uint64
	seq    uint64
	since  time.Time
	stack  ledger.Stack
	leaked bool // under tracer.mu
}

// token is the part of a traced guard that all its copies share. It is
// collected when the last copy is gone.
type token struct {
	// hook comes first: Ref.count points to it.
	hook    slots.Place
	count   *slots.Place // where the hold is counted
	gen     uint64
	tracer  *tracer
	record  *record
	cleanup runtime.Cleanup

	mu       sync.Mutex
	released ledger.Stack // nil: not yet
}

// traced reports whether a guard of that generation is traced. No slot ever is in
// such a generation, so that Release finds a mismatch, and nothing else must ask.
func traced(gen uint64) bool { return gen&slots.Traced != 0 }
