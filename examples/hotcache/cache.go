package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/poolproof/poolproof/hotswap"
)

// cache is a map that is built as a whole, again and again. It is safe for
// concurrent use.
type cache[K comparable, V any] struct {
	build   func(ctx context.Context, put func(K, V)) error
	failed  func(error) // told why a build in run failed; may be nil
	maps    *hotswap.Pool[snapshot[K, V]]
	current *hotswap.Container[snapshot[K, V]]
	wanted  chan struct{} // holds a value: a rebuild is wanted

	building sync.Mutex // held while a map is built: one at a time
	mu       sync.Mutex
	err      error // of the last build
}

// snapshot is the result of one build. It is not changed once it is current.
type snapshot[K comparable, V any] struct {
	entries map[K]V
	built   time.Time
	most    int // entries that the map ever had: its memory is for so many
}

// roomy is how much larger than needed a map may be to be used again. A Go map
// never gets smaller, so one build with very many entries would make all
// later ones as large.
const roomy = 4

// newCache returns an empty cache. build puts all entries; what it has put is
// thrown away if it returns an error.
func newCache[K comparable, V any](build func(ctx context.Context, put func(K, V)) error) *cache[K, V] {
	c := &cache[K, V]{build: build, wanted: make(chan struct{}, 1)}
	c.maps = hotswap.NewPool(hotswap.Options[snapshot[K, V]]{
		New:   func() *snapshot[K, V] { return &snapshot[K, V]{entries: make(map[K]V)} },
		Reset: (*snapshot[K, V]).reset,
	})
	c.current = hotswap.New(c.maps)
	return c
}

// reset empties s for the next build, and reports false if its memory is far
// more than it needed last.
func (s *snapshot[K, V]) reset() bool {
	s.most = max(s.most, len(s.entries))
	if s.most > roomy*max(len(s.entries), 1024) {
		return false
	}
	clear(s.entries)
	s.built = time.Time{}
	return true
}

// get returns what the current map has for key.
func (c *cache[K, V]) get(key K) (value V, ok bool) {
	now := c.current.Acquire()
	defer now.Release()
	if s := now.Value(); s != nil {
		value, ok = s.entries[key]
	}
	return value, ok
}

// view calls look with the current map, which look must not keep or change, and
// the time of its build. Without one it reports false.
func (c *cache[K, V]) view(look func(entries map[K]V, built time.Time)) bool {
	return c.current.Do(func(s *snapshot[K, V]) { look(s.entries, s.built) })
}

// rebuild builds a new map and makes it current. If that fails, the current map
// stays. One build runs at a time: another call waits for it, and then builds on
// its own, for it may have been called because something has changed since.
func (c *cache[K, V]) rebuild(ctx context.Context) error {
	c.building.Lock()
	defer c.building.Unlock()
	err := c.publish(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
	return err
}

func (c *cache[K, V]) publish(ctx context.Context) error {
	draft, err := c.maps.GetContext(ctx)
	if err != nil {
		return err
	}
	defer draft.Discard() // also if build panics; nothing, once it is published
	s := draft.Value()
	if err := c.build(ctx, func(key K, value V) { s.entries[key] = value }); err != nil {
		return fmt.Errorf("building the cache: %w", err)
	}
	s.built = time.Now()
	return c.current.Update(&draft)
}

// lastError returns why the last build failed, nil if it did not.
func (c *cache[K, V]) lastError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// want asks run for a build that begins after this call. Any number of calls
// while a build runs ask for one.
func (c *cache[K, V]) want() {
	select {
	case c.wanted <- struct{}{}:
	default:
	}
}

// run builds at once, then so long after the end of each build, and when it is
// asked to, until ctx ends.
func (c *cache[K, V]) run(ctx context.Context, every time.Duration) {
	for ctx.Err() == nil {
		if err := c.rebuild(ctx); err != nil && c.failed != nil && !errors.Is(err, context.Canceled) {
			c.failed(err)
		}
		select {
		case <-ctx.Done():
		case <-c.wanted:
		case <-time.After(every):
		}
	}
}

// stats returns how many maps were made and how often one was used again.
func (c *cache[K, V]) stats() (made, reused uint64) {
	s := c.maps.Stats()
	return s.News, s.Reuses
}

// close empties the cache, and waits until no reader is left.
func (c *cache[K, V]) close(ctx context.Context) error {
	if err := c.current.Close(ctx); err != nil {
		return err
	}
	return c.maps.Close(ctx)
}
