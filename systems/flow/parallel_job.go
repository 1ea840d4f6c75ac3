package flow

import (
	"sync"
	"sync/atomic"
)

// mostAtOnce is how many values a job has at most.
const mostAtOnce = 64

// roomFor returns the capacity of a job that has n values: it grows twice at most.
func roomFor(n int) int {
	if n <= 4 {
		return 4
	}
	return mostAtOnce
}

// job is a handful of items. The worker that got it, its owner, and helpers claim its
// values one by one.
//
// left counts the values that are not done, and one for the owner, so that a job is alive
// while its owner or anyone who has claimed one of its values works: only what makes left
// 0 lets it be used again. A helper finds a job at the seat of its owner, and claims under
// the seat's lock; the owner leaves the seat, under the lock, before it counts itself out.
// So a helper that finds a job finds one that is alive, and it counts out all that it has
// done at once, when there is no more to claim.
type job[I, O any] struct {
	in   batch[I]
	out  []result[O]  // of each value of in
	next atomic.Int64 // the first value that is not claimed
	left atomic.Int64
	done chan struct{} // has room for the one signal of a use; ordered only
}

// result is the result of f for a value.
type result[O any] struct {
	v   O
	err error
}

// claim returns the index of a value that is now the caller's to do, or one beyond the
// last.
func (j *job[I, O]) claim() int { return int(j.next.Add(1)) - 1 }

// ready makes j, which has its items, ready to be done.
func (j *job[I, O]) ready() {
	if len(j.out) < len(j.in.v) {
		j.out = make([]result[O], cap(j.in.v))
	}
	j.next.Store(0)
	j.left.Store(int64(len(j.in.v)) + 1)
}

// seat is where a worker works.
type seat[I, O any] struct {
	mu    sync.Mutex
	job   *job[I, O] // whose owner sits here
	begun int64      // when it sat down, by clock
}

func (s *seat[I, O]) sit(j *job[I, O], at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.job, s.begun = j, at
}

// unclaimed returns how many values of a job that takes long are not claimed.
func (s *seat[I, O]) unclaimed(now int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.job == nil || now-s.begun < int64(patience)/2 {
		return 0
	}
	return max(len(s.job.in.v)-int(s.job.next.Load()), 0)
}

// claim claims a value of the seat's job.
func (s *seat[I, O]) claim() (j *job[I, O], i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.job == nil {
		return nil, 0
	}
	if i = s.job.claim(); i >= len(s.job.in.v) {
		return nil, 0
	}
	return s.job, i
}
