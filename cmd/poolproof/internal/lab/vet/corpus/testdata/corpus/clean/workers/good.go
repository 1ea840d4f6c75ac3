// Package workers hands pooled tasks from stage to stage. Whoever receives a
// task owns it.
package workers

import (
	"context"
	"sync"
	"sync/atomic"
)

type task struct {
	id     int
	input  []byte
	output []byte
	wg     *sync.WaitGroup
	refs   atomic.Int32
}

var tasks = sync.Pool{New: func() any { return new(task) }}

func newTask(id int, input []byte) *task {
	t := tasks.Get().(*task)
	t.id = id
	t.input = append(t.input[:0], input...)
	t.output = t.output[:0]
	t.refs.Store(1)
	return t // fine "PV006" the caller's
}

func (t *task) free() {
	t.wg = nil
	tasks.Put(t)
}

func produce(ctx context.Context, inputs [][]byte, out chan<- *task) error {
	defer close(out)
	for i, in := range inputs {
		t := newTask(i, in)
		select {
		case out <- t: // fine "PV004 PV005" the next stage's
		case <-ctx.Done():
			t.free()
			return ctx.Err()
		}
	}
	return nil
}

func transform(in <-chan *task, out chan<- *task, fn func(dst, src []byte) []byte) {
	defer close(out)
	for t := range in {
		t.output = fn(t.output[:0], t.input)
		if len(t.output) == 0 {
			t.free()
			continue // fine "PV005" put before
		}
		out <- t // fine "PV001" the other ones
	}
}

func consume(in <-chan *task, each func(int, []byte)) (n int) {
	for t := range in {
		each(t.id, t.output)
		t.free() // fine "PV002" once each
		n++
	}
	return n
}

// batch keeps tasks until it is full.
type batch struct {
	mu    sync.Mutex
	tasks []*task
}

func (b *batch) add(t *task) (full []*task) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tasks = append(b.tasks, t) // fine "PV004" the batch's
	if len(b.tasks) < 8 {
		return nil
	}
	full, b.tasks = b.tasks, nil
	return full // fine "PV003" moved out
}

func flush(all []*task, each func(int, []byte)) {
	for i, t := range all {
		each(t.id, t.output)
		t.free()
		all[i] = nil // fine "PV001" only the slice is written
	}
}

// parallel waits for all its goroutines.
func parallel(inputs [][]byte, fn func(dst, src []byte) []byte) (total int) {
	var (
		wg  sync.WaitGroup
		mu  sync.Mutex
		all []*task
	)
	for i, in := range inputs {
		t := newTask(i, in)
		all = append(all, t)
		wg.Add(1)
		go func() { // fine "PV004" waited for
			defer wg.Done()
			t.output = fn(t.output[:0], t.input)
		}()
	}
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	for _, t := range all {
		total += len(t.output)
		t.free() // fine "PV001 PV002" after Wait
	}
	return total
}

// shared is released by each of its users.
func (t *task) release() {
	if t.refs.Add(-1) > 0 {
		return
	}
	t.free() // fine "PV002" the last one
}

func broadcast(t *task, outs []chan<- *task) {
	t.refs.Add(int32(len(outs)))
	for _, out := range outs {
		out <- t // fine "PV004" each has its count
	}
	t.release()
}
