// Package jobs has pooled jobs that release themselves.
package jobs

import (
	"fmt"
	"io"
	"sync"
)

// Job is one piece of work.
type Job struct {
	ID   int
	Name string
	Args []string
	Err  error
}

var pool = sync.Pool{New: func() any { return new(Job) }}

// New returns a job that the caller must Release.
func New(id int) *Job {
	j := pool.Get().(*Job)
	j.ID = id
	return j
}

// Release gives the job back.
func (j *Job) Release() {
	j.ID, j.Name, j.Err = 0, "", nil
	clear(j.Args)
	j.Args = j.Args[:0]
	pool.Put(j)
}

// Run does the job. It stays the caller's.
func (j *Job) Run(w io.Writer) error {
	_, j.Err = fmt.Fprintln(w, j.ID, j.Name, j.Args)
	return j.Err
}

// Finish does the job and releases it.
func Finish(j *Job, w io.Writer) error {
	err := j.Run(w)
	j.Release()
	return err
}
