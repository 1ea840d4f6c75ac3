// Package workers sends jobs to workers.
package workers

import (
	"context"
	"log"
	"sync"
)

type Job struct {
	ID   int64
	Args []string
	done chan error
}

var jobs = sync.Pool{New: func() any { return &Job{done: make(chan error, 1)} }}

type Queue struct {
	in chan *Job
}

// Do runs a job and waits for its end.
func (q *Queue) Do(ctx context.Context, id int64, args []string) error {
	j := jobs.Get().(*Job)
	j.ID, j.Args = id, args
	select {
	case q.in <- j:
	case <-ctx.Done():
		return ctx.Err() // want "PV005"
	}
	select {
	case err := <-j.done:
		jobs.Put(j)
		return err
	case <-ctx.Done():
		jobs.Put(j) // want "PV004"
		return ctx.Err()
	}
}

func (q *Queue) Work(run func(*Job) error) {
	for j := range q.in {
		j.done <- run(j)
	}
}

// Later runs a job without waiting.
func Later(id int64, run func(int64, []string) error) {
	j := jobs.Get().(*Job)
	j.ID = id
	go func() {
		if err := run(j.ID, j.Args); err != nil { // want "PV004"
			log.Print(err)
		}
	}()
	jobs.Put(j)
}
