// Package scheduler runs functions at their time, from a heap of pooled tasks.
package scheduler

import (
	"container/heap"
	"sync"
	"time"
)

type task struct {
	id    uint64
	at    time.Time
	f     func()
	index int
}

var tasks = sync.Pool{New: func() any { return new(task) }}

type queue []*task

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i]; q[i].index, q[j].index = i, j }
func (q *queue) Push(x any)        { t := x.(*task); t.index = len(*q); *q = append(*q, t) }

func (q *queue) Pop() any {
	old := *q
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return t
}

// Scheduler has tasks. Tick must be called now and then.
type Scheduler struct {
	mu   sync.Mutex
	q    queue
	byID map[uint64]*task
	last uint64
}

// New returns a Scheduler without tasks.
func New() *Scheduler { return &Scheduler{byID: make(map[uint64]*task)} }

// At plans f, and returns a number for Cancel.
func (s *Scheduler) At(at time.Time, f func()) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	t := tasks.Get().(*task)
	t.id, t.at, t.f = s.last, at, f
	heap.Push(&s.q, t)
	s.byID[t.id] = t
	return s.last
}

// Cancel forgets a task, and reports whether it was still waiting.
func (s *Scheduler) Cancel(id uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.byID[id]
	if !ok {
		return false
	}
	delete(s.byID, id)
	heap.Remove(&s.q, t.index)
	t.f = nil
	tasks.Put(t)
	return true
}

// Tick runs what is due.
func (s *Scheduler) Tick(now time.Time) {
	for {
		s.mu.Lock()
		if len(s.q) == 0 || s.q[0].at.After(now) {
			s.mu.Unlock()
			return
		}
		t := heap.Pop(&s.q).(*task)
		delete(s.byID, t.id)
		f := t.f
		t.f = nil
		tasks.Put(t)
		s.mu.Unlock()
		f()
	}
}
