// Package bus is right.
package bus

import (
	"fmt"
	"sort"
	"sync"
)

type event struct {
	name string
	pri  int
	data map[string]string
}

var events = sync.Pool{New: func() any { return &event{data: map[string]string{}} }}

type Bus struct {
	mu    sync.Mutex
	queue []*event
}

func (b *Bus) Emit(name string, pri int, kv ...string) {
	e := events.Get().(*event)
	e.name, e.pri = name, pri
	for i := 0; i+1 < len(kv); i += 2 {
		e.data[kv[i]] = kv[i+1]
	}
	b.mu.Lock()
	b.queue = append(b.queue, e)
	b.mu.Unlock()
}

func (b *Bus) Drain(f func(name string, data map[string]string) error) (err error) {
	b.mu.Lock()
	q := b.queue
	b.queue = nil
	b.mu.Unlock()
	sort.Slice(q, func(i, j int) bool { return q[i].pri < q[j].pri })
	for _, e := range q {
		if err == nil {
			if err = f(e.name, e.data); err != nil {
				err = fmt.Errorf("event %s: %w", e.name, err)
			}
		}
		clear(e.data)
		events.Put(e)
	}
	return err
}
