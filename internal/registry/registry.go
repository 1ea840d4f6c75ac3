// Package registry lists pools that have a name, so that exporters of
// statistics can find them, and keeps none of them alive.
package registry

import (
	"slices"
	"sync"
	"weak"
)

// List is a list of sources of S, the statistics of one kind of pool. The zero
// value is empty. A List is safe for concurrent use.
type List[S any] struct {
	mu      sync.Mutex
	sources []source[S]
}

// source is one object that has statistics, held weakly.
type source[S any] struct {
	gone  func() bool
	stats func() (s S, alive bool)
}

// Add appends x to l; stats returns its statistics. l holds x weakly:
// x leaves the list when it is collected. stats must not refer to x other than
// by its argument; a method expression does not.
func Add[T, S any](l *List[S], x *T, stats func(*T) S) {
	w := weak.Make(x)
	added := source[S]{
		gone: func() bool { return w.Value() == nil },
		stats: func() (s S, alive bool) {
			if x := w.Value(); x != nil {
				return stats(x), true
			}
			return s, false
		},
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.sources) == cap(l.sources) {
		// Before the list grows: nothing else forgets what is gone.
		l.sources = slices.DeleteFunc(l.sources, func(s source[S]) bool { return s.gone() })
	}
	l.sources = append(l.sources, added)
}

// All yields the statistics of each source that is alive, in the order in which
// they were added. Names need not be unique. The loop may use the list.
func (l *List[S]) All(yield func(S) bool) {
	l.mu.Lock()
	sources := slices.Clone(l.sources)
	l.mu.Unlock()
	for _, source := range sources {
		if s, alive := source.stats(); alive && !yield(s) {
			return
		}
	}
}
