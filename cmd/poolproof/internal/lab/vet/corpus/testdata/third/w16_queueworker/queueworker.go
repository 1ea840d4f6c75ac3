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

// Add queues a job.
func (w *Worker) Add(id uint64, kind string, args ...string) {
	j := jobs.Get().(*job)
	j.id, j.kind, j.tries = id, kind, 0
	j.args = append(j.args[:0], args...)
	w.queue <- j
}

func (w *Worker) recycle(j *job) {
	clear(j.args)
	jobs.Put(j)
}

// Run works until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	for {
		select {
		case j := <-w.queue:
			w.do(ctx, j)
		case <-ctx.Done():
			return
		}
	}
}

func (w *Worker) do(ctx context.Context, j *job) {
	for {
		j.tries++
		err := w.run[j.kind](ctx, j.args...)
		if err == nil {
			w.recycle(j)
			return
		}
		if j.tries == 3 || ctx.Err() != nil {
			w.recycle(j)
			log.Printf("job %d given up: %v", j.id, err) // want PV001
			return
		}
	}
}
