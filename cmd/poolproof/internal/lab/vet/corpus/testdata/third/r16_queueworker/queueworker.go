// Package queueworker runs jobs from a queue, each up to three times.
package queueworker

import (
	"context"
	"log"
	"sync"
)

type job struct {
	id    uint64
	kind  string
	args  []string
	tries int
}

var jobs = sync.Pool{New: func() any { return new(job) }}

// Worker runs jobs.
type Worker struct {
	queue chan *job
	run   map[string]func(ctx context.Context, args ...string) error
}

// NewWorker returns a Worker with room for n waiting jobs.
func NewWorker(n int, run map[string]func(context.Context, ...string) error) *Worker {
	return &Worker{queue: make(chan *job, n), run: run}
}

// Add queues a job, unless ctx ends before there is room.
func (w *Worker) Add(ctx context.Context, id uint64, kind string, args ...string) error {
	j := jobs.Get().(*job)
	j.id, j.kind, j.tries = id, kind, 0
	j.args = append(j.args[:0], args...)
	select {
	case w.queue <- j:
		return nil
	case <-ctx.Done():
		w.recycle(j)
		return ctx.Err()
	}
}

func (w *Worker) recycle(j *job) {
	clear(j.args)
	jobs.Put(j)
}

// Run works until ctx ends, and then does what waits.
func (w *Worker) Run(ctx context.Context) {
	for {
		select {
		case j := <-w.queue:
			w.do(ctx, j)
		case <-ctx.Done():
			for {
				select {
				case j := <-w.queue:
					w.do(ctx, j)
				default:
					return
				}
			}
		}
	}
}

func (w *Worker) do(ctx context.Context, j *job) {
	id := j.id
	for {
		j.tries++
		err := w.run[j.kind](ctx, j.args...)
		if err != nil && j.tries < 3 && ctx.Err() == nil {
			continue
		}
		w.recycle(j)
		if err != nil {
			log.Printf("job %d given up: %v", id, err)
		}
		return
	}
}
