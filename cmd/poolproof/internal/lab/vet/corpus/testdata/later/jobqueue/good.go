// Package jobqueue is right.
package jobqueue

import (
	"context"
	"sync"
)

type job struct {
	id   int
	done chan error
}

var jobs = sync.Pool{New: func() any { return &job{done: make(chan error, 1)} }}

type queue struct{ in chan *job }

func (q *queue) do(ctx context.Context, id int) error {
	j := jobs.Get().(*job)
	j.id = id
	select {
	case q.in <- j:
	case <-ctx.Done():
		jobs.Put(j)
		return ctx.Err()
	}
	err := <-j.done
	jobs.Put(j)
	return err
}

func (q *queue) work(f func(int) error) {
	for j := range q.in {
		j.done <- f(j.id)
	}
}

// async gives the job to the worker, who puts it.
func (q *queue) async(id int) {
	j := jobs.Get().(*job)
	j.id = id
	q.in <- j
}
